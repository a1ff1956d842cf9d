import { expect } from "chai";
import fc from "fast-check";

import { markedFelts } from "../../src/entries/request.js";
import { claimedOutput } from "../../src/program/abi/claimed-output.js";
import { decodeReturn } from "../../src/entries/program.js";
import { otherOrders } from "../../src/request/output-order.js";
import { abiWith } from "./classes.js";

const PRICE = 2000n * 10n ** 18n;
const LARGE = 1n << 200n;
const UNPROVEN = { order: "unproven", decoded: undefined };

const claimed = (type: string | undefined, felts: readonly bigint[]) =>
  claimedOutput(felts, type === undefined ? undefined : abiWith({}, [], type));

describe("the order of a claimed output", () => {
  it("leaves a u256 unproven, whose halves may be swapped, and lists of which two items may be", () => {
    expect(claimed("core::integer::u256", [PRICE, 0n])).to.deep.equal(UNPROVEN);
    expect(claimed("core::integer::u256", [0n, PRICE])).to.deep.equal(UNPROVEN);
    const array = "core::array::Array::<core::felt252>";
    expect(claimed(array, [3n, 8n, 9n, 10n])).to.deep.equal(UNPROVEN);
    expect(claimed("(core::felt252, core::felt252)", [1n, 2n])).to.deep.equal(UNPROVEN);
    // More than can be tried.
    const many = Array.from({ length: 300 }, (_, index) => BigInt(index));
    expect(claimed(array, [300n, ...many])).to.deep.equal(UNPROVEN);
  });

  it("leaves an output unproven without a return type, or with one that the felts are not of", () => {
    expect(claimed(undefined, [1n, 2n])).to.deep.equal(UNPROVEN);
    expect(claimed("(core::integer::u8, core::felt252)", [LARGE, 2n])).to.deep.equal(UNPROVEN);
    expect(claimed("core::felt252", [1n, 2n])).to.deep.equal(UNPROVEN);
  });

  it("proves an order where no other that keeps the root is a value of the return type", () => {
    expect(claimed("(core::integer::u8, core::felt252)", [2n, LARGE])).to.deep.equal({
      order: "proven",
      decoded: [2n, LARGE],
    });
    // [7, 1] would be a list of seven items.
    const array = "core::array::Array::<core::felt252>";
    expect(claimed(array, [1n, 7n])).to.deep.equal({ order: "proven", decoded: [7n] });
    // [1, 1] is the list of one item in either order.
    expect(claimed(array, [1n, 1n])).to.deep.equal({ order: "proven", decoded: [1n] });
  });

  it("proves an order of none, one and marked felts, whatever is known of the program", () => {
    expect(claimed(undefined, [])).to.deep.equal({ order: "proven", decoded: undefined });
    expect(claimed(undefined, [7n])).to.deep.equal({ order: "proven", decoded: undefined });
    expect(claimed("core::felt252", [7n])).to.deep.equal({ order: "proven", decoded: 7n });
    const marked = markedFelts([PRICE, 0n]);
    expect(claimed(undefined, marked)).to.deep.equal({ order: "proven", decoded: undefined });
    expect(claimed("(core::felt252, core::felt252)", marked)).to.deep.equal({
      order: "proven",
      decoded: marked,
    });
    expect(claimed(undefined, marked.toReversed())).to.deep.equal(UNPROVEN);
    // Of this type, only the other order is a value.
    expect(claimed("(core::felt252, core::integer::u64)", [7n, 1n << 128n])).to.deep.equal(
      UNPROVEN,
    );
  });

  it("never proves two orders of one root, and never decodes a value by the claimed order", () => {
    const types = [
      "core::integer::u256",
      "core::array::Array::<core::integer::u64>",
      "(core::integer::u64, core::integer::u256)",
      "(core::bool, core::felt252, core::integer::u8)",
    ];
    const felt = fc.oneof(fc.bigInt(0n, 4n), fc.bigInt(0n, 2n ** 130n));
    const felts = fc.array(felt, { maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...types), felts, (type, list) => {
        const { order, decoded } = claimed(type, list);
        if (order === "unproven") return;
        for (const other of otherOrders(list)) {
          expect(() => decodeReturn(abiWith({}, [], type), other)).to.throw("HDP-7016");
          expect(claimed(type, other).decoded).to.equal(undefined);
        }
        if (decoded !== undefined)
          expect(decodeReturn(abiWith({}, [], type), list)).to.deep.equal(decoded);
      }),
    );
  });
});
