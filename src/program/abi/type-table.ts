import { grouped } from "../../base/text.js";
import { isRecord } from "../../base/collections.js";
import { FELT_PRIME } from "../../base/felt.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { Place } from "../../request/reader.js";
import { reportUnknownKeys, word } from "../../request/value-readers.js";
import type { Abi, AbiParameter } from "./abi.js";
import {
  BOOL,
  BYTE_ARRAY,
  type CairoType,
  integerType,
  limbsType,
  MAX_VALUES,
  shortName,
  undecodable,
  UNIT,
} from "./cairo-type.js";

/** Returns the type of a full Cairo name; one without an encoding reports that when it is used. */
type FindType = (name: string) => CairoType;

function joined(parts: readonly (readonly bigint[] | null)[] | null): bigint[] | null {
  const felts = parts?.filter((part) => part !== null) ?? [];
  return felts.length === parts?.length ? felts.flat() : null;
}

function nonZero(name: string, inner: CairoType): CairoType {
  return {
    name,
    encode: (value, place) => {
      const felts = inner.encode(value, place);
      return felts?.every((felt) => felt === 0n) === true
        ? place.reportType(value, "a number other than 0")
        : felts;
    },
    decode: (felts, path) => {
      const value = inner.decode(felts, path);
      if (value === 0n) throw undecodable(path, "0 is not a NonZero value");
      return value;
    },
  };
}

function list(name: string, element: CairoType): CairoType {
  return {
    name,
    encode: (value, place) => {
      if (!Array.isArray(value)) return place.reportType(value, `a list (${name})`);
      const items = joined(value.map((item: unknown, at) => element.encode(item, place.at(at))));
      return items === null ? null : [BigInt(value.length), ...items];
    },
    decode: (felts, path) =>
      Array.from({ length: felts.length(path) }, (_, at) =>
        element.decode(felts, `${path}[${at}]`),
      ),
  };
}

function tuple(name: string, elements: readonly CairoType[]): CairoType {
  return {
    name,
    encode: (value, place) => {
      if (!Array.isArray(value) || value.length !== elements.length) {
        return place.reportType(value, `a list of ${elements.length} (${name})`);
      }
      return joined(elements.map((element, at) => element.encode(value[at], place.at(at))));
    },
    decode: (felts, path) => elements.map((element, at) => element.decode(felts, `${path}[${at}]`)),
  };
}

/**
 * Returns the type of an `Option`: null for None; Some with or without its name, which is needed where the value could be
 * taken for None.
 */
function option(name: string, inner: CairoType): CairoType {
  return {
    name,
    isLikeOption: true,
    encode: (value, place) => {
      if (value === null || value === undefined) return [1n];
      const [only, ...others] = isRecord(value) ? Object.entries(value) : [];
      const isNamed = only !== undefined && others.length === 0;
      if (isNamed && only[0] === "None" && only[1] === null) return [1n];
      const felts =
        isNamed && only[0] === "Some"
          ? inner.encode(only[1], place.at("Some"))
          : inner.encode(value, place);
      return felts === null ? null : [0n, ...felts];
    },
    decode: (felts, path) => {
      if (felts.choice(path, "Option", 1n) === 1n) return null;
      const value = inner.decode(felts, path);
      return inner.isLikeOption === true ? { Some: value } : value;
    },
  };
}

function hasOptionName(members: readonly AbiParameter[]): boolean {
  return members.some(({ name }) => name === "Some" || name === "None");
}

function struct(name: string, members: readonly AbiParameter[], find: FindType): CairoType {
  return {
    name,
    isLikeOption: hasOptionName(members),
    encode: (value, place) => joined(encodeMembers(value, members, find, place)),
    decode: (felts, path) =>
      Object.fromEntries(
        members.map(({ name, type }) => [name, find(type).decode(felts, `${path}.${name}`)]),
      ),
  };
}

