import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { Abi } from "./abi.js";

/** What a Cairo type means for encoding. Parts are named by their Cairo type and looked up when they are reached. */
export type CairoType =
  | { readonly kind: "felt" }
  /** From `min` to `max`, both inclusive; negative values as the prime plus the value. */
  | { readonly kind: "integer"; readonly name: string; readonly min: bigint; readonly max: bigint }
  /** Limbs of 128 bits, the lowest first: 2 for u256, 4 for u512. */
  | { readonly kind: "limbs"; readonly name: string; readonly limbs: number }
  /** An address or a class hash: an integer that people write in hex. */
  | { readonly kind: "address"; readonly name: string; readonly max: bigint }
  | { readonly kind: "bytes31" }
  | { readonly kind: "bool" }
  | { readonly kind: "byteArray" }
  | { readonly kind: "unit" }
  | { readonly kind: "nonZero"; readonly inner: string }
  | { readonly kind: "array"; readonly element: string }
  | { readonly kind: "fixedArray"; readonly element: string; readonly length: number }
  | { readonly kind: "tuple"; readonly elements: readonly string[] }
  | { readonly kind: "option"; readonly inner: string }
  | { readonly kind: "struct"; readonly name: string; readonly members: readonly CairoMember[] }
  | { readonly kind: "enum"; readonly name: string; readonly variants: readonly CairoMember[] };

export interface CairoMember {
  readonly name: string;
  readonly type: string;
}

const unsigned = (bits: number): CairoType => ({
  kind: "integer",
  name: `u${bits}`,
  min: 0n,
  max: 2n ** BigInt(bits) - 1n,
});
const signed = (bits: number): CairoType => {
  const half = 2n ** BigInt(bits - 1);
  return { kind: "integer", name: `i${bits}`, min: -half, max: half - 1n };
};
const address = (name: string, bits: number): CairoType => ({ kind: "address", name, max: 2n ** BigInt(bits) - 1n });

/** Types of the core library that need no entry in the ABI, by full name. */
const CORE_TYPES: ReadonlyMap<string, CairoType> = new Map<string, CairoType>([
  ["core::felt252", { kind: "felt" }],
  ["core::bool", { kind: "bool" }],
  ["core::bytes_31::bytes31", { kind: "bytes31" }],
  ["core::byte_array::ByteArray", { kind: "byteArray" }],
  ["()", { kind: "unit" }],
  ...[8, 16, 32, 64, 128].flatMap((bits): [string, CairoType][] => [
    [`core::integer::u${bits}`, unsigned(bits)],
    [`core::integer::i${bits}`, signed(bits)],
  ]),
  ["core::integer::u256", { kind: "limbs", name: "u256", limbs: 2 }],
  ["core::integer::u512", { kind: "limbs", name: "u512", limbs: 4 }],
  ["core::starknet::contract_address::ContractAddress", address("ContractAddress", 251)],
  ["core::starknet::class_hash::ClassHash", address("ClassHash", 251)],
  ["core::starknet::storage_access::StorageAddress", address("StorageAddress", 251)],
  ["core::starknet::eth_address::EthAddress", address("EthAddress", 160)],
]);

/** Last part of a full Cairo name without generic arguments: `hdp_cairo::HDP` to `HDP`. */
export function shortName(typeName: string): string {
  return typeName.replace(/[A-Za-z0-9_]+::(?=[A-Za-z0-9_])/g, "").replaceAll("::<", "<");
}

const MAX_FIXED_LENGTH = 100_000;

/** Reads the Cairo type names of one ABI. Recursive types are fine: a part is looked up only when it is reached. */
export class TypeTable {
  readonly #known = new Map<string, CairoType>(CORE_TYPES);
  readonly #declared = new Map<string, CairoType>();

  public constructor(abi: Abi) {
    for (const entry of abi) {
      if (entry.type === "struct") {
        this.#declared.set(entry.name, { kind: "struct", name: entry.name, members: entry.members });
      } else if (entry.type === "enum") {
        this.#declared.set(entry.name, { kind: "enum", name: entry.name, variants: entry.variants });
      }
    }
  }

  /** @throws HdpError HDP-7009 where no rule says how the type is encoded. */
  public type(typeName: string): CairoType {
    const trimmed = typeName.trim().replace(/^@+/, "");
    let found = this.#known.get(trimmed);
    if (found === undefined) {
      found = this.#read(trimmed);
      this.#known.set(trimmed, found);
    }
    return found;
  }

  #read(name: string): CairoType {
    const generic = /^([A-Za-z0-9_:]+?)::<(.*)>$/s.exec(name);
    const read = generic === null ? undefined : this.#readGeneric(generic[1] ?? "", splitTypes(generic[2] ?? ""));
    const type = read ?? this.#declared.get(name) ?? readTuple(name) ?? readFixedArray(name);
    if (type === undefined) throw unsupported(name);
    return this.#refuseEmptyElements(type, name);
  }

  #readGeneric(base: string, [first, second]: readonly string[]): CairoType | undefined {
    if (first === undefined) return undefined;
    switch (base) {
      case "core::array::Array":
      case "core::array::Span":
        return { kind: "array", element: first };
      case "core::option::Option":
        return { kind: "option", inner: first };
      case "core::zeroable::NonZero":
        return { kind: "nonZero", inner: first };
      case "core::box::Box":
        return this.type(first);
      case "core::result::Result":
        return second === undefined ? undefined : resultType(first, second);
      case "core::internal::bounded_int::BoundedInt":
        return boundedInteger(first, second);
      default:
        return undefined;
    }
  }

  /** A list of values without felts cannot be told from a shorter one by what it takes. */
  #refuseEmptyElements(type: CairoType, name: string): CairoType {
    if ((type.kind === "array" || type.kind === "fixedArray") && this.type(type.element).kind === "unit") {
      throw unsupported(name);
    }
    return type;
  }
}

function resultType(ok: string, err: string): CairoType {
  const variants: CairoMember[] = [
    { name: "Ok", type: ok },
    { name: "Err", type: err },
  ];
  return { kind: "enum", name: `core::result::Result::<${ok}, ${err}>`, variants };
}

function boundedInteger(low: string, high: string | undefined): CairoType | undefined {
  const pattern = /^-?\d{1,80}$/;
  if (high === undefined || !pattern.test(low) || !pattern.test(high)) return undefined;
  return { kind: "integer", name: `BoundedInt<${low}, ${high}>`, min: BigInt(low), max: BigInt(high) };
}

function readTuple(name: string): CairoType | undefined {
  if (!name.startsWith("(") || !name.endsWith(")")) return undefined;
  return { kind: "tuple", elements: splitTypes(name.slice(1, -1)) };
}

function readFixedArray(name: string): CairoType | undefined {
  const match = /^\[(.*);\s*(\d{1,7})\]$/s.exec(name);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const length = Number(match[2]);
  return length > MAX_FIXED_LENGTH ? undefined : { kind: "fixedArray", element: match[1], length };
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

function unsupported(name: string): HdpError {
  return hdpError("HDP-7009", { type: name.slice(0, 200) });
}
