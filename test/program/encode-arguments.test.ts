import { expect } from "chai";

import { FELT_PRIME, TaskRequestError } from "../../src/entries/request.js";
import { type Abi, encodeArguments } from "../../src/entries/program.js";
import { abiWith } from "./classes.js";
import { expectThrown, hdpThrown } from "../support/failure.js";

const U = "core::integer::u";
const ARRAY = "core::array::Array";
const FELT = "core::felt252";

const DECLARED: Abi = [
  {
    type: "struct",
    name: "my::Recipient",
    members: [
      { name: "to", type: "core::starknet::eth_address::EthAddress" },
      { name: "amount", type: `${U}256` },
    ],
  },
  {
    type: "enum",
    name: "my::Mode",
    variants: [
      { name: "Off", type: "()" },
      { name: "Limit", type: `${U}8` },
      { name: "Pair", type: `(${U}8, core::bool)` },
    ],
  },
  { type: "struct", name: "my::Tree", members: [{ name: "leaves", type: `${ARRAY}::<my::Tree>` }] },
];

function encode(type: string, value: unknown): bigint[] {
  return encodeArguments(abiWith({ x: type }, DECLARED), { x: value }).map((input) =>
    BigInt(input.value),
  );
}

function errorsOf(call: () => unknown): TaskRequestError {
  const error = hdpThrown(call);
  if (error instanceof TaskRequestError) return error;
  throw error;
}

function refuses(
  type: string,
  value: unknown,
  code: string,
  path: string,
  ...parts: string[]
): void {
  expectThrown(() => encode(type, value), code, path, ...parts);
}