/** Returns the felts of each of the named values, in the order of the ABI; null after reporting unknown names. */
export function encodeMembers(
  value: unknown,
  members: readonly AbiParameter[],
  find: FindType,
  place: Place,
): (readonly bigint[] | null)[] | null {
  const names = members.map(({ name }) => name);
  if (!isRecord(value))
    return place.reportType(value, `an object with the keys ${names.join(", ")}`);
  const hasUnknown = reportUnknownKeys(value, names, place);
  const parts = members.map(({ name, type }) =>
    Object.hasOwn(value, name)
      ? find(type).encode(value[name], place.at(name))
      : place.at(name).report("HDP-1101", { expected: `a ${shortName(type)}` }),
  );
  return hasUnknown ? null : parts;
}

/** Returns the type of an enum: the index of a variant, then the felts of its content. */
function enumeration(name: string, variants: readonly AbiParameter[], find: FindType): CairoType {
  const names = variants.map((variant) => variant.name);
  const variantName = word(names, `a variant of ${name}`);
  return {
    name,
    isLikeOption: hasOptionName(variants),
    encode: (value, place) => {
      const chosen = chosenVariant(value);
      if (chosen === undefined) {
        const form = `{ "Variant": value }, or "Variant" where it holds nothing, of ${names.join(", ")}`;
        return place.reportType(value, form);
      }
      const known = variantName.read(chosen, place);
      const variant = variants.find((one) => one.name === known);
      if (variant === undefined) return null;
      if (typeof value === "string" && !isUnit(variant.type, find)) {
        return place.reportType(value, `{ "${chosen}": ${shortName(variant.type)} }`);
      }
      const content = isRecord(value) ? value[chosen] : null;
      const felts = find(variant.type).encode(content, place.at(chosen));
      return felts === null ? null : [BigInt(variants.indexOf(variant)), ...felts];
    },
    decode: (felts, path) => {
      const variant = variants[Number(felts.choice(path, name, BigInt(variants.length - 1)))];
      if (variant === undefined) throw undecodable(path, "the enum has no variants");
      return isUnit(variant.type, find)
        ? variant.name
        : { [variant.name]: find(variant.type).decode(felts, `${path}.${variant.name}`) };
    },
  };
}

/** Returns the name of the variant that a value chooses: a text, or the only key of an object. */
function chosenVariant(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const [only, ...others] = isRecord(value) ? Object.keys(value) : [];
  return others.length === 0 ? only : undefined;
}

function unsigned(name: string, bits: number, isHex = false): CairoType {
  return integerType(name, { max: 2n ** BigInt(bits) - 1n, isHex });
}

function signed(bits: number): CairoType {
  const half = 2n ** BigInt(bits - 1);
  return integerType(`i${bits}`, { min: -half, max: half - 1n });
}

/** Types of the core library that need no entry in the ABI, by full name. */
const CORE_TYPES: ReadonlyMap<string, CairoType> = new Map<string, CairoType>([
  ["core::felt252", integerType("felt252", { max: FELT_PRIME - 1n, takesText: true })],
  ["core::bool", BOOL],
  [
    "core::bytes_31::bytes31",
    integerType("bytes31", { max: 2n ** 248n - 1n, isHex: true, takesText: true }),
  ],
  ["core::byte_array::ByteArray", BYTE_ARRAY],
  ["()", UNIT],
  ...[8, 16, 32, 64, 128].flatMap((bits): [string, CairoType][] => [
    [`core::integer::u${bits}`, unsigned(`u${bits}`, bits)],
    [`core::integer::i${bits}`, signed(bits)],
  ]),
  ["core::integer::u256", limbsType("u256", 2)],
  ["core::integer::u512", limbsType("u512", 4)],
  ["core::starknet::contract_address::ContractAddress", unsigned("ContractAddress", 251, true)],
  ["core::starknet::class_hash::ClassHash", unsigned("ClassHash", 251, true)],
  ["core::starknet::storage_access::StorageAddress", unsigned("StorageAddress", 251, true)],
  ["core::starknet::eth_address::EthAddress", unsigned("EthAddress", 160, true)],
]);

function unknownType(name: string): CairoType {
  const values = { type: name.slice(0, 200) };
  return {
    name,
    encode: (_, place) => place.report("HDP-7009", values),
    decode: () => {
      throw hdpError("HDP-7009", values);
    },
  };
}

const MAX_DEPTH = 100;

