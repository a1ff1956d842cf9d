import { isRecord, keysOf } from "../base/collections.js";
import type { Hex } from "viem";

import { formatFelt, isFelt } from "../base/felt.js";
import { nearest } from "../base/text.js";
import type { ChainIdentifier } from "./chains.js";
import { CHAIN_IDENTIFIERS, CHAIN_NAMES, findChainIdentifier, identifyChain } from "./chains.js";
import { nearestChain } from "./chain-names.js";
import { type JsonForm, type JsonObject, type Place, quote, type Reader } from "./reader.js";

/** Former keys of the request with their current spelling. */
const FORMER_KEYS = new Map([
  ["deliveryChainId", "destinationChainId"],
  ["sourceChainId", "chainId, inside the datalake"],
  ["datalakeType", "type, inside the datalake"],
  ["task_inputs", "inputs, inside a task"],
]);

/** Maximum number of unknown keys reported for one object: each costs a search for the nearest key. */
const MAX_UNKNOWN_KEYS = 100;

type Shape<T> = { readonly [K in keyof T]-?: Reader<T[K]> };

/** Reads an object with these keys. `check` reports errors across keys; its `read` lacks keys that failed. */
export function object<T extends object>(
  shape: Shape<T>,
  check?: (read: Partial<T>, place: Place, written: JsonObject) => void,
): Reader<T> {
  const keys = keysOf(shape);
  return {
    read: (value, place) => {
      if (!isRecord(value))
        return place.reportType(value, `an object with the keys ${keys.join(", ")}`);
      const read: Partial<T> = {};
      for (const key of keys) {
        const one = shape[key].read(value[key], place.at(key));
        if (one !== null) read[key] = one;
      }
      reportUnknownKeys(value, keys, place);
      check?.(read, place, value);
      return isWhole(read, shape) ? read : null;
    },
    form: () => ({
      type: "object",
      properties: Object.fromEntries(keys.map((key) => [key, shape[key].form()])),
      required: keys.filter((key) => shape[key].optional !== true),
      additionalProperties: false,
    }),
  };
}

function isWhole<T extends object>(read: Partial<T>, shape: Shape<T>): read is T {
  return keysOf(shape).every((key) => key in read);
}

/** Reports the keys of an object that are not among `keys`, each with the nearest one. Returns whether there are any. */
export function reportUnknownKeys(
  value: JsonObject,
  keys: readonly string[],
  place: Place,
): boolean {
  const known = new Set(keys);
  const unknown = Object.keys(value).filter((key) => !known.has(key));
  for (const key of unknown.slice(0, MAX_UNKNOWN_KEYS)) {
    const values = { key: quote(key), current: FORMER_KEYS.get(key), keys: keys.join(", ") };
    const details = { value: value[key], allowed: keys, suggestion: nearest(key, keys) };
    place.at(key).report("HDP-1102", values, details);
  }
  return unknown.length > 0;
}

/** Reads an array, each item with the same reader. `items` names them in errors. */
export function list<T>(
  item: Reader<T>,
  items: string,
  { least = 0 }: { readonly least?: 0 | 1 } = {},
): Reader<T[]> {
  return {
    read: (value, place) => {
      if (!Array.isArray(value)) return place.reportType(value, `an array of ${items}`);
      if (value.length < least) return place.report("HDP-1120", { items }, { value });
      const read = value.map((written: unknown, index) => item.read(written, place.at(index)));
      const known = read.filter((one) => one !== null);
      return known.length === read.length ? known : null;
    },
    form: () => ({
      type: "array",
      items: item.form(),
      ...(least === 0 ? {} : { minItems: least }),
    }),
  };
}

/** Reads an object by the reader of its `type`. */
export function variant<T>(variants: Readonly<Record<string, Reader<T>>>, what: string): Reader<T> {
  const type = word(Object.keys(variants), `the type of ${what}`);
  return {
    read: (value, place) => {
      if (!isRecord(value)) return place.reportType(value, `an object: ${what}`);
      const name = type.read(value["type"], place.at("type")) ?? "";
      return variants[name]?.read(value, place) ?? null;
    },
    form: () => ({ anyOf: Object.values(variants).map((one) => one.form()) }),
  };
}

/** Reads one of a few words, spelled exactly. `meant` maps other spellings to them. */
export function word<const T extends string>(
  words: readonly T[],
  what: string,
  {
    meant = {},
    inSolidity,
  }: { readonly meant?: Readonly<Record<string, T>>; readonly inSolidity?: string } = {},
): Reader<T> {
  return {
    read: (value, place) => {
      if (typeof value !== "string") {
        return place.reportType(value, `one of ${words.map((one) => `"${one}"`).join(", ")}`);
      }
      const known = words.find((one) => one === value);
      if (known !== undefined) return known;
      const suggestion = Object.hasOwn(meant, value) ? meant[value] : nearest(value, words);
      const values = { value: quote(value), what, words: words.join(", "), inSolidity };
      return place.report("HDP-1108", values, { value, allowed: words, suggestion });
    },
    form: () => ({ enum: words }),
  };
}

/** Reads as a reader does, and changes what was read. */
export function mapped<T, U>(reader: Reader<T>, change: (read: T) => U): Reader<U> {
  return {
    ...reader,
    read: (value, place) => {
      const read = reader.read(value, place);
      return read === null ? null : change(read);
    },
  };
}