describe("module arguments: encoding", () => {
  it("stops at a million values, however often one array is shared", () => {
    const levels = 24;
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = [value, value];
    const type = `${ARRAY}::<`.repeat(levels) + FELT + ">".repeat(levels);
    const { errors } = errorsOf(() => encode(type, value));
    expect(errors).to.have.length(1);
    expect(errors[0].shortMessage).to.contain("at most 1,000,000 values");
  });

  it("encodes scalars", () => {
    expect(encode(FELT, "0x1F")).to.deep.equal([31n]);
    expect(encode(FELT, "31")).to.deep.equal([31n]);
    expect(encode(FELT, FELT_PRIME - 1n)).to.deep.equal([FELT_PRIME - 1n]);
    expect(encode(FELT, "'SN_MAIN'")).to.deep.equal([0x534e5f4d41494en]);
    expect(encode("core::bytes_31::bytes31", "'a'")).to.deep.equal([0x61n]);
    expect(encode(`${U}8`, 255)).to.deep.equal([255n]);
    expect(encode(`${U}128`, 2n ** 128n - 1n)).to.deep.equal([2n ** 128n - 1n]);
    expect(encode("core::integer::i8", -128)).to.deep.equal([FELT_PRIME - 128n]);
    expect(encode("core::integer::i128", "-1")).to.deep.equal([FELT_PRIME - 1n]);
    expect(encode(`${U}256`, 2n ** 128n + 5n)).to.deep.equal([5n, 1n]);
    expect(encode(`${U}512`, 2n ** 384n + 7n)).to.deep.equal([7n, 0n, 0n, 1n]);
    expect(encode("core::bool", true)).to.deep.equal([1n]);
    expect(encode("core::bool", false)).to.deep.equal([0n]);
    expect(encode("core::starknet::eth_address::EthAddress", `0x${"ff".repeat(20)}`)).to.deep.equal(
      [2n ** 160n - 1n],
    );
    expect(encode("()", null)).to.deep.equal([]);
    expect(encode(`core::zeroable::NonZero::<${U}256>`, 1)).to.deep.equal([1n, 0n]);
    expect(encode("core::internal::bounded_int::BoundedInt::<-2, 30>", -2)).to.deep.equal([
      FELT_PRIME - 2n,
    ]);
    expect(encode(`core::box::Box::<@${U}8>`, 3)).to.deep.equal([3n]);
  });

  it("encodes texts and bytes as ByteArray", () => {
    const type = "core::byte_array::ByteArray";
    expect(encode(type, "")).to.deep.equal([0n, 0n, 0n]);
    expect(encode(type, "hé")).to.deep.equal([0n, 0x68c3a9n, 3n]);
    expect(encode(type, "a".repeat(32))).to.deep.equal([
      1n,
      BigInt(`0x${"61".repeat(31)}`),
      0x61n,
      1n,
    ]);
    expect(encode(type, { bytes: "0x00ff" })).to.deep.equal([0n, 0xffn, 2n]);
    expect(encode(type, "0x00ff")).to.deep.equal([0n, 0x307830306666n, 6n]);
    refuses(type, { bytes: "0x0" }, "HDP-1103", "arguments.x", '{ "bytes": "0x…" }');
    refuses(type, 5, "HDP-1103", "arguments.x", "expected text, or bytes");
  });

  it("encodes lists, tuples and structs", () => {
    expect(encode(`${ARRAY}::<${U}8>`, [1, 2])).to.deep.equal([2n, 1n, 2n]);
    expect(encode(`core::array::Span::<${U}256>`, [1])).to.deep.equal([1n, 1n, 0n]);
    expect(encode(`@${ARRAY}::<${FELT}>`, [])).to.deep.equal([0n]);
    expect(encode(`[[${U}8; 2]; 1]`, [[1, 2]])).to.deep.equal([1n, 2n]);
    expect(encode(`(${U}8, (${FELT}, core::bool))`, [1, [2, true]])).to.deep.equal([1n, 2n, 1n]);
    expect(encode(`(${U}8,)`, [1])).to.deep.equal([1n]);
    expect(encode("my::Recipient", { amount: 5, to: "0x1" })).to.deep.equal([1n, 5n, 0n]);
    expect(
      encode("my::Tree", { leaves: [{ leaves: [] }, { leaves: [{ leaves: [] }] }] }),
    ).to.deep.equal([2n, 0n, 1n, 0n]);
  });

  it("encodes enums, Option and Result", () => {
    expect(encode("my::Mode", "Off")).to.deep.equal([0n]);
    expect(encode("my::Mode", { Off: null })).to.deep.equal([0n]);
    expect(encode("my::Mode", { Limit: 9 })).to.deep.equal([1n, 9n]);
    expect(encode("my::Mode", { Pair: [1, true] })).to.deep.equal([2n, 1n, 1n]);
    const option = `core::option::Option::<${U}8>`;
    expect(encode(option, null)).to.deep.equal([1n]);
    expect(encode(option, { None: null })).to.deep.equal([1n]);
    expect(encode(option, 4)).to.deep.equal([0n, 4n]);
    expect(encode(option, { Some: 4 })).to.deep.equal([0n, 4n]);
    expect(encode(`core::option::Option::<${option}>`, { Some: null })).to.deep.equal([0n, 1n]);
    const result = `core::result::Result::<(${U}8, ${U}8), ${FELT}>`;
    expect(encode(result, { Ok: [1, 2] })).to.deep.equal([0n, 1n, 2n]);
    expect(encode(result, { Err: "'no'" })).to.deep.equal([1n, 0x6e6fn]);
  });

  it("refuses numbers out of range, with the place", () => {
    refuses(`${U}8`, 256, "HDP-1113", "arguments.x", "256 is out of range", "0 to 255");
    refuses(`${U}32`, -1, "HDP-1113", "arguments.x", "0 to 4294967295");
    refuses("core::integer::i8", 128, "HDP-1113", "arguments.x", "-128 to 127");
    refuses(FELT, FELT_PRIME, "HDP-1113", "arguments.x", `0 to ${FELT_PRIME - 1n}`);
    refuses(`${U}256`, 2n ** 256n, "HDP-1113", "arguments.x", "0 to 2^256 - 1");
    refuses(
      "core::bytes_31::bytes31",
      2n ** 248n,
      "HDP-1113",
      "arguments.x",
      `0 to ${2n ** 248n - 1n}`,
    );
    refuses(
      "core::starknet::class_hash::ClassHash",
      2n ** 251n,
      "HDP-1113",
      "arguments.x",
      `0 to ${2n ** 251n - 1n}`,
    );
    refuses(
      `core::zeroable::NonZero::<${U}8>`,
      0,
      "HDP-1103",
      "arguments.x",
      "expected a number other than 0, found 0",
    );
    refuses(
      `core::zeroable::NonZero::<${U}256>`,
      0,
      "HDP-1103",
      "arguments.x",
      "expected a number other than 0",
    );
    refuses(
      `core::zeroable::NonZero::<${U}8>`,
      256,
      "HDP-1113",
      "arguments.x",
      "256 is out of range",
    );
    const recipients = [1, 2, 2n ** 256n].map((amount) => ({ to: 1, amount }));
    refuses(`${ARRAY}::<my::Recipient>`, recipients, "HDP-1113", "arguments.x[2].amount");
    refuses("my::Mode", { Limit: 300 }, "HDP-1113", "arguments.x.Limit");
    refuses(`core::option::Option::<${U}8>`, { Some: 300 }, "HDP-1113", "arguments.x.Some");
  });

  it("refuses values of another form", () => {
    refuses(`${U}8`, 1.5, "HDP-1112", "arguments.x", "1.5 is not an integer");
    refuses(`${U}64`, 2 ** 60, "HDP-1112", "arguments.x", "a JSON integer up to 2^53 - 1");
    refuses(`${U}8`, "1e3", "HDP-1112", "arguments.x", '"1e3" is not an integer');
    refuses(`${U}8`, null, "HDP-1103", "arguments.x", "expected an integer, found null");
    refuses(`${U}8`, undefined, "HDP-1101", "arguments.x", "it must be an integer");
    refuses(`${U}8`, "1".repeat(301), "HDP-1112", "arguments.x", "...");
    refuses("core::bool", 1, "HDP-1103", "arguments.x", "true or false");
    refuses(FELT, "'not closed", "HDP-1103", "arguments.x", "single quotes");
    refuses(
      FELT,
      `'${"a".repeat(32)}'`,
      "HDP-1103",
      "arguments.x",
      "at most 31 printable ASCII characters",
    );
    refuses("()", 0, "HDP-1103", "arguments.x", "null");
    refuses(`${ARRAY}::<${U}8>`, { 0: 1 }, "HDP-1103", "arguments.x", "a list", "Array<u8>");
    refuses(`[${U}8; 2]`, [1], "HDP-1103", "arguments.x", "a list of 2");
    refuses(
      `(${U}8, ${U}8)`,
      [1, 2, 3],
      "HDP-1103",
      "arguments.x",
      "a list of 2 ((u8, u8)), found [1,2,3]",
    );
    refuses("my::Recipient", [1, 2], "HDP-1103", "arguments.x", "to, amount");
    refuses("my::Mode", 1, "HDP-1103", "arguments.x", "Off, Limit, Pair");
    refuses("my::Mode", "Limit", "HDP-1103", "arguments.x", '{ "Limit": u8 }');
  });

  it("refuses unknown and missing names, with the nearest one", () => {
    refuses(
      "my::Recipient",
      { to: 1, amount: 2, amont: 2 },
      "HDP-1102",
      "arguments.x.amont",
      'Did you mean "amount"?',
    );
    refuses("my::Recipient", { to: 1 }, "HDP-1101", "arguments.x.amount", "it must be a u256");
    refuses("my::Mode", { off: null }, "HDP-1108", "arguments.x", 'Did you mean "Off"?');
    refuses("my::Mode", "Everything", "HDP-1108", "arguments.x", "Off, Limit, Pair");
    const abi = abiWith({ block_number: `${U}32` });
    const fails = (values: unknown, code: string, path: string, ...parts: string[]): void => {
      expectThrown(() => encodeArguments(abi, values), code, path, ...parts);
    };
    fails(
      { block_number: 1, blockNumber: 1 },
      "HDP-1102",
      "arguments.blockNumber",
      'Did you mean "block_number"?',
    );
    fails({ block_number: 1, hdp: 2 }, "HDP-1102", "arguments.hdp", "Keys: block_number");
    fails({}, "HDP-1101", "arguments.block_number", "the key is missing; it must be a u32");
    fails(undefined, "HDP-1101", "arguments.block_number");
    fails([1], "HDP-1103", "arguments");
    expectThrown(
      () => encodeArguments(abiWith({}), { a: 1 }),
      "HDP-1102",
      "arguments.a",
      'the key "a" is not known',
    );
    expect(encodeArguments(abiWith({}), undefined)).to.deep.equal([]);
  });

  it("reports all errors at once, each with its code and place", () => {
    const abi = abiWith(
      { count: `${U}8`, to: `${ARRAY}::<my::Recipient>`, mode: "my::Mode", last: FELT },
      DECLARED,
    );
    const to = [{ to: "0x1", amount: -1 }, { amount: 1 }, { to: "me", amount: 1, more: 0 }];
    const error = errorsOf(() =>
      encodeArguments(
        abi,
        { count: 256, to, mode: "On", lost: 1 },
        { visibility: { count: "secret" }, path: "m" },
      ),
    );
    expect([error.code, error.path, error.count]).to.deep.equal(["HDP-1100", undefined, 9]);
    const named = error.errors.map(({ code, path = "" }) => `${code} ${path}`);
    expect(named).to.deep.equal([
      "HDP-1102 m.arguments.lost",
      "HDP-1113 m.arguments.count",
      "HDP-1113 m.arguments.to[0].amount",
      "HDP-1101 m.arguments.to[1].to",
      "HDP-1102 m.arguments.to[2].more",
      "HDP-1112 m.arguments.to[2].to",
      "HDP-1108 m.arguments.mode",
      "HDP-1101 m.arguments.last",
      "HDP-1108 m.visibility.count",
    ]);
    for (const line of named) expect(error.message).to.contain(line.replace(" ", " in "));
  });

  it("names a hundred errors of a list that is wrong throughout, and counts the others", () => {
    const error = errorsOf(() => encode(`${ARRAY}::<${U}8>`, new Array(100_000).fill(-1)));
    expect(error.errors.map(({ path }) => path))
      .to.have.length(100)
      .and.include("arguments.x[99]");
    expect(error.hints.at(-1)).to.equal("… and 99900 more.");
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`y${at}`, 1]));
    expect(errorsOf(() => encodeArguments(abiWith({}), names)).errors).to.have.length(100);
    const abi = abiWith({ a: FELT });
    const visibility = errorsOf(() => encodeArguments(abi, { a: 1 }, { visibility: names }));
    expect(visibility.errors).to.have.length(100);
  });

  it("refuses what has no end and what the ABI cannot carry", () => {
    const cyclic: { leaves: unknown[] } = { leaves: [] };
    cyclic.leaves.push(cyclic);
    const path = `arguments.x${".leaves[0]".repeat(50)}.leaves`;
    expectThrown(() => encode("my::Tree", cyclic), "HDP-1103", path, "at most 100 levels");
    for (const type of [
      "core::dict::Felt252Dict::<core::felt252>",
      "my::Missing",
      `${ARRAY}::<()>`,
      `[${FELT}; 1000000]`,
      "core::result::Result::<core::felt252>",
      "core::internal::bounded_int::BoundedInt::<a, 3>",
    ]) {
      expectThrown(() => encode(type, []), "HDP-7009", "arguments.x", type);
    }
  });

  it("keeps the order of the parameters and the visibility of each", () => {
    const abi = abiWith({ a: `${U}256`, b: FELT, secret: `${ARRAY}::<${U}8>` });
    const values = { secret: [7], b: 3, a: 1 };
    expect(encodeArguments(abi, values, { visibility: { secret: "private" } })).to.deep.equal([
      { visibility: "public", value: "0x1" },
      { visibility: "public", value: "0x0" },
      { visibility: "public", value: "0x3" },
      { visibility: "private", value: "0x1" },
      { visibility: "private", value: "0x7" },
    ]);
  });

  it("refuses a private argument before a public one", () => {
    const abi = abiWith({ a: FELT, b: FELT, c: FELT });
    const withVisibility =
      (visibility: unknown): (() => unknown) =>
      () =>
        encodeArguments(abi, { a: 1, b: 2, c: 3 }, { visibility, path: "tasks[0].module" });
    expectThrown(
      withVisibility({ a: "private", b: "private" }),
      "HDP-7014",
      "tasks[0].module.visibility.a",
      'the private argument "a" stands before the public argument "c"',
    );
    expect(withVisibility({ a: "private", b: "private", c: "private" })()).to.have.length(3);
    const place = "tasks[0].module.visibility";
    expectThrown(
      withVisibility({ a: "hidden" }),
      "HDP-1108",
      `${place}.a`,
      "Allowed: public, private",
    );
    expectThrown(withVisibility("private"), "HDP-1103", place, "object");
    expectThrown(withVisibility({ cc: "private" }), "HDP-1102", `${place}.cc`, 'Did you mean "c"?');
  });

  it("says public or private of an argument, below any path", () => {
    const abi = abiWith({ a: FELT });
    expect(encodeArguments(abi, { a: 1 }, { visibility: { a: "public" }, path: "" })).to.deep.equal(
      [{ visibility: "public", value: "0x1" }],
    );
    expect(encodeArguments(abi, { a: 1 }, { visibility: { a: "private" } })).to.deep.equal([
      { visibility: "private", value: "0x1" },
    ]);
    expectThrown(() => encodeArguments(abi, { a: "x" }, { path: "" }), "HDP-1112", "arguments.a");
  });

  it("reads values to a depth of 100 levels", () => {
    const nested = (levels: number): string => "[".repeat(levels) + FELT + "; 1]".repeat(levels);
    const lists = (levels: number): unknown => (levels === 0 ? 7 : [lists(levels - 1)]);
    expect(encode(nested(100), lists(100))).to.deep.equal([7n]);
    refuses(
      nested(101),
      lists(101),
      "HDP-1103",
      `arguments.x${"[0]".repeat(101)}`,
      "at most 100 levels",
    );
  });

  it("takes the empty value of () in both ways", () => {
    expect(encode("()", undefined)).to.deep.equal([]);
    expect(encode("((), ())", [null, undefined])).to.deep.equal([]);
  });

  it("takes for Some and None only what says nothing else", () => {
    const inner = {
      type: "struct",
      name: "my::S",
      members: [
        { name: "Some", type: FELT },
        { name: "b", type: FELT },
      ],
    } as const;
    const other = {
      type: "struct",
      name: "my::O",
      members: [{ name: "other", type: FELT }],
    } as const;
    const none = {
      type: "struct",
      name: "my::N",
      members: [{ name: "None", type: FELT }],
    } as const;
    const option = (of: string, value: unknown): bigint[] =>
      encodeArguments(abiWith({ x: `core::option::Option::<${of}>` }, [inner, other, none]), {
        x: value,
      }).map((input) => BigInt(input.value));
    expect(option("my::S", { Some: 1, b: 2 })).to.deep.equal([0n, 1n, 2n]);
    expect(option("my::O", { other: 3 })).to.deep.equal([0n, 3n]);
    expect(option("my::N", { None: 3 })).to.deep.equal([0n, 3n]);
    expect(option(FELT, undefined)).to.deep.equal([1n]);
    expectThrown(() => option(FELT, { other: null }), "HDP-1103", "arguments.x");
    expectThrown(() => option(`${ARRAY}::<${FELT}>`, { Some: 5 }), "HDP-1103", "arguments.x.Some");
    expect(option(`${ARRAY}::<${FELT}>`, [5])).to.deep.equal([0n, 1n, 5n]);
  });

  it("takes one variant of an enum", () => {
    refuses("my::Mode", { Limit: 1, Off: null }, "HDP-1103", "arguments.x", "Off, Limit, Pair");
    refuses("my::Mode", {}, "HDP-1103", "arguments.x", "Off, Limit, Pair");
    refuses("my::Mode", null, "HDP-1103", "arguments.x", "Off, Limit, Pair");
    refuses("my::Mode", ["Off"], "HDP-1103", "arguments.x", "Off, Limit, Pair");
    refuses("my::Recipient", null, "HDP-1103", "arguments.x", "to, amount");
    refuses("my::Recipient", "to", "HDP-1103", "arguments.x", "to, amount");
  });

  it("reads bytes as whole words of 31, and only as hex of whole bytes", () => {
    const type = "core::byte_array::ByteArray";
    const word = BigInt(`0x${"61".repeat(31)}`);
    expect(encode(type, "a".repeat(31))).to.deep.equal([1n, word, 0n, 0n]);
    expect(encode(type, "a".repeat(62))).to.deep.equal([2n, word, word, 0n, 0n]);
    expect(encode(type, { bytes: "0x" })).to.deep.equal([0n, 0n, 0n]);
    for (const value of [
      { bytes: "0x00", more: 1 },
      { text: "0x00" },
      null,
      {},
      { bytes: "x0x00" },
      { bytes: 5 },
      { bytes: "0x00zz" },
    ]) {
      refuses(type, value, "HDP-1103", "arguments.x", '{ "bytes": "0x…" }');
    }
  });

  it("reads numbers at the ends of what a text may say", () => {
    expect(encode(FELT, "0".repeat(299) + "5")).to.deep.equal([5n]);
    refuses(FELT, "0".repeat(300) + "5", "HDP-1112", "arguments.x");
    expect(encode(FELT, "0X1f")).to.deep.equal([31n]);
    expect(encode(FELT, "''")).to.deep.equal([0n]);
    expect(encode(FELT, `'${"a".repeat(31)}'`)).to.deep.equal([BigInt(`0x${"61".repeat(31)}`)]);
    expect(encode("core::bytes_31::bytes31", 2n ** 248n - 1n)).to.deep.equal([2n ** 248n - 1n]);
    expect(encode("core::integer::i8", 127)).to.deep.equal([127n]);
    expect(encode("core::integer::i8", 0)).to.deep.equal([0n]);
    for (const text of ["'", "'é'", "'a\tb'"])
      refuses(FELT, text, "HDP-1103", "arguments.x", "single quotes");
    for (const text of ["a5", "5a", "0x", "-", "--5", "5-5", "x-5", "-5x", " 5", ""]) {
      refuses(FELT, text, "HDP-1112", "arguments.x", "is not an integer");
    }
    refuses(FELT, -1, "HDP-1113", "arguments.x", `0 to ${FELT_PRIME - 1n}`);
    refuses("core::integer::i8", -129, "HDP-1113", "arguments.x", "-128 to 127");
  });

  it("reads type names with spaces, snapshots and brackets, and refuses what only looks like one", () => {
    expect(encode(` @@${FELT} `, 5)).to.deep.equal([5n]);
    expect(encode(`${ARRAY}::<@@${FELT}>`, [5])).to.deep.equal([1n, 5n]);
    expect(encode(`( ${FELT} ,  [${FELT};  2] )`, [1, [2, 3]])).to.deep.equal([1n, 2n, 3n]);
    expect(encode("core::internal::bounded_int::BoundedInt::<-2, 30>", 30)).to.deep.equal([30n]);
    for (const type of [
      `${ARRAY}::<>`,
      `x ${ARRAY}::<${FELT}>`,
      `${ARRAY}::<${FELT}> x`,
      `core@::felt252`,
      "[(); 3]",
      `(${FELT}`,
      `${FELT})`,
      `[${FELT}; 2`,
      `x[${FELT}; 2]`,
      `[${FELT}; 2]x`,
      `[${FELT}; 12345678]`,
      `[${FELT}; 100001]`,
      "core::internal::bounded_int::BoundedInt::<x1, 3>",
      "core::internal::bounded_int::BoundedInt::<1x, 3>",
      "core::internal::bounded_int::BoundedInt::<1, 3x>",
      "core::internal::bounded_int::BoundedInt::<1>",
      "my::IModule",
    ]) {
      const abi = abiWith({ x: type }, [{ type: "interface", name: "my::IModule", items: [] }]);
      expectThrown(() => encodeArguments(abi, { x: [1] }), "HDP-7009", "arguments.x", type.trim());
    }
  });

  it("throws a single error as its own error, and passes on what the values throw", () => {
    const two = errorsOf(() =>
      encodeArguments(abiWith({ a: `${U}8`, b: "my::Missing" }), { a: -1, b: -2 }),
    );
    expect(two.shortMessage).to.equal("there are 2 errors to correct.");
    expect(two.hints.slice(0, 3)).to.deep.equal([
      "HDP-1113 in arguments.a: -1 is out of range.",
      "  Allowed: 0 to 255.",
      'HDP-7009 in arguments.b: the ABI has the type "my::Missing", which module inputs cannot carry.',
    ]);
    const one = errorsOf(() => encodeArguments(abiWith({ a: `${U}8` }), { a: -1 }));
    expect(one).to.include({ code: "HDP-1113", path: "arguments.a", count: 1 });
    const values = {
      b: -1,
      get a(): never {
        throw new RangeError("of the caller");
      },
    };
    expect(() => encodeArguments(abiWith({ a: `${U}8`, b: `${U}8` }), values)).to.throw(
      RangeError,
      "of the caller",
    );
  });

  it("takes texts of several digits below zero, bytes as one text, and spaces in a bounded integer's type", () => {
    expect(encode("core::integer::i16", "-1234")).to.deep.equal([FELT_PRIME - 1234n]);
    expect(encode("core::internal::bounded_int::BoundedInt::<-2 , 30>", -2)).to.deep.equal([
      FELT_PRIME - 2n,
    ]);
    refuses("core::byte_array::ByteArray", { bytes: ["0x00"] }, "HDP-1103", "arguments.x");
  });
});
