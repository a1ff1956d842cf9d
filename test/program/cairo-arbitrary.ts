import fc from "fast-check";

import type { AbiEnum, AbiStruct } from "../../src/program/abi/abi.js";
import { FELT_PRIME } from "../../src/base/felt.js";

/** A Cairo type with what its ABI declares, and values of it in canonical form (as decoding returns them). */
export interface TypedArbitrary {
  readonly type: string;
  readonly declared: readonly (AbiStruct | AbiEnum)[];
  readonly value: fc.Arbitrary<unknown>;
}

const between = (type: string, min: bigint, max: bigint): TypedArbitrary => ({
  type,
  declared: [],
  value: fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max)),
});
const hexBetween = (type: string, max: bigint): TypedArbitrary => ({
  type,
  declared: [],
  value: fc.bigInt({ min: 0n, max }).map((value) => `0x${value.toString(16)}`),
});

export const SCALARS: readonly TypedArbitrary[] = [
  between("core::felt252", 0n, FELT_PRIME - 1n),
  ...[8, 16, 32, 64, 128].flatMap((bits) => [
    between(`core::integer::u${bits}`, 0n, 2n ** BigInt(bits) - 1n),
    between(`core::integer::i${bits}`, -(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n),
  ]),
  between("core::integer::u256", 0n, 2n ** 256n - 1n),
  between("core::integer::u512", 0n, 2n ** 512n - 1n),
  between("core::zeroable::NonZero::<core::integer::u256>", 1n, 2n ** 256n - 1n),
  hexBetween("core::bytes_31::bytes31", 2n ** 248n - 1n),
  hexBetween("core::starknet::contract_address::ContractAddress", 2n ** 251n - 1n),
  hexBetween("core::starknet::class_hash::ClassHash", 2n ** 251n - 1n),
  hexBetween("core::starknet::eth_address::EthAddress", 2n ** 160n - 1n),
  { type: "core::bool", declared: [], value: fc.boolean() },
  {
    type: "core::byte_array::ByteArray",
    declared: [],
    value: fc.string({
      maxLength: 70,
      unit: fc.constantFrom("a", "Z", "é", "語", "😀", " ", "\n"),
    }),
  },
];

/** A random type of random depth. `id` keeps the names of declared types apart. */
export function cairoType(depth: number, id = "t"): fc.Arbitrary<TypedArbitrary> {
  const scalar = fc.constantFrom(...SCALARS);
  if (depth === 0) return scalar;
  const part = (index: number): fc.Arbitrary<TypedArbitrary> =>
    cairoType(depth - 1, `${id}_${index}`);
  return fc.oneof(
    { weight: 2, arbitrary: scalar },
    part(0).map(listOf),
    part(0).map(optionOf),
    fc
      .tuple(part(0), fc.integer({ min: 1, max: 3 }))
      .map(([inner, length]) => fixedListOf(inner, length)),
    fc.tuple(part(0), part(1)).map(tupleOf),
    fc.tuple(part(0), part(1)).map(([ok, err]) => resultOf(ok, err)),
    fc.tuple(part(0), part(1), part(2)).map((parts) => structOf(parts, `my::Struct_${id}`)),
    fc.tuple(part(0), part(1)).map((parts) => enumOf(parts, `my::Enum_${id}`)),
  );
}

function listOf(inner: TypedArbitrary): TypedArbitrary {
  return {
    type: `core::array::Array::<${inner.type}>`,
    declared: inner.declared,
    value: fc.array(inner.value, { maxLength: 4 }),
  };
}

function fixedListOf(inner: TypedArbitrary, length: number): TypedArbitrary {
  return {
    type: `[${inner.type}; ${length}]`,
    declared: inner.declared,
    value: fc.array(inner.value, { minLength: length, maxLength: length }),
  };
}

/** Canonical: the bare value, and `Some` only around what could be taken for None. */
function optionOf(inner: TypedArbitrary): TypedArbitrary {
  const some = inner.type.startsWith("core::option")
    ? inner.value.map((value) => ({ Some: value }))
    : inner.value;
  return {
    type: `core::option::Option::<${inner.type}>`,
    declared: inner.declared,
    value: fc.oneof(some, fc.constant(null)),
  };
}

function tupleOf(parts: readonly TypedArbitrary[]): TypedArbitrary {
  return {
    type: `(${parts.map(({ type }) => type).join(", ")})`,
    declared: parts.flatMap(({ declared }) => declared),
    value: fc.tuple(...parts.map(({ value }) => value)),
  };
}

function resultOf(ok: TypedArbitrary, err: TypedArbitrary): TypedArbitrary {
  return {
    type: `core::result::Result::<${ok.type}, ${err.type}>`,
    declared: [...ok.declared, ...err.declared],
    value: fc.oneof(
      ok.value.map((value) => ({ Ok: value })),
      err.value.map((value) => ({ Err: value })),
    ),
  };
}

function structOf(parts: readonly TypedArbitrary[], name: string): TypedArbitrary {
  const members = parts.map(({ type }, index) => ({ name: `m${index}`, type }));
  return {
    type: name,
    declared: [{ type: "struct", name, members }, ...parts.flatMap(({ declared }) => declared)],
    value: fc.record(Object.fromEntries(parts.map(({ value }, index) => [`m${index}`, value])), {
      noNullPrototype: true,
    }),
  };
}

function enumOf(parts: readonly TypedArbitrary[], name: string): TypedArbitrary {
  const variants = [
    ...parts.map(({ type }, index) => ({ name: `V${index}`, type })),
    { name: "Empty", type: "()" },
  ];
  const filled = parts.map(({ value }, index) =>
    value.map((content) => ({ [`V${index}`]: content })),
  );
  return {
    type: name,
    declared: [{ type: "enum", name, variants }, ...parts.flatMap(({ declared }) => declared)],
    value: fc.oneof(...filled, fc.constant("Empty")),
  };
}
