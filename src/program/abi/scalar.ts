import { FELT_PRIME } from "../../base/felt.js";
import { shortStringFelt, SHORT_STRING_LENGTH } from "../../base/short-string.js";
import { outOfRange, wrongForm } from "./value-errors.js";

const WORD_BYTES = 31;

/**
 * Felts of a `ByteArray`: the number of full words, the words of 31 bytes, the rest as one word, the rest's length.
 *
 * @param value text (as UTF-8), or bytes as `{ bytes: "0x…" }`.
 */
export function encodeByteArray(value: unknown, path: string): bigint[] {
  const bytes = readBytes(value, path);
  const words: bigint[] = [];
  for (let start = 0; start + WORD_BYTES <= bytes.length; start += WORD_BYTES) {
    words.push(bytesToInteger(bytes.subarray(start, start + WORD_BYTES)));
  }
  const rest = bytes.subarray(words.length * WORD_BYTES);
  return [BigInt(words.length), ...words, bytesToInteger(rest), BigInt(rest.length)];
}

/**
 * The text of words of 31 bytes and a rest, or `{ bytes }` where they are no text that would come back the same.
 *
 * @returns undefined where a word is larger than its bytes.
 */
export function decodeByteArray(
  words: readonly bigint[],
  rest: bigint,
  restLength: number,
): string | { readonly bytes: string } | undefined {
  const parts = [...words.map((word) => toBytesHex(word, WORD_BYTES)), toBytesHex(rest, restLength)];
  if (parts.includes(undefined)) return undefined;
  const hex = parts.join("");
  const bytes = Buffer.from(hex, "hex");
  const text = bytes.toString("utf8");
  // Control characters other than line ends and tabs would disturb a terminal.
  // eslint-disable-next-line no-control-regex
  const printable = !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
  return printable && Buffer.from(text, "utf8").equals(bytes) ? text : { bytes: `0x${hex}` };
}

function readBytes(value: unknown, path: string): Uint8Array {
  if (typeof value === "string") return Buffer.from(value, "utf8");
  if (typeof value === "object" && value !== null && "bytes" in value && Object.keys(value).length === 1) {
    const { bytes } = value;
    if (typeof bytes === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(bytes)) return Buffer.from(bytes.slice(2), "hex");
  }
  throw wrongForm(path, value, "ByteArray", 'text, or bytes as { "bytes": "0x…" }');
}

function bytesToInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

function toBytesHex(word: bigint, length: number): string | undefined {
  const hex = word === 0n ? "" : word.toString(16);
  return hex.length > length * 2 ? undefined : hex.padStart(length * 2, "0");
}

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
  const value = felt > max ? felt - FELT_PRIME : felt;
  return value < min || value > max ? undefined : value;
}

function readShortString(value: unknown, path: string, typeName: string): bigint | undefined {
  if (typeof value !== "string" || !value.startsWith("'")) return undefined;
  const text = value.slice(1, -1);
  if (value.length < 2 || !value.endsWith("'") || text.length > SHORT_STRING_LENGTH || !/^[\x20-\x7e]*$/.test(text)) {
    const takes = `a short string: at most ${SHORT_STRING_LENGTH} printable ASCII characters between single quotes`;
    throw wrongForm(path, value, typeName, takes);
  }
  return shortStringFelt(text);
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > MAX_DIGITS) return undefined;
  if (/^(\d+|0[xX][0-9a-fA-F]+)$/.test(value)) return BigInt(value);
  return /^-\d+$/.test(value) ? -BigInt(value.slice(1)) : undefined;
}