/** Returns a function that finds the types of an ABI, and those of the core library, by full Cairo name. */
export function typeFinder(abi: Abi): FindType {
  const known = new Map<string, CairoType>();
  let depth = 0;
  /** Values of the encoding that is under way: types without felts may repeat without limit. */
  let values = 0;
  const inside = <T>(work: () => T): T => {
    depth += 1;
    try {
      return work();
    } finally {
      depth -= 1;
    }
  };
  const bounded = (type: CairoType): CairoType => ({
    ...type,
    encode: (value, place) => {
      values = depth === 0 ? 1 : values + 1;
      if (values > MAX_VALUES) {
        // Reported once: what follows is not read.
        if (values > MAX_VALUES + 1) return null;
        return place.reportType(value, `at most ${grouped(MAX_VALUES)} values`, "fewer of them");
      }
      if (depth <= MAX_DEPTH) return inside(() => type.encode(value, place));
      const allowed = `a value of at most ${MAX_DEPTH} levels`;
      return place.reportType(value, allowed, "deep structures as flat lists");
    },
    decode: (felts, path) => {
      if (depth > MAX_DEPTH)
        throw undecodable(path, `the value is nested deeper than ${MAX_DEPTH} levels`);
      felts.countValue(path);
      return inside(() => type.decode(felts, path));
    },
  });
  const find: FindType = (typeName) => {
    const name = typeName.trim().replace(/^@+/, "");
    const boxed = /^core::box::Box::<(.*)>$/s.exec(name)?.[1];
    if (boxed !== undefined) return find(boxed);
    const type = known.get(name) ?? bounded(readType(name, abi, find) ?? unknownType(typeName));
    known.set(name, type);
    return type;
  };
  return find;
}

/**
 * Returns a type by its name. ABIs declare types of the core library too, like u256 and Option: those known here come
 * first.
 */
function readType(name: string, abi: Abi, find: FindType): CairoType | undefined {
  const core = CORE_TYPES.get(name) ?? genericType(name, find);
  if (core !== undefined) return core;
  for (const entry of abi) {
    if (entry.type === "struct" && entry.name === name)
      return struct(shortName(name), entry.members, find);
    if (entry.type === "enum" && entry.name === name)
      return enumeration(shortName(name), entry.variants, find);
  }
  return listOrTuple(name, find);
}

/** Returns a generic type of the core library; undefined for any other name. */
function genericType(fullName: string, find: FindType): CairoType | undefined {
  const [, base = "", parameters = ""] = /^([A-Za-z0-9_:]+?)::<(.*)>$/s.exec(fullName) ?? [];
  const [first, second] = splitTypes(parameters);
  if (first === undefined) return undefined;
  const name = shortName(fullName);
  switch (base) {
    case "core::array::Array":
    case "core::array::Span":
      return isUnit(first, find) ? undefined : list(name, find(first));
    case "core::option::Option":
      return option(name, find(first));
    case "core::zeroable::NonZero":
      return nonZero(name, find(first));
    case "core::result::Result": {
      const parts = [
        { name: "Ok", type: first },
        { name: "Err", type: second ?? "" },
      ];
      return second === undefined ? undefined : enumeration(name, parts, find);
    }
    case "core::internal::bounded_int::BoundedInt": {
      const limits = [first, second ?? ""].map((limit) =>
        /^-?\d{1,80}$/.test(limit) ? BigInt(limit) : undefined,
      );
      const [min, max] = limits;
      return min === undefined || max === undefined ? undefined : integerType(name, { min, max });
    }
    default:
      return undefined;
  }
}

const MAX_FIXED_LENGTH = 100_000;

function listOrTuple(fullName: string, find: FindType): CairoType | undefined {
  const name = shortName(fullName);
  const [, element, digits = ""] = /^\[(.*);\s*(\d{1,7})\]$/s.exec(fullName) ?? [];
  if (element !== undefined) {
    const length = Number(digits);
    if (length > MAX_FIXED_LENGTH || isUnit(element, find)) return undefined;
    return tuple(name, new Array<CairoType>(length).fill(find(element)));
  }
  if (!fullName.startsWith("(") || !fullName.endsWith(")")) return undefined;
  return tuple(name, splitTypes(fullName.slice(1, -1)).map(find));
}

/** Returns whether a type is `()`: the felts of a list of it would not show its length. */
function isUnit(name: string, find: FindType): boolean {
  return find(name) === find("()");
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
