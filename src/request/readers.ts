import { formatFelt, isFelt } from "../base/felt.js";
import { jsonText } from "../base/json.js";
import { nearest } from "../base/text.js";
import {
  CHAIN_ALIASES,
  CHAIN_IDENTIFIERS,
  type ChainIdentifier,
  chainIdentifierOf,
  findChainIdentifier,
} from "./chains.js";
import type { Mistake } from "./task-request-error.js";

/** Takes a mistake; the caller knows its place. */
export type Report = (mistake: Mistake) => void;
/** What a JSON Schema says of a value. */
export type JsonForm = Readonly<Record<string, unknown>>;
/** Reads one value strictly: the parsed value, or undefined after reporting every mistake in it. */
export interface Reader<T> {
  (value: unknown, report: Report): T | undefined;
  /** The values that it takes, for the schema that editors read. */
  form?: () => JsonForm;
}

export const MAX_UINT64 = 2n ** 64n - 1n;
export const MAX_UINT256 = 2n ** 256n - 1n;

/** Longer texts are no integer that anything takes (256 bits as 0b text are 258), and take long to convert. */
const LONGEST_INTEGER = 300;
const INTEGER_TEXT = /^-?(\d+|0x[0-9a-f]+|0o[0-7]+|0b[01]+)$/i;

/** A value as it is quoted in messages: JSON, shortened. */
export function quote(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  const shown = toJson(value) ?? kindOf(value);
  return shown.length > 80 ? `${shown.slice(0, 77)}...` : shown;
}

function toJson(value: unknown): string | undefined {
  try {
    return jsonText(value);
  } catch {
    // Circular or nested too deeply.
    return undefined;
  }
}

/** What kind of JSON value it is, with its article. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "bigint" ? "a number" : `a ${typeof value}`;
}

/** The mistake of a value of the wrong JSON type, or of a key that is not there. */
export function wrongType(value: unknown, expected: string): Mistake {
  return value === undefined
    ? { code: "HDP-1101", message: `This key is missing; it must be ${expected}.`, value }
    : { code: "HDP-1103", message: `${quote(value)} is ${kindOf(value)}; it must be ${expected}.`, value };
}

/** Reads text; `expected` says what it should be, for the message. */
export function readText(value: unknown, report: Report, expected: string): string | undefined {
  if (typeof value === "string") return value;
  report(wrongType(value, expected));
  return undefined;
}

/** Reads one word of a list, exactly spelled. */
export function wordReader<T extends string>(words: readonly T[], what: string): Reader<T> {
  const read: Reader<T> = (value, report) => {
    const text = readText(value, report, `one of ${words.map((word) => `"${word}"`).join(", ")}`);
    if (text === undefined) return undefined;
    const word = words.find((known) => known === text);
    if (word === undefined) {
      report({
        code: "HDP-1108",
        message: `${quote(text)} is not ${what}.`,
        value,
        allowed: words,
        suggestion: nearest(text, words),
        hints: [`Allowed: ${words.join(", ")}.`],
      });
    }
    return word;
  };
  read.form = () => ({ enum: words });
  return read;
}

/** Reads an integer from a JSON number, a bigint, or decimal, 0x, 0o or 0b text; never through an inexact number. */
export function integerReader(options: { readonly max: bigint; readonly min?: bigint }): Reader<bigint> {
  const { max, min = 0n } = options;
  const read: Reader<bigint> = (value, report) => {
    const integer = toInteger(value, report);
    if (integer === undefined) return undefined;
    if (integer === 0n && min === 1n) {
      report({ code: "HDP-1116", message: "The increment is 0; it must be at least 1.", value });
      return undefined;
    }
    if (integer < min || integer > max) {
      const size = max === MAX_UINT64 ? "2^64 - 1" : "2^256 - 1";
      report({
        code: "HDP-1113",
        message: `${integer.toString()} is out of range.`,
        value,
        allowed: [min.toString(), max.toString()],
        hints: [`Allowed: ${min.toString()} to ${size}.`],
      });
      return undefined;
    }
    return integer;
  };
  const zero = min === 0n ? "" : "(?!0[xXoObB]?0*$)";
  read.form = () => ({
    type: ["integer", "string"],
    minimum: Number(min),
    maximum: Number(max),
    pattern: `^${zero}(\\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$`,
  });
  return read;
}

