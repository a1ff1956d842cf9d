import { expect } from "chai";
import fc from "fast-check";

import { type CairoValue, HdpError, FELT_PRIME } from "../../src/entries/request.js";
import { decodeInputs, decodeReturn, encodeArguments } from "../../src/entries/program.js";
import { cairoType } from "./cairo-arbitrary.js";
import { abiWith } from "./classes.js";
import { expectThrown } from "../support/failure.js";
import { untyped } from "../support/untyped.js";

function decode(type: string, felts: readonly bigint[]): CairoValue {
  return decodeReturn(abiWith({}, [], type), felts);
}

function refuses(type: string, felts: readonly bigint[], path: string, ...parts: string[]): void {
  expectThrown(() => decode(type, felts), "HDP-7016", path, ...parts);
}

describe("module arguments: decoding", () => {
  it("names the arguments of inputs", () => {
    const abi = abiWith({
      owner: "core::starknet::eth_address::EthAddress",
      secret: "core::integer::u256",
    });
    const inputs = encodeArguments(
      abi,
      { owner: "0x13CB6ae34a13a0977f4d7101ebc24b87bb23f0d5", secret: 7 },
      { visibility: { secret: "private" } },
    );
    expect(decodeInputs(abi, inputs)).to.deep.equal([
      {
        name: "owner",
        type: "core::starknet::eth_address::EthAddress",
        visibility: "public",
        value: "0x13cb6ae34a13a0977f4d7101ebc24b87bb23f0d5",
      },
      { name: "secret", type: "core::integer::u256", visibility: "private", value: 7n },
    ]);
    const [first, ...rest] = inputs;
    expectThrown(() => decodeInputs(abi, rest), "HDP-7016", "arguments.secret", "only 2 felts");
    expectThrown(
      () => decodeInputs(abi, [...inputs, ...rest]),
      "HDP-7016",
      "inputs",
      "2 felts are left over",
    );
    const mixed = [first, rest[0], { ...rest[1], visibility: "public" }];
    expectThrown(
      () => decodeInputs(abi, mixed as typeof inputs),
      "HDP-7016",
      "arguments.secret",
      "some of its felts are public and some private",
    );
  });

  it("decodes what main returns", () => {
    expect(decode("core::integer::u256", [5n, 1n])).to.equal(2n ** 128n + 5n);
    expect(decode("core::integer::i32", [FELT_PRIME - 5n])).to.equal(-5n);
    expect(decode("core::array::Array::<core::bool>", [2n, 1n, 0n])).to.deep.equal([true, false]);
    expect(decode("core::byte_array::ByteArray", [0n, 0x68c3a9n, 3n])).to.equal("hé");
    expect(decode("core::byte_array::ByteArray", [0n, 0xffn, 1n])).to.deep.equal({ bytes: "0xff" });
    expect(decode("core::byte_array::ByteArray", [0n, 0x1bn, 1n])).to.deep.equal({ bytes: "0x1b" });
    expect(decode("core::option::Option::<()>", [0n])).to.deep.equal({ Some: null });
    expect(decodeReturn(abiWith({}), [])).to.equal(null);
    expectThrown(
      () => decodeReturn(abiWith({}), [1n]),
      "HDP-7016",
      "return",
      "1 felts are left over",
    );
  });

  it("keeps Some where the bare value could be taken for it", () => {
    for (const name of ["Some", "None"]) {
      const members = [{ name, type: "core::integer::u8" }];
      const struct = { type: "struct", name: "my::S", members } as const;
      const abi = abiWith({}, [struct], "core::option::Option::<my::S>");
      const value = decodeReturn(abi, [0n, 1n]);
      expect(value).to.deep.equal({ Some: { [name]: 1n } });
    }
  });

  it("refuses felts that are no value of the type", () => {
    refuses("core::integer::u8", [256n], "return", "256 is not a value of u8");
    refuses("core::integer::i8", [FELT_PRIME - 129n], "return", "i8");
    refuses("core::integer::u256", [2n ** 128n, 0n], "return", "128-bit limb");
    refuses("core::bool", [2n], "return", "bool");
    refuses("core::zeroable::NonZero::<core::integer::u8>", [0n], "return", "NonZero");
    refuses("core::option::Option::<core::felt252>", [2n, 0n], "return", "Option");
    refuses("core::result::Result::<core::felt252, core::felt252>", [2n, 0n], "return", "Result");
    refuses(
      "core::array::Array::<core::felt252>",
      [3n, 1n],
      "return",
      "its length is 3, but only 1 felts follow",
    );
    refuses("core::array::Array::<core::integer::u8>", [1n, 999n], "return[0]", "u8");
    refuses("core::byte_array::ByteArray", [0n, 0x100n, 1n], "return", "more bytes");
    for (const value of [-5n, FELT_PRIME + 5n, untyped(5)]) {
      refuses("core::integer::i8", [value], "return", `${String(value)} is not a felt`);
      refuses("core::integer::u8", [value], "return", `${String(value)} is not a felt`);
      refuses(
        "core::array::Array::<core::integer::u8>",
        [value],
        "return",
        `${String(value)} is not a felt`,
      );
    }
    refuses("core::byte_array::ByteArray", [0n, 0n, 31n], "return", "pending word");
    refuses("core::byte_array::ByteArray", [1n, 2n ** 248n, 0n, 0n], "return", "more bytes");
    refuses("[[((), ()); 100000]; 100000]", [], "return[3][33331][1]", "more than 1000000 values");
  });

  it("refuses enums without variants and endless structs", () => {
    const never = { type: "enum", name: "my::Never", variants: [] } as const;
    const endless = {
      type: "struct",
      name: "my::Endless",
      members: [{ name: "m", type: "my::Endless" }],
    } as const;
    expectThrown(() => decodeReturn(abiWith({}, [never], "my::Never"), [0n]), "HDP-7016", "return");
    expectThrown(
      () => decodeReturn(abiWith({}, [endless], "my::Endless"), []),
      "HDP-7016",
      `return${".m".repeat(101)}`,
      "100 levels",
    );
  });

  it("gives back what was encoded, for random types", () => {
    const typeAndValue = cairoType(3).chain((typed) =>
      typed.value.map((value) => ({ typed, value })),
    );
    fc.assert(
      fc.property(typeAndValue, ({ typed, value }) => {
        const abi = abiWith({ x: typed.type }, typed.declared);
        const inputs = encodeArguments(abi, { x: value });
        const [decoded] = decodeInputs(abi, inputs);
        expect(decoded?.value, typed.type).to.deep.equal(value);
        expect(encodeArguments(abi, { x: decoded?.value })).to.deep.equal(inputs);
      }),
      { numRuns: 300 },
    );
  });

  it("never fails in another way on random felts", () => {
    const felts = fc.array(
      fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: FELT_PRIME - 1n })),
    );
    fc.assert(
      fc.property(cairoType(3), felts, (typed, list) => {
        try {
          decodeReturn(abiWith({}, typed.declared, typed.type), list);
        } catch (error) {
          expect(error).to.be.instanceOf(HdpError);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("decodes every kind of scalar, at its ends", () => {
    expect(decode("core::felt252", [FELT_PRIME - 1n])).to.equal(FELT_PRIME - 1n);
    expect(decode("core::bytes_31::bytes31", [2n ** 248n - 1n])).to.equal(`0x${"ff".repeat(31)}`);
    refuses("core::bytes_31::bytes31", [2n ** 248n], "return", "bytes31");
    expect(decode("core::integer::u8", [255n])).to.equal(255n);
    expect(decode("core::integer::u8", [0n])).to.equal(0n);
    expect(decode("core::integer::i8", [127n])).to.equal(127n);
    expect(decode("core::integer::i8", [FELT_PRIME - 128n])).to.equal(-128n);
    refuses("core::integer::i8", [128n], "return", "i8");
    expect(decode("core::integer::u256", [2n ** 128n - 1n, 2n ** 128n - 1n])).to.equal(
      2n ** 256n - 1n,
    );
    expect(decode("core::integer::u512", [1n, 2n, 3n, 4n])).to.equal(
      1n + (2n << 128n) + (3n << 256n) + (4n << 384n),
    );
    expect(decode("core::zeroable::NonZero::<core::felt252>", [5n])).to.equal(5n);
    expect(decode("core::starknet::class_hash::ClassHash", [2n ** 251n - 1n])).to.equal(
      `0x7${"f".repeat(62)}`,
    );
    refuses("core::starknet::class_hash::ClassHash", [2n ** 251n], "return", "ClassHash");
    refuses("core::felt252", [], "return", "there are only 0 felts");
    expect(decode("()", [])).to.equal(null);
  });

  it("decodes texts of more than a word, and bytes that are no text", () => {
    const type = "core::byte_array::ByteArray";
    const word = BigInt(`0x${"61".repeat(31)}`);
    expect(decode(type, [0n, 0n, 0n])).to.equal("");
    expect(decode(type, [1n, word, 0n, 0n])).to.equal("a".repeat(31));
    expect(decode(type, [2n, word, word, 0x62n, 1n])).to.equal(`${"a".repeat(62)}b`);
    expect(decode(type, [0n, 0x0an, 1n])).to.equal("\n");
    expect(decode(type, [0n, 0x0an, 2n])).to.deep.equal({ bytes: "0x000a" });
    expect(decode(type, [0n, 0x7fn, 1n])).to.deep.equal({ bytes: "0x7f" });
    expect(decode(type, [0n, 2n ** 240n - 1n, 30n])).to.deep.equal({
      bytes: `0x${"ff".repeat(30)}`,
    });
  });

  it("decodes an option's value bare where nothing else could be meant", () => {
    const member = (name: string): { readonly name: string; readonly type: string } => ({
      name,
      type: "core::integer::u8",
    });
    const extra = [
      { type: "struct", name: "my::Bare", members: [member("a"), member("b")] },
      { type: "struct", name: "my::Mixed", members: [member("a"), member("Some")] },
      { type: "enum", name: "my::Plain", variants: [member("A"), member("B")] },
      { type: "enum", name: "my::Lookalike", variants: [member("A"), member("None")] },
    ] as const;
    const option = (of: string, felts: readonly bigint[]): CairoValue =>
      decodeReturn(abiWith({}, extra, `core::option::Option::<${of}>`), felts);
    expect(option("my::Bare", [0n, 1n, 2n])).to.deep.equal({ a: 1n, b: 2n });
    expect(option("my::Mixed", [0n, 1n, 2n])).to.deep.equal({ Some: { a: 1n, Some: 2n } });
    expect(option("my::Plain", [0n, 0n, 3n])).to.deep.equal({ A: 3n });
    expect(option("my::Lookalike", [0n, 0n, 3n])).to.deep.equal({ Some: { A: 3n } });
    expect(option("core::option::Option::<core::felt252>", [0n, 0n, 3n])).to.deep.equal({
      Some: 3n,
    });
    expect(option("core::option::Option::<core::felt252>", [0n, 1n])).to.deep.equal({ Some: null });
    expect(option("()", [0n])).to.deep.equal({ Some: null });
    expect(option("core::felt252", [0n, 3n])).to.equal(3n);
    expect(option("core::felt252", [1n])).to.equal(null);
  });

  it("decodes values to a depth of 100 levels", () => {
    const nested = (levels: number): string =>
      "[".repeat(levels) + "core::felt252" + "; 1]".repeat(levels);
    const lists = (levels: number): CairoValue => (levels === 0 ? 7n : [lists(levels - 1)]);
    expect(decode(nested(100), [7n])).to.deep.equal(lists(100));
    expectThrown(
      () => decode(nested(101), [7n]),
      "HDP-7016",
      `return${"[0]".repeat(101)}`,
      "deeper than 100 levels",
    );
  });

  it("decodes integers of a range below zero", () => {
    const type = "core::internal::bounded_int::BoundedInt::<-5, -2>";
    expect([5n, 2n].map((below) => decode(type, [FELT_PRIME - below]))).to.deep.equal([-5n, -2n]);
    for (const felt of [FELT_PRIME - 6n, FELT_PRIME - 1n, 0n, 1n])
      refuses(type, [felt], "return", "BoundedInt<-5, -2>");
  });
});
