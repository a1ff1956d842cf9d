import { FELT_PRIME } from "../../felt.js";
import { SHORT_STRING_LENGTH, asciiToInteger } from "../short-string.js";
import { outOfRange, wrongForm } from "./value-errors.js";

const NUMBER_FORMS = "an integer as text (decimal or 0x hex), a bigint, or a safe integer";
/** A text longer than this is no number that any type holds. */
const MAX_DIGITS = 200;

/** Reads an integer of a range, both ends inclusive. */
export function readInteger(value: unknown, path: string, typeName: string, min: bigint, max: bigint): bigint {
  const integer = toInteger(value);
  if (integer === undefined) throw wrongForm(path, value, typeName, NUMBER_FORMS);
  if (integer < min || integer > max) throw outOfRange(path, integer, typeName, min, max);
  return integer;
}

/** Reads a felt, or text in single quotes as the short string that Cairo writes the same way: `'SN_MAIN'`. */
export function readFelt(value: unknown, path: string): bigint {
  return readShortString(value, path, "felt252") ?? readInteger(value, path, "felt252", 0n, FELT_PRIME - 1n);
}

/** Reads 31 bytes as one integer; short strings as for felts. */
export function readBytes31(value: unknown, path: string): bigint {
  return readShortString(value, path, "bytes31") ?? readInteger(value, path, "bytes31", 0n, 2n ** 248n - 1n);
}

/** Integers below 0 are felts counted from the prime downwards. */
export function integerToFelt(value: bigint): bigint {
  return value < 0n ? FELT_PRIME + value : value;
}

/** The reverse, for a type whose smallest value is `min`. Returns undefined where the felt is outside of its range. */
export function feltToInteger(felt: bigint, min: bigint, max: bigint): bigint | undefined {
  const value = min < 0n && felt > max ? felt - FELT_PRIME : felt;
  return value < min || value > max ? undefined : value;
}

function readShortString(value: unknown, path: string, typeName: string): bigint | undefined {
  if (typeof value !== "string" || !value.startsWith("'")) return undefined;
  const text = value.slice(1, -1);
  if (value.length < 2 || !value.endsWith("'") || text.length > SHORT_STRING_LENGTH || !/^[\x20-\x7e]*$/.test(text)) {
    const takes = `a short string: at most ${SHORT_STRING_LENGTH} printable ASCII characters between single quotes`;
    throw wrongForm(path, value, typeName, takes);
  }
  return asciiToInteger(text);
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > MAX_DIGITS) return undefined;
  if (/^(\d+|0[xX][0-9a-fA-F]+)$/.test(value)) return BigInt(value);
  return /^-\d+$/.test(value) ? -BigInt(value.slice(1)) : undefined;
}
