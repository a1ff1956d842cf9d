import { expect } from "chai";
import fc from "fast-check";
import { type Hex, toHex, toRlp, keccak256 as viemKeccak256 } from "viem";

import { keccak256, keccakBytes } from "../../src/base/keccak.js";
import {
  encodeRlp,
  hexToBytes,
  integerItem,
  itemInteger,
  listStrings,
  type RlpItem,
} from "../../src/base/rlp.js";

const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => toHex(value));
const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, bytes, fc.array(tie("item"), { maxLength: 6 })),
}));

describe("RLP and keccak", () => {
  it("encodes as viem does", () => {
    fc.assert(fc.property(item, (value) => encodeRlp(value) === toRlp(value as Hex)));
    expect(encodeRlp("0x7f")).to.equal("0x7f");
    expect(encodeRlp("0x80")).to.equal("0x8180");
    expect(encodeRlp(`0x${"11".repeat(70_000)}`)).to.equal(toRlp(`0x${"11".repeat(70_000)}`));
  });

  it("hashes as viem does", () => {
    fc.assert(fc.property(bytes, (value) => keccak256(hexToBytes(value)) === viemKeccak256(value)));
    expect(toHex(keccakBytes(hexToBytes("0x")))).to.equal(viemKeccak256("0x"));
  });

  it("stores integers minimally and reads them back", () => {
    expect(integerItem(0n)).to.equal("0x");
    expect(integerItem(256n)).to.equal("0x0100");
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 1n << 256n }),
        (n) => itemInteger(integerItem(n)) === n,
      ),
    );
  });

  it("reads a list of nothing but byte strings, written in the one way that there is", () => {
    const strings = (rlp: Hex): readonly Hex[] =>
      listStrings(hexToBytes(rlp)).map((string) => toHex(string));
    fc.assert(
      fc.property(
        fc.array(bytes, { maxLength: 6 }),
        (list) => strings(encodeRlp(list)).join() === list.join(),
      ),
    );
    // No list; two of them; one that ends early or late, holds a list, or is written longer than it has to be.
    for (const rlp of [
      "0x",
      "0x05",
      "0xc0c0",
      "0xc1",
      "0xc00a",
      "0xc1c0",
      "0xc28101",
      "0xf80101",
    ] as const) {
      expect(() => strings(rlp), rlp).to.throw(RangeError);
    }
  });
});
