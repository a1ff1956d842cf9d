import { isRecord } from "../../base/collections.js";
import { FELT_PRIME, SHORT_STRING_LENGTH, shortStringFelt } from "../../base/felt.js";
import { nearest } from "../../base/text.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { CairoValue } from "../../request/lifecycle.js";
import type { Place } from "../../request/reader.js";
import type { AbiParameter } from "./abi.js";
import { type FeltReader, undecodable } from "./felt-reader.js";

/** Deepest nesting of values that is read. */
const MAX_DEPTH = 100;

/** Named in one object, since each costs a search for the name that was meant. */
const MAX_UNKNOWN_NAMES = 100;

/** How values of one Cairo type are encoded as felts, by Cairo's `Serde`, and decoded. */
export interface CairoType {
  /** Short name, for messages. */
  readonly name: string;
  /** Whether its bare value could be taken for the None of an `Option` around it, or for the Some. */
  readonly isLikeOption?: boolean;
  /** Returns the felts of a value, or null after reporting every mistake in it. */
  readonly encode: (value: unknown, place: Place, depth: number) => readonly bigint[] | null;
  /** Takes a value off the front of the felts. */
  readonly decode: (felts: FeltReader, path: string, depth: number) => CairoValue;
  /** Returns how many felts every value has, where all have the same number. */
  readonly size: (depth: number) => number | undefined;
}

/** Returns the type of a full Cairo name, or undefined where it has no encoding. */
export type FindType = (name: string) => CairoType | undefined;

/** A type that is looked up when it is used: types may contain themselves. */
export type Part = Omit<CairoType, "name" | "isLikeOption">;

/** The type of a full Cairo name as a part of another, or as that of an argument. */
export function partOf(find: FindType, name: string): Part {
  const required = (): CairoType => {
    const type = find(name);
    if (type === undefined) throw hdpError("HDP-7009", { type: name.slice(0, 200) });
    return type;
  };
  return {
    encode: (value, place, depth) => {
      const type = find(name);
      if (type === undefined) return place.report("HDP-7009", { type: name.slice(0, 200) });
      if (depth <= MAX_DEPTH) return type.encode(value, place, depth);
      return place.report("HDP-7012", {
        value: `a value nested deeper than ${MAX_DEPTH} levels`,
        type: type.name,
        allowed: `at most ${MAX_DEPTH} levels: pass deep structures as flat lists`,
      });
    },
    decode: (felts, path, depth) => {
      if (depth > MAX_DEPTH) throw undecodable(path, `the value is nested deeper than ${MAX_DEPTH} levels`);
      felts.countValue(path);
      return required().decode(felts, path, depth);
    },
    size: (depth) => (depth > MAX_DEPTH ? undefined : required().size(depth)),
  };
}

function wrongForm(place: Place, value: unknown, type: string, allowed: string): null {
  return place.report("HDP-7012", { value: described(value), type, allowed });
}

/** A value as it is quoted in messages. */
export function described(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (value === undefined) return "no value";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** A text longer than this is not a number that any type holds. */
const MAX_DIGITS = 200;

function toInteger(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > MAX_DIGITS) return undefined;
  if (/^(\d+|0[xX][0-9a-fA-F]+)$/.test(value)) return BigInt(value);
  return /^-\d+$/.test(value) ? -BigInt(value.slice(1)) : undefined;
}

/** Reads an integer from `min` to `max`. */
function readInteger(value: unknown, place: Place, type: string, min: bigint, max: bigint): bigint | null {
  const read = toInteger(value);
  if (read === undefined) {
    return wrongForm(place, value, type, "an integer as text (decimal or 0x hex), a bigint, or a safe integer");
  }
  return read >= min && read <= max ? read : place.report("HDP-7013", { value: read, type, min, max });
}

/** Reads text in single quotes as Cairo writes short strings: `'SN_MAIN'`. */
function readShortString(value: string, place: Place, type: string): bigint | null {
  const text = value.slice(1, -1);
  if (value.length >= 2 && value.endsWith("'") && text.length <= SHORT_STRING_LENGTH && /^[\x20-\x7e]*$/.test(text)) {
    return shortStringFelt(text);
  }
  const allowed = `a short string: at most ${SHORT_STRING_LENGTH} printable ASCII characters between single quotes`;
  return wrongForm(place, value, type, allowed);
}

