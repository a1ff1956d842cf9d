import { expect } from "chai";
import fc from "fast-check";
import {
  CairoCustomEnum,
  CairoOption,
  CairoOptionVariant,
  CairoResult,
  CairoResultVariant,
  CallData,
} from "starknet";

import { FELT_PRIME } from "../../src/entries/request.js";
import { type Abi, encodeArguments } from "../../src/entries/program.js";
import { abiWith } from "./classes.js";

const U8 = "core::integer::u8";
const U256 = "core::integer::u256";
const FELT = "core::felt252";

/** As the compiler writes them: core structs and enums are declared too. */
const DECLARED: Abi = [
  {
    type: "struct",
    name: "core::byte_array::ByteArray",
    members: [
      { name: "data", type: "core::array::Array::<core::bytes_31::bytes31>" },
      { name: "pending_word", type: FELT },
      { name: "pending_word_len", type: "core::integer::u32" },
    ],
  },
  {
    type: "struct",
    name: "core::starknet::eth_address::EthAddress",
    members: [{ name: "address", type: FELT }],
  },
  {
    type: "struct",
    name: U256,
    members: [
      { name: "low", type: "core::integer::u128" },
      { name: "high", type: "core::integer::u128" },
    ],
  },
  {
    type: "struct",
    name: "my::Transfer",
    members: [
      { name: "to", type: "core::starknet::contract_address::ContractAddress" },
      { name: "amount", type: U256 },
      { name: "memo", type: "core::byte_array::ByteArray" },
    ],
  },
  {
    type: "enum",
    name: `core::option::Option::<${U256}>`,
    variants: [
      { name: "Some", type: U256 },
      { name: "None", type: "()" },
    ],
  },
  {
    type: "enum",
    name: `core::result::Result::<${U8}, ${FELT}>`,
    variants: [
      { name: "Ok", type: U8 },
      { name: "Err", type: FELT },
    ],
  },
  {
    type: "enum",
    name: "my::Mode",
    variants: [
      { name: "Off", type: "()" },
      { name: "Limit", type: "core::integer::u64" },
    ],
  },
];

const PARAMETERS = {
  signed: "core::integer::i32",
  flag: "core::bool",
  transfers: "core::array::Array::<my::Transfer>",
  span: `core::array::Span::<${FELT}>`,
  pair: `(${U8}, ${U256})`,
  fixed: `[${U8}; 3]`,
  option: `core::option::Option::<${U256}>`,
  result: `core::result::Result::<${U8}, ${FELT}>`,
  mode: "my::Mode",
  hash: "core::starknet::class_hash::ClassHash",
  owner: "core::starknet::eth_address::EthAddress",
};

const below = (max: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: max - 1n });
const u256 = below(2n ** 256n);
const u8 = below(256n);

/** starknet.js takes text that looks like a number for one: here every text begins with a letter. */
const memo = fc.string({ maxLength: 65 }).map((text) => `m${text}`);

const values = fc.record({
  signed: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  flag: fc.boolean(),
  transfers: fc.array(fc.record({ to: below(2n ** 251n), amount: u256, memo }), { maxLength: 3 }),
  span: fc.array(below(FELT_PRIME), { maxLength: 4 }),
  pair: fc.tuple(u8, u256),
  fixed: fc.tuple(u8, u8, u8),
  option: fc.option(u256),
  result: fc.oneof(
    u8.map((Ok) => ({ Ok })),
    below(FELT_PRIME).map((Err) => ({ Err })),
  ),
  mode: fc.oneof(
    fc.constant("Off"),
    below(2n ** 64n).map((Limit) => ({ Limit })),
  ),
  hash: below(2n ** 251n),
  owner: below(2n ** 160n),
});
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

/** The same values in the forms that starknet.js takes. */
function forStarknetJs({
  pair,
  option,
  result,
  mode,
  ...others
}: Values): Parameters<CallData["compile"]>[1] {
  return {
    ...others,
    pair: { 0: pair[0], 1: pair[1] },
    option:
      option === null
        ? new CairoOption(CairoOptionVariant.None)
        : new CairoOption(CairoOptionVariant.Some, option),
    result:
      "Ok" in result
        ? new CairoResult(CairoResultVariant.Ok, result.Ok)
        : new CairoResult(CairoResultVariant.Err, result.Err),
    mode: new CairoCustomEnum(typeof mode === "string" ? { Off: {} } : { Limit: mode.Limit }),
  };
}

describe("module arguments against starknet.js", () => {
  it("encodes random values to the same felts", () => {
    const abi = abiWith(PARAMETERS, DECLARED);
    const withoutHandle = abi.map((entry) =>
      entry.type === "function"
        ? { ...entry, inputs: entry.inputs.slice(1), state_mutability: "external" as const }
        : entry,
    );
    const callData = new CallData(
      JSON.parse(JSON.stringify(withoutHandle)) as ConstructorParameters<typeof CallData>[0],
    );
    fc.assert(
      fc.property(values, (value) => {
        const ours = encodeArguments(abi, value).map((input) => BigInt(input.value));
        expect(ours).to.deep.equal(callData.compile("main", forStarknetJs(value)).map(BigInt));
      }),
      { numRuns: 60 },
    );
  });
});
