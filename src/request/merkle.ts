import type { Hex } from "viem";
import { concatHex, numberToHex } from "viem/utils";

import { keccak256, keccakBytes } from "../base/keccak.js";
import { hexToBytes } from "../base/rlp.js";
import { hdpError } from "../errors/hdp-error.js";

const WORD = 32;

/** Returns the leaf of a task or result commitment: keccak256(keccak256(word)), which an inner node cannot equal. */
export function leafHash(word: Hex): Hex {
  return keccak256(keccakBytes(hexToBytes(word)));
}

/** Returns keccak256(task hash ‖ result word), a word of the results tree of a batch. */
export function resultCommitment(taskHash: Hex, word: Hex): Hex {
  return keccak256(hexToBytes(concatHex([taskHash, word])));
}

const WORD_LIMIT = 1n << 256n;

/**
 * Returns a result as the 32-byte word that a store keeps.
 * @throws HDP-1113 when the value is not a uint256
 */
export function resultWord(value: bigint): Hex {
  if (value < 0n || value >= WORD_LIMIT)
    throw hdpError("HDP-1113", { value, min: 0n, max: WORD_LIMIT - 1n }, { path: "value" });
  return numberToHex(value, { size: 32 });
}

/** The tree over the words of one result. */
export interface WordTree {
  readonly root: Hex;
  /** The inclusion proof of each word, in the given order; an empty list for a single word. */
  readonly proofs: readonly (readonly Hex[])[];
}

/** Returns the tree over words in order, of the shape of OpenZeppelin's StandardMerkleTree but with unsorted leaves. */
export function wordTree(words: readonly Hex[]): WordTree {
  return leafTree(words.map(leafHash));
}

/** Returns the Merkle tree over leaves that are hashes already, with the proof of each. */
export function leafTree(leaves: readonly Hex[]): WordTree {
  if (leaves.length === 0) throw hdpError("HDP-1123", { tasks: 0, results: 0 });
  const nodes = merkleTree(Buffer.concat(leaves.map(hexToBytes)));
  const node = (index: number): Hex =>
    `0x${nodes.toString("hex", index * WORD, (index + 1) * WORD)}`;
  const last = 2 * leaves.length - 2;
  const proofs = leaves.map((_, index) => {
    const proof: Hex[] = [];
    for (let at = last - index; at > 0; at = (at - 1) >> 1)
      proof.push(node(at % 2 === 0 ? at - 1 : at + 1));
    return proof;
  });
  return { root: node(0), proofs };
}

/** Returns the root over 32-byte leaves, at least one. */
export function leavesRoot(leaves: Uint8Array): Hex {
  return `0x${merkleTree(leaves).toString("hex", 0, WORD)}`;
}

/** Makes a tree of 32-byte leaves: root first, the children of node i at 2i+1 and 2i+2, the leaves last in reverse. */
function merkleTree(leaves: Uint8Array): Buffer {
  const count = leaves.length / WORD;
  const last = 2 * count - 2;
  const tree = Buffer.alloc((last + 1) * WORD);
  const at = (node: number): Buffer => tree.subarray(node * WORD, (node + 1) * WORD);
  for (let index = 0; index < count; index += 1) {
    tree.set(leaves.subarray(index * WORD, (index + 1) * WORD), (last - index) * WORD);
  }
  const pair = Buffer.alloc(2 * WORD);
  for (let node = count - 2; node >= 0; node -= 1) {
    const [left, right] = [at(2 * node + 1), at(2 * node + 2)];
    const isOrdered = Buffer.compare(left, right) <= 0;
    pair.set(left, isOrdered ? 0 : WORD);
    pair.set(right, isOrdered ? WORD : 0);
    tree.set(keccakBytes(pair), node * WORD);
  }
  return tree;
}

/** The roots of the two trees of a batch. */
export interface BatchRoots {
  readonly tasksRoot: Hex;
  readonly resultsRoot: Hex;
}

/** The trees over the tasks and results of a batch. */
export interface BatchTree extends BatchRoots {
  readonly taskProofs: readonly (readonly Hex[])[];
  readonly resultProofs: readonly (readonly Hex[])[];
}

/**
 * Returns the roots and proofs of a batch for the execution store: one tree over the task hashes, one over the result
 * commitments, both in request order.
 * @throws HDP-1123 if there is no task, or not exactly one word for each
 */
export function batchTree(taskHashes: readonly Hex[], words: readonly Hex[]): BatchTree {
  if (taskHashes.length === 0 || taskHashes.length !== words.length) {
    throw hdpError("HDP-1123", { tasks: taskHashes.length, results: words.length });
  }
  const { root: tasksRoot, proofs: taskProofs } = wordTree(taskHashes);
  const commitments = taskHashes.map((hash, index) => resultCommitment(hash, words[index] ?? "0x"));
  const { root: resultsRoot, proofs: resultProofs } = wordTree(commitments);
  return { tasksRoot, resultsRoot, taskProofs, resultProofs };
}
