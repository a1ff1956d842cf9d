import { isRecord } from "../../base/collections.js";
import { FELT_PRIME } from "../../base/felt.js";
import type { CairoValue } from "../../request/lifecycle.js";
import type { Place } from "../../request/reader.js";
import { reportUnknownKeys, word } from "../../request/value-readers.js";
import type { Abi, AbiParameter } from "./abi.js";
import {
  BOOL,
  BYTE_ARRAY,
  type CairoType,
  type FindType,
  integer,
  limbs,
  type Part,
  partOf,
  shortName,
  undecodable,
  UNIT,
} from "./cairo-type.js";

/** The felts of all parts; null where a part has errors. */
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
      return felts?.every((felt) => felt === 0n) === true ? place.reportType(value, "a number other than 0") : felts;
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
    size: once((depth) => {
      const size = length === undefined ? undefined : element.size(depth + 1);
      return size === undefined || length === undefined ? undefined : length * size;
    }),
    encode: (value, place, depth) => {
      if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
        return place.reportType(value, `${length === undefined ? "a list" : `a list of ${length}`} (${name})`);
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

/** Returns the size of parts together, computed once: nested structs are asked for as often as there are ways to them. */
function sizeOfAll(parts: () => readonly Part[]): Part["size"] {
  return once((depth) => {
    let total = 0;
    for (const part of parts()) {
      const size = part.size(depth + 1);
      if (size === undefined) return undefined;
      total += size;
    }
    return total;
  });
}

/** Returns a size computed once; undefined for a type that contains itself. */
function once(sizeAt: Part["size"]): Part["size"] {
  let known: { readonly size: number | undefined } | undefined;
  return (depth) => {
    if (known === undefined) {
      known = { size: undefined };
      known = { size: sizeAt(depth) };
    }
    return known.size;
  };
}

export function tuple(name: string, elements: readonly Part[]): CairoType {
  return {
    name,
    size: sizeOfAll(() => elements),
    encode: (value, place, depth) => {
      if (!Array.isArray(value) || value.length !== elements.length) {
        return place.reportType(value, `a list of ${elements.length} (${name})`);
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

function hasOptionName(members: readonly AbiParameter[]): boolean {
  return members.some(({ name }) => name === "Some" || name === "None");
}

export function struct(name: string, members: readonly AbiParameter[], find: FindType): CairoType {
  return {
    name,
    isLikeOption: hasOptionName(members),
    size: sizeOfAll(() => members.map(({ type }) => partOf(find, type))),
    encode: (value, place, depth) => {
      const parts = encodeMembers(value, members, find, place, depth + 1);
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

/** The felts of each of the named values, in the order of the ABI; null after reporting unknown names. */
export function encodeMembers(
  value: unknown,
  members: readonly AbiParameter[],
  find: FindType,
  place: Place,
  depth: number,
): (readonly bigint[] | null)[] | null {
  const names = members.map(({ name }) => name);
  if (!isRecord(value)) return place.reportType(value, `an object with the keys ${names.join(", ")}`);
  const hasUnknown = reportUnknownKeys(value, names, place);
  const parts = members.map(({ name, type }) =>
    Object.hasOwn(value, name)
      ? partOf(find, type).encode(value[name], place.at(name), depth)
      : place.at(name).report("HDP-1101", { expected: `a ${shortName(type)}` }),
  );
  return hasUnknown ? null : parts;
}

export function enumeration(name: string, variants: readonly AbiParameter[], find: FindType): CairoType {
  const names = variants.map((variant) => variant.name);
  const variantName = word(names, `a variant of ${name}`);
  const isUnit = ({ type }: AbiParameter): boolean => find(type) === UNIT;
  return {
    name,
    isLikeOption: hasOptionName(variants),
    size: () => undefined,
    encode: (value, place, depth) => {
      const [only, ...others] = isRecord(value) ? Object.keys(value) : [];
      const chosen = typeof value === "string" ? value : others.length === 0 ? only : undefined;
      if (chosen === undefined) {
        const form = `{ "Variant": value }, or "Variant" where it holds nothing, of ${names.join(", ")}`;
        return place.reportType(value, form);
      }
      const known = variantName.read(chosen, place);
      const variant = variants.find((one) => one.name === known);
      if (variant === undefined) return null;
      if (typeof value === "string" && !isUnit(variant)) {
        return place.reportType(value, `{ "${chosen}": ${shortName(variant.type)} }`);
      }
      const content = isRecord(value) ? value[chosen] : null;
      const felts = partOf(find, variant.type).encode(content, place.at(chosen), depth + 1);
      return felts === null ? null : [BigInt(variants.indexOf(variant)), ...felts];
    },
    decode: (felts, path, depth) => {
      const variant = variants[Number(felts.integer(path, name, 0n, BigInt(variants.length - 1)))];
      if (variant === undefined) throw undecodable(path, "the enum has no variants");
      if (isUnit(variant)) return variant.name;
      return { [variant.name]: partOf(find, variant.type).decode(felts, `${path}.${variant.name}`, depth + 1) };
    },
  };
}

function unsigned(name: string, bits: number, isHex = false): CairoType {
  return integer(name, { max: 2n ** BigInt(bits) - 1n, isHex });
}

function signed(bits: number): CairoType {
  const half = 2n ** BigInt(bits - 1);
  return integer(`i${bits}`, { min: -half, max: half - 1n });
}

/** Types of the core library that need no entry in the ABI, by full name. */
const CORE_TYPES: ReadonlyMap<string, CairoType> = new Map<string, CairoType>([
  ["core::felt252", integer("felt252", { max: FELT_PRIME - 1n, takesText: true })],
  ["core::bool", BOOL],
  ["core::bytes_31::bytes31", integer("bytes31", { max: 2n ** 248n - 1n, isHex: true, takesText: true })],
  ["core::byte_array::ByteArray", BYTE_ARRAY],
  ["()", UNIT],
  ...[8, 16, 32, 64, 128].flatMap((bits): [string, CairoType][] => [
    [`core::integer::u${bits}`, unsigned(`u${bits}`, bits)],
    [`core::integer::i${bits}`, signed(bits)],
  ]),
  ["core::integer::u256", limbs("u256", 2)],
  ["core::integer::u512", limbs("u512", 4)],
  ["core::starknet::contract_address::ContractAddress", unsigned("ContractAddress", 251, true)],
  ["core::starknet::class_hash::ClassHash", unsigned("ClassHash", 251, true)],
  ["core::starknet::storage_access::StorageAddress", unsigned("StorageAddress", 251, true)],
  ["core::starknet::eth_address::EthAddress", unsigned("EthAddress", 160, true)],
]);

/** Makes a generic type of the core library from its short name and its parameters. */
type Generic = (name: string, parameters: readonly string[], find: FindType) => CairoType | undefined;

const arrayOf: Generic = (name, [element = ""], find) => listOf(name, element, undefined, find);

const GENERICS: ReadonlyMap<string, Generic> = new Map<string, Generic>([
  ["core::array::Array", arrayOf],
  ["core::array::Span", arrayOf],
  ["core::option::Option", (name, [inner = ""], find) => option(name, inner, find)],
  ["core::zeroable::NonZero", (name, [inner = ""], find) => nonZero(name, partOf(find, inner))],
  ["core::box::Box", (_, [inner = ""], find) => find(inner)],
  [
    "core::result::Result",
    (name, [ok = "", err], find) => {
      if (err === undefined) return undefined;
      const variants = [
        { name: "Ok", type: ok },
        { name: "Err", type: err },
      ];
      return enumeration(name, variants, find);
    },
  ],
  [
    "core::internal::bounded_int::BoundedInt",
    (name, limits) => {
      const [min, max] = limits.map((limit) => (/^-?\d{1,80}$/.test(limit) ? BigInt(limit) : undefined));
      return min === undefined || max === undefined ? undefined : integer(name, { min, max });
    },
  ],
]);

/** A list; undefined for one of `()`, whose length its felts would not show. */
function listOf(name: string, element: string, length: number | undefined, find: FindType): CairoType | undefined {
  return find(element) === UNIT ? undefined : list(name, partOf(find, element), length);
}

const MAX_FIXED_LENGTH = 100_000;

/** Returns a function that finds the types of an ABI, and those of the core library, by full Cairo name. */
export function typesOf(abi: Abi): FindType {
  const declared = new Map<string, CairoType>();
  // ABIs also declare types of the core library that they use, like u256 and Option: those known here come first.
  const known = new Map<string, CairoType | undefined>(CORE_TYPES);
  const find: FindType = (typeName) => {
    const name = typeName.trim().replace(/^@+/, "");
    if (!known.has(name)) known.set(name, generic(name, find) ?? declared.get(name) ?? listOrTuple(name, find));
    return known.get(name);
  };
  for (const entry of abi) {
    if (entry.type === "struct") declared.set(entry.name, struct(shortName(entry.name), entry.members, find));
    else if (entry.type === "enum") declared.set(entry.name, enumeration(shortName(entry.name), entry.variants, find));
  }
  return find;
}

function generic(name: string, find: FindType): CairoType | undefined {
  const [, base = "", parameters = ""] = /^([A-Za-z0-9_:]+?)::<(.*)>$/s.exec(name) ?? [];
  const parts = splitTypes(parameters);
  return parts.length === 0 ? undefined : GENERICS.get(base)?.(shortName(name), parts, find);
}

function listOrTuple(name: string, find: FindType): CairoType | undefined {
  const short = shortName(name);
  const [, element, length = ""] = /^\[(.*);\s*(\d{1,7})\]$/s.exec(name) ?? [];
  if (element !== undefined) {
    return Number(length) > MAX_FIXED_LENGTH ? undefined : listOf(short, element, Number(length), find);
  }
  if (!name.startsWith("(") || !name.endsWith(")")) return undefined;
  const elements = splitTypes(name.slice(1, -1));
  return tuple(
    short,
    elements.map((part) => partOf(find, part)),
  );
}

/** Splits at the commas that are not inside of brackets. A last comma, as in `(felt252,)`, starts no part. */
function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if ("<([".includes(character)) depth += 1;
    else if (">)]".includes(character)) depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== "");
}
