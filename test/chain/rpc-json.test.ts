import { expect } from "chai";

import { encodedItem } from "../../src/chain/blocks.js";
import {
  asInteger,
  data,
  has,
  rlpInteger,
  listField,
  rpcObject,
} from "../../src/chain/node-rpc.js";
import { hdpThrown } from "../support/failure.js";

const of = (value: unknown) => rpcObject({ it: value }, "block 12");
const refused = (call: () => unknown): string => {
  const error = hdpThrown(call);
  expect(error.code).to.equal("HDP-4102");
  return error.shortMessage;
};

describe("a field of a node's answer", () => {
  it("looks for a field in JSON objects only", () => {
    expect(rpcObject({ a: 1 }, "block 12")).to.deep.equal({ what: "block 12", fields: { a: 1 } });
    for (const [value, shown] of [
      [null, "null"],
      [[], "[]"],
      ["0x", '"0x"'],
      [7, "7"],
      [undefined, "missing"],
    ] as const) {
      expect(refused(() => rpcObject(value, "block 12"))).to.equal(
        `the node's answer has a bad block 12: ${shown}, expected a JSON object.`,
      );
    }
  });

  it("finds a field where it is neither absent nor null", () => {
    for (const value of [0, "", false, "0x", []]) expect(has(of(value), "it")).to.equal(true);
    for (const value of [null, undefined]) expect(has(of(value), "it")).to.equal(false);
    expect(has(of(1), "other")).to.equal(false);
  });

  it("accepts a list and refuses everything else", () => {
    expect(listField(of([1, "2"]), "it")).to.deep.equal([1, "2"]);
    for (const value of [{}, "[]", null, undefined, { length: 1 }]) {
      expect(refused(() => listField(of(value), "it")))
        .to.contain('bad field "it" of block 12')
        .and.to.contain("a list");
    }
  });

  it("reads hex of whole bytes in lower case, as many as are asked for", () => {
    expect(data(of("0x"), "it")).to.equal("0x");
    expect(data(of("0xabcd"), "it")).to.equal("0xabcd");
    expect(data(of("0xAbCd"), "it", 2)).to.equal("0xabcd");
    expect(data(of("0XABCD"), "it", 2)).to.equal("0xabcd");
    for (const value of [
      "0xabc",
      "abcd",
      "0xabcg",
      "x0xab",
      "ab0xcd",
      "0xab\n",
      "",
      7,
      null,
      undefined,
      ["0xab"],
    ]) {
      expect(refused(() => data(of(value), "it"))).to.match(/expected hex bytes\.$/);
    }
    for (const value of ["0xab", "0xabcdef", "0xABCDEF", "0xabc"]) {
      expect(refused(() => data(of(value), "it", 2))).to.match(/expected 2 bytes of hex\.$/);
    }
  });

  it("reads an integer in the form that RLP stores", () => {
    for (const [value, item] of [
      ["0x0", "0x"],
      ["0x000", "0x"],
      ["0x1", "0x01"],
      ["0x0f", "0x0f"],
      ["0x00ABC", "0x0abc"],
      ["0x100", "0x0100"],
      ["0xABCD", "0xabcd"],
    ] as const) {
      expect(rlpInteger(of(value), "it")).to.equal(item);
      expect(asInteger(value, "block 12", "it")).to.equal(BigInt(value));
    }
    for (const value of [
      "0x",
      "12",
      "0xg",
      " 0x1",
      "0x1 ",
      12,
      12n.toString(),
      null,
      undefined,
      ["0x1"],
    ]) {
      expect(refused(() => rlpInteger(of(value), "it"))).to.match(
        /expected a hex integer of at most 64 digits\.$/,
      );
      expect(refused(() => asInteger(value, "block 12", "it"))).to.match(
        /expected a hex integer of at most 64 digits\.$/,
      );
    }
  });

  it("holds a value to the width of its type", () => {
    const widths = { bytes8: 8, address: 20, bytes32: 32, bytes256: 256 } as const;
    for (const [type, bytes] of Object.entries(widths) as [keyof typeof widths, number][]) {
      const right = `0x${"ab".repeat(bytes)}`;
      expect(encodedItem(of(right), "it", type)).to.equal(right);
      expect(refused(() => encodedItem(of(`${right}ab`), "it", type))).to.contain(
        `expected ${bytes} bytes of hex`,
      );
    }
    expect(encodedItem(of("0x0a"), "it", "integer")).to.equal("0x0a");
    expect(encodedItem(of("0x00"), "it", "integer")).to.equal("0x");
    expect(encodedItem(of("0x00"), "it", "bytes")).to.equal("0x00");
  });

  it("quotes a value with no more than 80 characters", () => {
    const message = refused(() => data(of("y".repeat(500)), "it"));
    expect(message).to.equal(
      `the node's answer has a bad field "it" of block 12: "${"y".repeat(79)}, expected hex bytes.`,
    );
  });
});
