import { SimpleMerkleTree } from "@openzeppelin/merkle-tree";
import type { Hex } from "viem";
import { concatHex, keccak256, numberToHex } from "viem/utils";

import { HdpError } from "../base/errors.js";

/** Leaf of a task or result commitment: keccak256 of keccak256, so that no inner node can pass for a leaf. */
export function leafHash(word: Hex): Hex {
  return keccak256(keccak256(word));
}

/** keccak256(task hash ‖ result word): what the results tree of a batch commits to. */
export function resultCommitment(taskHash: Hex, word: Hex): Hex {
  return keccak256(concatHex([taskHash, word]));
}

/** A result as the 32-byte word a store keeps. */
export function resultWord(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

export interface WordTree {
  readonly root: Hex;
  /** The inclusion proof of each word, in the given order; empty lists for a single word. */
  readonly proofs: readonly (readonly Hex[])[];
}

/**
 * The tree over words in their given order: shape of OpenZeppelin's StandardMerkleTree (2n−1 nodes, smaller child
 * hashed first), but with unsorted leaves.
 */
export function wordTree(words: readonly Hex[]): WordTree {
  return leafTree(words.map(leafHash));
}

/** The same over leaves that are already hashed. */
export function leafTree(leaves: readonly Hex[]): WordTree {
  const tree = SimpleMerkleTree.of([...leaves], { sortLeaves: false });
  return { root: toHex(tree.root), proofs: leaves.map((_, index) => tree.getProof(index).map(toHex)) };
}

export interface BatchTree {
  readonly tasksRoot: Hex;
  readonly resultsRoot: Hex;
  readonly taskProofs: readonly (readonly Hex[])[];
  readonly resultProofs: readonly (readonly Hex[])[];
}

/**
 * Roots and proofs with which a store authenticates a batch: one tree over the task hashes, one over the result
 * commitments, both in request order.
 *
 * @throws HDP-1123 when there is no task or not one word for each
 */
export function batchTree(taskHashes: readonly Hex[], words: readonly Hex[]): BatchTree {
  if (taskHashes.length === 0 || taskHashes.length !== words.length) {
    throw new HdpError({
      code: "HDP-1123",
      message: `A batch of ${taskHashes.length} task hashes cannot have ${words.length} results.`,
      hints: ["A batch has at least one task and exactly one result word for each, in the same order."],
    });
  }
  const commitments = words.map((word, index) => resultCommitment(taskHashes[index] ?? "0x", word));
  const tasks = wordTree(taskHashes);
  const results = wordTree(commitments);
  return {
    tasksRoot: tasks.root,
    resultsRoot: results.root,
    taskProofs: tasks.proofs,
    resultProofs: results.proofs,
  };
}

function toHex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
