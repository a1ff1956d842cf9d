import { SimpleMerkleTree } from "@openzeppelin/merkle-tree";
import { expect } from "chai";
import fc from "fast-check";
import { keccak256, type Hex } from "viem";

import {
  batchTree,
  leafHash,
  leafTree,
  outputRoot,
  outputRootInSteps,
  wordRoot,
  wordTree,
} from "../../src/request/merkle.js";
import { hdpThrown } from "../support/failure.js";

const word = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

function rootOf(words: readonly Hex[]): { readonly root: Hex; readonly steps: number } {
  const work = wordRoot(Buffer.from(words.map((one) => one.slice(2)).join(""), "hex"));
  for (let steps = 0; ; steps += 1) {
    const { done, value } = work.next();
    if (done === true) return { root: value, steps };
  }
}

describe("the Merkle tree of a batch", () => {
  it("is OpenZeppelin's for every number of leaves up to 130", () => {
    const leaves = Array.from({ length: 130 }, (_, index) => keccak256(`0x${index.toString(16).padStart(4, "0")}`));
    for (let count = 1; count <= leaves.length; count += 1) expectLibrary(leaves.slice(0, count));
  });

  it("is OpenZeppelin's over any leaves, equal ones among them", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.nat(), (leaves, again) => {
        expectLibrary([...leaves, leaves[again % leaves.length] ?? "0x"]);
      }),
    );
  });

  it("hashes words twice before they are leaves", () => {
    const words = [keccak256("0x01"), keccak256("0x02"), keccak256("0x03")];
    expect(words.map(leafHash)).to.deep.equal(words.map((one) => keccak256(keccak256(one))));
    expect(wordTree(words)).to.deep.equal(leafTree(words.map((one) => keccak256(keccak256(one)))));
  });

  it("has the root that is computed step by step without proofs", () => {
    for (let count = 1; count <= 130; count += 1) {
      const words = Array.from({ length: count }, (_, index) => keccak256(`0x${index.toString(16).padStart(4, "0")}`));
      expect(rootOf(words).root).to.equal(wordTree(words).root);
    }
    const { root, steps } = rootOf(
      Array.from({ length: 5_000 }, (_, index) => keccak256(`0x${index.toString(16).padStart(4, "0")}`)),
    );
    expect(root).to.match(/^0x[0-9a-f]{64}$/);
    expect(steps).to.equal(8);
  });

  it("needs a leaf, and leaves of 32 bytes", () => {
    expect(hdpThrown(() => leafTree([])).code).to.equal("HDP-1123");
    for (const leaf of [
      "0x",
      `0x${"0".repeat(65)}`,
      `0x${"0".repeat(63)}`,
      `0x${"00".repeat(31)}`,
      `0x${"00".repeat(33)}`,
      `0x${"zz".repeat(32)}`,
    ] as const) {
      expect(() => leafTree([leaf]), leaf).to.throw(RangeError, "is not 32 bytes");
    }
  });

  it("is computed over four thousand felts in ten steps", () => {
    const felts = Array.from({ length: 4_000 }, (_, index) => BigInt(index) << 100n);
    const work = outputRootInSteps(felts);
    let steps = 1;
    while (work.next().done !== true) steps += 1;
    // Three pauses among the words, three among the leaves and three among the nodes.
    expect(steps).to.equal(10);
    const words = felts.map(
      (felt): Hex => `0x${Buffer.from(felt.toString(16).padStart(64, "0"), "hex").reverse().toString("hex")}`,
    );
    expect(outputRoot(felts)).to.equal(wordTree(words).root);
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
        `a batch of ${hashes.length} task hashes cannot have ${words.length} results.`,
      ]);
    }
    const { tasksRoot, resultsRoot, taskProofs, resultProofs } = batchTree([a, b], [b, a]);
    const results = [`${a}${b.slice(2)}`, `${b}${a.slice(2)}`].map((both) => keccak256(both as Hex));
    expect({ root: tasksRoot, proofs: taskProofs }).to.deep.equal(wordTree([a, b]));
    expect({ root: resultsRoot, proofs: resultProofs }).to.deep.equal(wordTree(results));
  });
});

function expectLibrary(leaves: readonly Hex[]): void {
  const library = SimpleMerkleTree.of([...leaves], { sortLeaves: false });
  const { root, proofs } = leafTree(leaves);
  expect(root).to.equal(library.root);
  expect(proofs).to.deep.equal(leaves.map((_, index) => library.getProof(index)));
}
