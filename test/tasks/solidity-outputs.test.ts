import { expect } from "chai";
import { type Hex, numberToHex } from "viem";
import { encodePacked, toHex } from "viem/utils";

import {
  outputDigest,
  rootOfFelt,
  rootOfMarked,
  rootOfValue,
  unorderedRoot,
} from "../../src/entries/request.js";
import { findOutputs } from "../../src/submission/output-words.js";
import { explained, numbersIn } from "../../src/tasks/development/solidity-outputs.js";

describe("outputs of Solidity tests", () => {
  it("finds the numbers of a source, in units, with exponents and in hexadecimal digits", () => {
    const source = `pragma solidity ^0.8.21;
contract T1 { uint256 constant A = 7 gwei; uint256 b = 1_000; uint c = 1.5 ether; uint d = 2e3;
function f(uint256 x9) { g(0xFf, 12, 1e99, [3,4]); } }`;
    expect(numbersIn(source)).to.deep.equal([
      7_000_000_000n,
      1_000n,
      1_500_000_000_000_000_000n,
      2_000n,
      255n,
      12n,
      3n,
      4n,
    ]);
  });

  it("leaves the places and the lengths of arrays out of the numbers", () => {
    const source =
      "uint128[3] memory a; uint256[] memory b = new uint256[](4); (b[0], b[12]) = (7, f([5, 6]));";
    expect(numbersIn(source)).to.deep.equal([7n, 5n, 6n]);
  });

  it("says what a word stands for, by numbers that have it", () => {
    const numbers = [5n, 2n ** 255n, 7n];
    const found = (word: Hex): string | undefined => findOutputs([word], numbers).get(word);
    expect(found(rootOfFelt(7n))).to.equal("felt 7");
    expect(found(rootOfValue(7n))).to.equal("marked_u256 7");
    expect(found(rootOfValue(2n ** 255n))).to.equal(`marked_u256 ${2n ** 255n}`);
    expect(found(numberToHex(8n, { size: 32 }))).to.equal("plain word 8");
    expect(found(rootOfFelt(1n))).to.equal("felt 1");
    for (const root of [rootOfFelt(800n), rootOfValue(800n)])
      expect(found(root)).to.equal(undefined);
  });

  it("says what a word stands for, by lists of numbers in whatever order and form", () => {
    const numbers = [5n, 2n ** 255n, 7n];
    const found = (word: Hex): string | undefined => findOutputs([word], numbers).get(word);
    expect(found(rootOfMarked([7n, 5n]))).to.equal("marked [7, 5]");
    expect(found(rootOfMarked([7n, 7n, 5n, 7n, 5n]))).to.equal("marked [7, 7, 5, 7, 5]");
    expect(found(rootOfFelt(outputDigest([7n, 2n ** 255n])))).to.equal(`digest [7, ${2n ** 255n}]`);
    expect(found(unorderedRoot([7n, 5n]))).to.equal("felts [5, 7], in any order");
    for (const root of [rootOfMarked([7n, 8n]), rootOfMarked([7n, 7n, 7n, 7n, 7n, 7n])])
      expect(found(root)).to.equal(undefined);
  });

  it("says that numbers were packed where the result is the digest of their words, and the other way", () => {
    const account = 0x52908400098527886e0f7030069857d2e4169ee7n;
    const text = `address constant ALICE = 0x52908400098527886E0F7030069857D2E4169EE7;
function test_packs() public { update(ALICE, 75 ether, 1_730_000_000); }`;
    const numbers = [account, 75n * 10n ** 18n, 1_730_000_000n];
    const types = ["address", "uint128", "uint64"];
    const encoded = rootOfFelt(outputDigest(numbers));
    const packed = rootOfFelt(
      outputDigest(encodePacked(types, [toHex(account), ...numbers.slice(1)])),
    );
    const list = "[0x52908400098527886e0f7030069857d2e4169ee7, 75000000000000000000, 1730000000]";
    const same = "digest of the same numbers packed, abi.encodePacked(address, uint128, uint64)";
    const lines = (brought: Hex, word: Hex) =>
      explained({ kind: "root", value: BigInt(brought), word }, text, "test_packs");
    expect(lines(packed, encoded)).to.deep.equal([
      `Difference: output (asked: ${same}, there: digest ${list}, abi.encode)`,
    ]);
    expect(lines(encoded, packed)).to.deep.equal([
      `Difference: output (asked: digest ${list}, abi.encode, there: ${same})`,
    ]);
    const other = rootOfFelt(outputDigest(encodePacked(["uint128"], [75n])));
    expect(lines(other, encoded)).to.deep.equal([
      `Difference: output (asked: ${other}, there: digest ${list})`,
    ]);
  });

  it("explains a list in another order, by the numbers of the test's own function first", () => {
    const others = Array.from(
      { length: 100 },
      (_, at) => `uint256 constant N${at} = ${at + 1000};`,
    );
    const text = `${others.join("\n")}
function test_marks() public { finalizeMarked(task, [3, 7000, 12, 99]); }`;
    const refused = (brought: Hex, word: Hex) =>
      ({ kind: "root", value: BigInt(brought), word }) as const;
    const stored = rootOfMarked([3n, 7000n, 12n, 99n]);
    const swapped = rootOfMarked([3n, 7000n, 99n, 12n]);
    expect(explained(refused(swapped, stored), text, "test_marks")).to.deep.equal([
      "Difference: output (asked: marked [3, 7000, 99, 12], there: marked [3, 7000, 12, 99])",
    ]);
    const unknown = rootOfMarked([3n, 8000n]);
    expect(explained(refused(unknown, stored), text, "test_marks")).to.deep.equal([
      `Difference: output (asked: ${unknown}, there: marked [3, 7000, 12, 99])`,
    ]);
    const value = { kind: "value", value: 3n, word: stored } as const;
    expect(explained(value, text, "test_marks")).to.deep.equal([
      "Difference: output (asked: value 3, there: marked [3, 7000, 12, 99])",
    ]);
  });

  it("says that no number of the file has a root", () => {
    const [root, other] = [rootOfMarked([3n, 8000n]), rootOfMarked([8000n, 3n])];
    const none = "No number of the test's file that was tried, alone or in a list of up to 5, has";
    const refused = { kind: "root", value: BigInt(other), word: root } as const;
    expect(explained(refused, "f(3);", "test")).to.deep.equal([
      `${none} the root that was brought, or the stored one.`,
    ]);
    expect(explained({ kind: "value", value: 4n, word: root }, "f(3);", "test")).to.deep.equal([
      `${none} the stored root ${root}.`,
    ]);
  });
});
