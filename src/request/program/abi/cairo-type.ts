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
export const CORE_TYPES: ReadonlyMap<string, CairoType> = new Map<string, CairoType>([
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
  return typeName.replace(/(?:[A-Za-z0-9_]+::)+(?=[A-Za-z0-9_])/g, "").replaceAll("::<", "<");
}