function toInteger(value: unknown, report: Report): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "number" && Number.isInteger(value)) {
    report({
      code: "HDP-1114",
      message: `${quote(value)} is too large to be exact as a JSON number.`,
      value,
      hints: ['Write it as text: digits in quotes, for instance "9007199254740993".'],
    });
    return undefined;
  }
  if (typeof value === "string" && value.length <= LONGEST_INTEGER && INTEGER_TEXT.test(value)) {
    return value.startsWith("-") ? -BigInt(value.slice(1)) : BigInt(value);
  }
  if (typeof value === "string" || typeof value === "number") {
    report({
      code: "HDP-1112",
      message: `${quote(value)} is not an integer.`,
      value,
      hints: ['Allowed: an integer, or text with decimal or 0x-prefixed hex digits, for instance 64, "64" or "0x40".'],
    });
    return undefined;
  }
  report(wrongType(value, "an integer"));
  return undefined;
}

/** Reads a chain identifier or one of its aliases; retired numeric ids are answered with the name. */
export const readChain: Reader<ChainIdentifier> = (value, report) => {
  const chain = typeof value === "string" ? findChainIdentifier(value) : undefined;
  if (chain !== undefined) return chain;
  const id = retiredChainId(value);
  const names = [...CHAIN_IDENTIFIERS, ...Object.keys(CHAIN_ALIASES)];
  if (id !== undefined) {
    const known = chainIdentifierOf(id);
    report({
      code: "HDP-1117",
      message: `Chains are written by name, not by number: ${quote(value)} is a retired spelling.`,
      value,
      allowed: CHAIN_IDENTIFIERS,
      suggestion: known,
      hints: known === undefined ? [`Chains: ${names.join(", ")}.`] : [],
    });
  } else if (typeof value === "string") {
    report({
      code: "HDP-1109",
      message: `${quote(value)} is not a chain identifier.`,
      value,
      allowed: CHAIN_IDENTIFIERS,
      suggestion: nearest(value, names),
      hints: [`Chains: ${names.join(", ")}.`],
    });
  } else report(wrongType(value, 'a chain identifier, for instance "ETHEREUM_SEPOLIA"'));
  return undefined;
};

readChain.form = () => ({ enum: [...CHAIN_IDENTIFIERS, ...Object.keys(CHAIN_ALIASES)] });

function retiredChainId(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^(\d+|0x[0-9a-f]+)$/i.test(value) ? BigInt(value) : undefined;
}

/** Reads a felt from 0x-prefixed hex or a bigint; the result is lower case without leading zeros. */
export const readFelt: Reader<`0x${string}`> = (value, report) => {
  const felt = typeof value === "bigint" ? value : readText(value, report, "a felt: 0x-prefixed hex");
  if (felt === undefined) return undefined;
  const number = typeof felt === "bigint" || /^0x[0-9a-f]+$/i.test(felt) ? BigInt(felt) : undefined;
  if (number !== undefined && isFelt(number)) return formatFelt(number);
  report({
    code: "HDP-1118",
    message: `${quote(value)} is not a felt.`,
    value,
    hints: ["A felt is 0x-prefixed hex, smaller than 2^251 + 17 * 2^192 + 1."],
  });
  return undefined;
};
// Below 2^251 + 17 * 2^192 + 1, digit by digit.
readFelt.form = () => ({
  type: "string",
  pattern: "^0[xX]0*([0-9a-fA-F]{1,62}|[0-7][0-9a-fA-F]{62}|80{12}(0[0-9a-fA-F]|10)[0-9a-fA-F]{48}|80{12}110{48})$",
});
