import { expect } from "chai";
import fc from "fast-check";
import { encodeAbiParameters, encodePacked, type Hex, keccak256, stringToBytes } from "viem";

import { erc20Balance, erc7201, mappingSlot } from "../../src/entries/request.js";

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

describe("slots of mappings", () => {
  it("computes slots where Solidity places them for every type of key", () => {
    const by = (type: string, key: unknown, slot: bigint): Hex =>
      keccak256(encodeAbiParameters([{ type }, { type: "uint256" }], [key, slot]));
    fc.assert(
      fc.property(
        address,
        uint,
        uint,
        fc.bigInt({ min: -(2n ** 255n), max: -1n }),
        (account, key, slot, negative) => {
          expect(mappingSlot(slot, account)).to.equal(by("address", account, slot));
          expect(mappingSlot(slot, key)).to.equal(by("uint256", key, slot));
          expect(mappingSlot(slot, negative)).to.equal(by("int256", negative, slot));
          expect(mappingSlot(slot, true)).to.equal(by("bool", true, slot));
          expect(mappingSlot(slot, account, key)).to.equal(
            by("uint256", key, BigInt(by("address", account, slot))),
          );
        },
      ),
    );
    expect(mappingSlot(3, { text: "Zürich" })).to.equal(
      keccak256(encodePacked(["string", "uint256"], ["Zürich", 3n])),
    );
    expect(mappingSlot("0x03", 1)).to.equal(mappingSlot(3n, `0x${"1".padStart(64, "0")}`));
  });

  it("refuses invalid keys", () => {
    for (const key of ["0x12", 2n ** 256n, -(2n ** 255n) - 1n] as const) {
      expect(() => mappingSlot(0n, key)).to.throw(RangeError);
    }
  });

  it("finds the balance of a token's holder", () => {
    const [token, holder]: Hex[] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`];
    const at = (slot: bigint): unknown => ({
      kind: "storage",
      address: token,
      slot: mappingSlot(slot, holder ?? "0x"),
    });
    expect(erc20Balance(token ?? "0x", holder ?? "0x", { slot: 0n })).to.deep.equal(at(0n));
    expect(erc20Balance(token ?? "0x", holder ?? "0x", { slot: 9 })).to.deep.equal(at(9n));
  });

  it("finds the first slot of a namespace by the formula of ERC-7201, and by the values that contracts have", () => {
    expect(erc7201("example.main")).to.equal(
      "0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500",
    );
    expect(erc7201("openzeppelin.storage.ERC20")).to.equal(
      "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00",
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (id) => {
        const before = BigInt(keccak256(stringToBytes(id))) - 1n;
        const whole = BigInt(keccak256(encodeAbiParameters([{ type: "uint256" }], [before])));
        expect(BigInt(erc7201(id))).to.equal(whole - (whole % 256n));
      }),
    );
  });

  it("exist for both booleans and both ends of an integer, and not for malformed text", () => {
    const by = (type: string, key: unknown): Hex =>
      keccak256(encodeAbiParameters([{ type }, { type: "uint256" }], [key, 0n]));
    expect(mappingSlot(0n, false)).to.equal(by("bool", false));
    expect(mappingSlot(0n, true)).to.equal(by("bool", true));
    for (const key of [0n, 2n ** 256n - 1n])
      expect(mappingSlot(0n, key)).to.equal(by("uint256", key));
    expect(mappingSlot(0n, -(2n ** 255n))).to.equal(by("int256", -(2n ** 255n)));
    const account = `0x${"ab".repeat(20)}` as const;
    expect(mappingSlot(0n, account)).to.equal(by("address", account));
    for (const key of [
      `${account}0`,
      `${account}zz`,
      `x${account}`,
      `0x${"ab".repeat(33)}`,
      "ab".repeat(20),
      "0x",
    ]) {
      expect(() => mappingSlot(0n, key), key).to.throw(
        RangeError,
        `"${key}" is not a key of a mapping`,
      );
    }
  });
});