/** Returns the reader for a key that may be left out; `missing` is its value then. */
export function optional<T, U>(reader: Reader<T>, missing: U): Reader<T | U> {
  return {
    ...reader,
    read: (value, place) => (value === undefined ? missing : reader.read(value, place)),
    optional: true,
  };
}

/** Adds a description to a reader's JSON Schema. */
export function described<T>(description: string, reader: Reader<T>): Reader<T> {
  return { ...reader, form: () => ({ description, ...reader.form() }) };
}

/** Returns the reader with further rules in its JSON Schema. */
export function alsoForm<T>(form: () => JsonForm, reader: Reader<T>): Reader<T> {
  return { ...reader, form: () => ({ ...reader.form(), allOf: [form()] }) };
}

/** Greatest uint64. */
export const MAX_UINT64 = 2n ** 64n - 1n;
/** Greatest uint256. */
export const MAX_UINT256 = 2n ** 256n - 1n;

/** Limits that are printed as powers. */
const NAMED_LIMITS = new Map([
  [MAX_UINT64, "2^64 - 1"],
  [MAX_UINT256, "2^256 - 1"],
]);

/** Longer text cannot be a 256-bit integer (0b text has 258 characters), and its conversion is slow. */
const MAX_INTEGER_LENGTH = 300;
const INTEGER_TEXT = /^-?(\d+|0x[0-9a-f]+|0o[0-7]+|0b[01]+)$/i;

/** Reads an integer from a JSON number, a bigint, or decimal, 0x, 0o or 0b text; never through an inexact number. */
export function integer({
  max,
  min = 0n,
}: {
  readonly max: bigint;
  readonly min?: bigint;
}): Reader<bigint> {
  return {
    read: (value, place) => {
      if (typeof value !== "bigint" && typeof value !== "number" && typeof value !== "string") {
        return place.reportType(value, "an integer");
      }
      const read = toInteger(value);
      if (read === undefined) {
        const exactly = Number.isInteger(value) ? " that a JSON number holds exactly" : undefined;
        const suggestion = typeof value === "string" ? withoutUnit(value) : undefined;
        return place.report("HDP-1112", { value: quote(value), exactly }, { value, suggestion });
      }
      if (read >= min && read <= max) return read;
      const values = { value: read, min, max: NAMED_LIMITS.get(max) ?? max };
      return place.report("HDP-1113", values, { value, allowed: [min.toString(), max.toString()] });
    },
    form: () => ({
      type: ["integer", "string"],
      minimum: Number(min),
      maximum: Number(max),
      pattern: `^${min === 0n ? "" : "(?!0[xXoObB]?0*$)"}(\\d+|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$`,
    }),
  };
}

const DECIMALS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18, eth: 18 };

/** Returns an amount with a unit in wei, as text: "50 gwei", "1.5 ether"; undefined for another text. */
function withoutUnit(text: string): string | undefined {
  const [, whole = "", fraction = "", unit = ""] =
    /^\s*(\d{1,60})(?:\.(\d{1,18}))?\s*(wei|gwei|ether|eth)\s*$/i.exec(text) ?? [];
  const decimals = DECIMALS[unit.toLowerCase()];
  if (decimals === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, "0")).toString();
}

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value === "bigint") return value;
  if (typeof value !== "string" || value.length > MAX_INTEGER_LENGTH || !INTEGER_TEXT.test(value))
    return undefined;
  return value.startsWith("-") ? -BigInt(value.slice(1)) : BigInt(value);
}

/** Reads a chain identifier or an alias. For a numeric id it suggests the name. */
export const chain: Reader<ChainIdentifier> = {
  read: (value, place) => {
    const known = typeof value === "string" ? findChainIdentifier(value) : undefined;
    if (known !== undefined) return known;
    const id = toInteger(value);
    if (id === undefined && typeof value !== "string") {
      return place.reportType(value, 'a chain identifier, for instance "ETHEREUM_SEPOLIA"');
    }
    const values = {
      value: quote(value),
      what: "a chain identifier",
      words: CHAIN_NAMES.join(", "),
      inSolidity: undefined,
    };
    const suggestion = id === undefined ? nearestChain(String(value)) : identifyChain(id);
    return place.report("HDP-1108", values, { value, allowed: CHAIN_IDENTIFIERS, suggestion });
  },
  form: () => ({ enum: CHAIN_NAMES }),
};

/** Reads a felt from 0x-prefixed hex or a bigint; the result is lower case without leading zeros. */
export const felt: Reader<Hex> = {
  read: (value, place) => {
    if (typeof value !== "bigint" && typeof value !== "string") {
      return place.reportType(value, "a felt: 0x-prefixed hex");
    }
    const read = toFelt(value);
    return read === undefined
      ? place.report("HDP-1118", { value: quote(value) }, { value })
      : formatFelt(read);
  },
  // Below 2^251 + 17 * 2^192 + 1, digit by digit.
  form: () => ({
    type: "string",
    pattern:
      "^0[xX]0*([0-9a-fA-F]{1,62}|[0-7][0-9a-fA-F]{62}|80{12}(0[0-9a-fA-F]|10)[0-9a-fA-F]{48}|80{12}110{48})$",
  }),
};

/** Returns the felt of a bigint or of 0x-prefixed hex; undefined for everything else. */
export function toFelt(value: unknown): bigint | undefined {
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return toFelt(BigInt(value));
  return isFelt(value) ? value : undefined;
}

/** Reads true or false. */
export const boolean: Reader<boolean> = {
  read: (value, place) =>
    typeof value === "boolean" ? value : place.reportType(value, "true or false"),
  form: () => ({ type: "boolean" }),
};