interface IntegerForm {
  readonly min?: bigint;
  readonly max: bigint;
  /** Whether values are decoded as hexadecimal text, as people write addresses. */
  readonly isHex?: boolean;
  /** Whether short strings are taken. */
  readonly takesText?: boolean;
}

/** An integer in one felt; integers below 0 are counted from the prime downwards. */
export function integer(name: string, { min = 0n, max, isHex, takesText }: IntegerForm): CairoType {
  return {
    name,
    size: () => 1,
    encode: (value, place) => {
      const isText = takesText === true && typeof value === "string" && value.startsWith("'");
      const read = isText ? readShortString(value, place, name) : readInteger(value, place, name, min, max);
      return read === null ? null : [read < 0n ? FELT_PRIME + read : read];
    },
    decode: (felts, path) => {
      const value = felts.integer(path, name, min, max);
      return isHex === true ? `0x${value.toString(16)}` : value;
    },
  };
}

const LIMB_BITS = 128;

/** An unsigned integer in limbs of 128 bits, the lowest first. */
export function limbs(name: string, count: number): CairoType {
  return {
    name,
    size: () => count,
    encode: (value, place) => {
      const read = readInteger(value, place, name, 0n, 2n ** BigInt(LIMB_BITS * count) - 1n);
      if (read === null) return null;
      return Array.from({ length: count }, (_, limb) => BigInt.asUintN(LIMB_BITS, read >> BigInt(LIMB_BITS * limb)));
    },
    decode: (felts, path) => {
      let value = 0n;
      for (let limb = 0; limb < count; limb += 1) {
        value += felts.integer(path, "a 128-bit limb", 0n, 2n ** 128n - 1n) << BigInt(LIMB_BITS * limb);
      }
      return value;
    },
  };
}

export const BOOL: CairoType = {
  name: "bool",
  size: () => 1,
  encode: (value, place) =>
    typeof value === "boolean" ? [value ? 1n : 0n] : wrongForm(place, value, "bool", "true or false"),
  decode: (felts, path) => felts.integer(path, "bool", 0n, 1n) === 1n,
};

/** The type `()`, whose only value has no felts. */
export const UNIT: CairoType = {
  name: "()",
  isLikeOption: true,
  size: () => 0,
  encode: (value, place) =>
    value === null || value === undefined ? [] : wrongForm(place, value, "value of the empty type ()", "null"),
  decode: () => null,
};

const WORD_BYTES = 31;

function readBytes(value: unknown): Buffer | undefined {
  if (typeof value === "string") return Buffer.from(value, "utf8");
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
  const { bytes } = value;
  const isHex = typeof bytes === "string" && /^0x(?:[0-9a-fA-F]{2})*$/.test(bytes);
  return isHex ? Buffer.from(bytes.slice(2), "hex") : undefined;
}

