import type { Abi } from "./abi.js";
import { type CairoType, type FindType, partOf, shortName } from "./cairo-type.js";
import { enumeration, list, nonZero, option, struct, tuple } from "./compound-types.js";
import { BOOL, BYTE_ARRAY, integer, limbs, UNIT } from "./scalar-types.js";
import { FELT_PRIME } from "../../base/felt.js";

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
