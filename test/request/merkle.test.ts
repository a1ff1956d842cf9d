import { SimpleMerkleTree } from "@openzeppelin/merkle-tree";
import { expect } from "chai";
import fc from "fast-check";
import { keccak256, type Hex } from "viem";

import { batchTree, leafHash, unorderedRoot, wordTree } from "../../src/entries/request.js";
import { hdpThrown } from "../support/failure.js";

const word = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

describe("the Merkle tree of a batch", () => {
  it("matches OpenZeppelin's tree for every number of leaves up to 34, and around 64 and 128", () => {
    const words = Array.from({ length: 130 }, (_, index) =>
      keccak256(`0x${index.toString(16).padStart(4, "0")}`),
    );
    const counts = [
      ...Array.from({ length: 34 }, (_, index) => index + 1),
      62,
      63,
      64,
      65,
      66,
      127,
      128,
      129,
      130,
    ];
    for (const count of counts) expectLibrary(words.slice(0, count));
  });

  it("matches OpenZeppelin's tree over any words, equal ones among them", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.nat(), (words, again) => {
        expectLibrary([...words, words[again % words.length] ?? "0x"]);
      }),
    );
  });

  it("hashes words twice before they are leaves", () => {
    const words = [keccak256("0x01"), keccak256("0x02"), keccak256("0x03")];
    const leaves = words.map((one) => keccak256(keccak256(one)));
    expect(words.map(leafHash)).to.deep.equal(leaves);
    expect(wordTree(words).root).to.equal(SimpleMerkleTree.of(leaves, { sortLeaves: false }).root);
  });

  it("needs a word", () => {
    expect(hdpThrown(() => wordTree([])).code).to.equal("HDP-1123");
  });

  it("matches the output root of two to 130 felts", () => {
    const felts = Array.from(
      { length: 130 },
      (_, index) => BigInt(keccak256(`0x${"00".repeat(index)}`)) >> 8n,
    );
    for (let count = 2; count <= felts.length; count += 1) {
      const some = felts.slice(0, count);
      expect(unorderedRoot(some)).to.equal(wordTree(some.map(littleEndian)).root);
    }
  });

  it("needs at least one task and one result for each", () => {
    const [a, b] = [keccak256("0x01"), keccak256("0x02")];
    for (const [hashes, words] of [
      [[], []],
      [[a], []],
      [[], [a]],
      [[a, b], [a]],
    ] as const) {
      const error = hdpThrown(() => batchTree(hashes, words));
      expect([error.code, error.shortMessage]).to.deep.equal([
        "HDP-1123",
        `${hashes.length} task hashes need one result each, not ${words.length} in all.`,
      ]);
    }
    const { tasksRoot, resultsRoot, taskProofs, resultProofs } = batchTree([a, b], [b, a]);
    const results = [`${a}${b.slice(2)}`, `${b}${a.slice(2)}`].map((both) =>
      keccak256(both as Hex),
    );
    expect({ root: tasksRoot, proofs: taskProofs }).to.deep.equal(wordTree([a, b]));
    expect({ root: resultsRoot, proofs: resultProofs }).to.deep.equal(wordTree(results));
  });
});

function littleEndian(felt: bigint): Hex {
  return `0x${Buffer.from(felt.toString(16).padStart(64, "0"), "hex").reverse().toString("hex")}`;
}

function expectLibrary(words: readonly Hex[]): void {
  const library = SimpleMerkleTree.of(words.map(leafHash), { sortLeaves: false });
  const { root, proofs } = wordTree(words);
  expect(root).to.equal(library.root);
  expect(proofs).to.deep.equal(words.map((_, index) => library.getProof(index)));
}