function bytesToInteger(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString("hex")}`);
}

/** The word as so many bytes in hexadecimal, or undefined where it has more. */
function toBytesHex(word: bigint, length: number): string | undefined {
  const hex = word === 0n ? "" : word.toString(16);
  return hex.length > length * 2 ? undefined : hex.padStart(length * 2, "0");
}

/** Text, or bytes where they are not text that would be encoded the same again. */
export const BYTE_ARRAY: CairoType = {
  name: "ByteArray",
  size: () => undefined,
  encode: (value, place) => {
    const bytes = readBytes(value);
    if (bytes === undefined) return wrongForm(place, value, "ByteArray", 'text, or bytes as { "bytes": "0x…" }');
    const count = Math.floor(bytes.length / WORD_BYTES);
    const words = Array.from({ length: count }, (_, at) =>
      bytesToInteger(bytes.subarray(at * WORD_BYTES, (at + 1) * WORD_BYTES)),
    );
    const rest = bytes.subarray(count * WORD_BYTES);
    return [BigInt(count), ...words, bytesToInteger(rest), BigInt(rest.length)];
  },
  decode: (felts, path) => {
    const words = Array.from({ length: felts.length(path) }, () => toBytesHex(felts.next(path), WORD_BYTES));
    const rest = felts.next(path);
    const restLength = Number(felts.integer(path, "the length of a pending word", 0n, BigInt(WORD_BYTES - 1)));
    const parts = [...words, toBytesHex(rest, restLength)];
    if (parts.includes(undefined)) throw undecodable(path, "a word of the ByteArray has more bytes than it may have");
    const bytes = Buffer.from(parts.join(""), "hex");
    const text = bytes.toString("utf8");
    // Control characters other than line ends and tabs would disturb a terminal.
    // eslint-disable-next-line no-control-regex
    const isPrintable = !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text);
    return isPrintable && Buffer.from(text, "utf8").equals(bytes) ? text : { bytes: `0x${parts.join("")}` };
  },
};

/** The felts of all parts; null where a part has mistakes. */
function joined(parts: readonly (readonly bigint[] | null)[]): bigint[] | null {
  const felts = parts.filter((part) => part !== null);
  return felts.length === parts.length ? felts.flat() : null;
}

export function nonZero(name: string, inner: Part): CairoType {
  return {
    name,
    size: inner.size,
    encode: (value, place, depth) => {
      const felts = inner.encode(value, place, depth + 1);
      return felts?.every((felt) => felt === 0n) === true ? wrongForm(place, 0, name, "any other than 0") : felts;
    },
    decode: (felts, path, depth) => {
      const value = inner.decode(felts, path, depth + 1);
      if (value === 0n) throw undecodable(path, "0 is not a NonZero value");
      return value;
    },
  };
}

/** An array with its length in front of its items or, where `length` is given, always so many items. */
export function list(name: string, element: Part, length?: number): CairoType {
  return {
    name,
    size: (depth) => times(length, element.size(depth + 1)),
    encode: (value, place, depth) => {
      if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
        return wrongForm(place, value, name, length === undefined ? "a list" : `a list of ${length}`);
      }
      const items = joined(value.map((item: unknown, at) => element.encode(item, place.at(at), depth + 1)));
      return items === null || length !== undefined ? items : [BigInt(value.length), ...items];
    },
    decode: (felts, path, depth) => {
      const values: CairoValue[] = [];
      const count = length ?? felts.length(path);
      for (let at = 0; at < count; at += 1) values.push(element.decode(felts, `${path}[${at}]`, depth + 1));
      return values;
    },
  };
}

function times(count: number | undefined, size: number | undefined): number | undefined {
  return count === undefined || size === undefined ? undefined : count * size;
}

function sum(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (total, size) => (total === undefined || size === undefined ? undefined : total + size),
    0,
  );
}

export function tuple(name: string, elements: readonly Part[]): CairoType {
  return {
    name,
    size: (depth) => sum(elements.map((element) => element.size(depth + 1))),
    encode: (value, place, depth) => {
      if (!Array.isArray(value) || value.length !== elements.length) {
        return wrongForm(place, value, name, `a list of ${elements.length}`);
      }
      return joined(elements.map((element, at) => element.encode(value[at], place.at(at), depth + 1)));
    },
    decode: (felts, path, depth) => elements.map((element, at) => element.decode(felts, `${path}[${at}]`, depth + 1)),
  };
}

/** An `Option`: null for None; Some with or without its name, which is needed where the value could be taken for None. */
export function option(name: string, inner: string, find: FindType): CairoType {
  const part = partOf(find, inner);
  return {
    name,
    isLikeOption: true,
    size: () => undefined,
    encode: (value, place, depth) => {
      if (value === null || value === undefined) return [1n];
      const [only, ...others] = isRecord(value) ? Object.entries(value) : [];
      const isNamed = only !== undefined && others.length === 0;
      if (isNamed && only[0] === "None" && only[1] === null) return [1n];
      const felts =
        isNamed && only[0] === "Some"
          ? part.encode(only[1], place.at("Some"), depth + 1)
          : part.encode(value, place, depth + 1);
      return felts === null ? null : [0n, ...felts];
    },
    decode: (felts, path, depth) => {
      if (felts.integer(path, "Option", 0n, 1n) === 1n) return null;
      const value = part.decode(felts, path, depth + 1);
      return find(inner)?.isLikeOption === true ? { Some: value } : value;
    },
  };
}

/** Names that a struct or an enum shares with `Option`. */
function hasOptionName(members: readonly AbiParameter[]): boolean {
  return members.some(({ name }) => name === "Some" || name === "None");
}

export function struct(name: string, members: readonly AbiParameter[], find: FindType): CairoType {
  return {
    name,
    isLikeOption: hasOptionName(members),
    size: (depth) => sum(members.map(({ type }) => partOf(find, type).size(depth + 1))),
    encode: (value, place, depth) => {
      const parts = encodeMembers(value, { name, what: "member", members }, find, place, depth + 1);
      return parts === null ? null : joined(parts);
    },
    decode: (felts, path, depth) =>
      Object.fromEntries(
        members.map((member) => [
          member.name,
          partOf(find, member.type).decode(felts, `${path}.${member.name}`, depth + 1),
        ]),
      ),
  };
}

interface Members {
  readonly name: string;
  readonly what: "argument" | "member";
  readonly members: readonly AbiParameter[];
}

/** The felts of each of the named values, in the order of the ABI; null where names are unknown or missing. */
export function encodeMembers(
  value: unknown,
  { name: type, what, members }: Members,
  find: FindType,
  place: Place,
  depth: number,
): (readonly bigint[] | null)[] | null {
  const names = members.map(({ name }) => name);
  if (!isRecord(value)) return wrongForm(place, value, type, `an object with ${names.join(", ")}`);
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  for (const name of unknown.slice(0, MAX_UNKNOWN_NAMES)) reportUnknownName(place.at(name), name, what, names);
  const parts = members.map((member) => {
    if (Object.hasOwn(value, member.name)) {
      return partOf(find, member.type).encode(value[member.name], place.at(member.name), depth);
    }
    return place.report("HDP-7011", { what, name: member.name, type: shortName(member.type) });
  });
  return unknown.length > 0 ? null : parts;
}

/** Reports a name that the ABI does not have. */
export function reportUnknownName(place: Place, name: string, what: string, known: readonly string[]): null {
  const suggestion = nearest(name, known);
  const allowed = known.length === 0 ? "none" : known.join(", ");
  const article = what === "argument" ? "an" : "a";
  return place.report("HDP-7010", { name: name.slice(0, 100), what: `${article} ${what}`, allowed }, { suggestion });
}

export function enumeration(name: string, variants: readonly AbiParameter[], find: FindType): CairoType {
  const names = variants.map((variant) => variant.name);
  const isUnit = ({ type }: AbiParameter): boolean => find(type) === UNIT;
  return {
    name,
    isLikeOption: hasOptionName(variants),
    size: () => undefined,
    encode: (value, place, depth) => {
      const [only, ...others] = isRecord(value) ? Object.keys(value) : [];
      const chosen = typeof value === "string" ? value : others.length === 0 ? only : undefined;
      if (chosen === undefined) {
        const forms = `{ "Variant": value }, or "Variant" where it holds nothing, of ${names.join(", ")}`;
        return wrongForm(place, value, name, forms);
      }
      const index = names.indexOf(chosen);
      const variant = variants[index];
      if (variant === undefined) return reportUnknownName(place, chosen, "variant", names);
      if (typeof value === "string" && !isUnit(variant)) {
        return wrongForm(place, value, name, `{ "${chosen}": ${shortName(variant.type)} }`);
      }
      const content = isRecord(value) ? value[chosen] : null;
      const felts = partOf(find, variant.type).encode(content, place.at(chosen), depth + 1);
      return felts === null ? null : [BigInt(index), ...felts];
    },
    decode: (felts, path, depth) => {
      const variant = variants[Number(felts.integer(path, name, 0n, BigInt(variants.length - 1)))];
      if (variant === undefined) throw undecodable(path, "the enum has no variants");
      if (isUnit(variant)) return variant.name;
      return { [variant.name]: partOf(find, variant.type).decode(felts, `${path}.${variant.name}`, depth + 1) };
    },
  };
}

/** Last part of a full Cairo name without generic arguments: `hdp_cairo::HDP` to `HDP`. */
export function shortName(typeName: string): string {
  return typeName.replace(/[A-Za-z0-9_]+::(?=[A-Za-z0-9_])/g, "").replaceAll("::<", "<");
}
