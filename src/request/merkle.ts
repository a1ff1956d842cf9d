import type { Hex } from "viem";
import { bytesToHex, concatHex, numberToHex } from "viem/utils";

import { isFelt } from "../base/felt.js";
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

/** Returns a result as the 32-byte word that a store keeps. */
export function resultWord(value: bigint): Hex {
  return numberToHex(value, { size: 32 });
}

export interface WordTree {
  readonly root: Hex;
  /** The inclusion proof of each word, in the given order; an empty list for a single word. */
  readonly proofs: readonly (readonly Hex[])[];
}

/** Returns the tree over words in order, of the shape of OpenZeppelin's StandardMerkleTree but with unsorted leaves. */
export function wordTree(words: readonly Hex[]): WordTree {
  return leafTree(words.map(leafHash));
}

export function leafTree(leaves: readonly Hex[]): WordTree {
  if (leaves.length === 0) throw hdpError("HDP-1123", { tasks: 0, results: 0 });
  const nodes = treeOf(Buffer.concat(leaves.map(hexToBytes)));
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

/** Makes a tree of 32-byte leaves: root first, the children of node i at 2i+1 and 2i+2, the leaves last in reverse. */
function treeOf(leaves: Uint8Array): Buffer {
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

export interface BatchTree {
  readonly tasksRoot: Hex;
  readonly resultsRoot: Hex;
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

/** keccak256 of one zero byte: the stored result of a module that returns nothing. */
const NOTHING_RETURNED: Hex = "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a";

/**
 * Returns the stored result of a module task: the root over the felts its entry function returned.
 * Formula (provers since March 2025): felts become 32-byte little-endian words. One felt: keccak256 of its word, the
 * digest byte-reversed. Several: the tree of a batch over the words, the root as it is.
 * @param felts a u256 is two felts (low, high); an array is its length and its items
 * @throws HDP-1118 when a value is not a felt
 */
export function outputRoot(felts: readonly bigint[]): Hex {
  if (felts.length === 0) return NOTHING_RETURNED;
  const word = Buffer.alloc(WORD);
  const leaves = Buffer.alloc(felts.length * WORD);
  for (const [index, felt] of felts.entries()) {
    if (!isFelt(felt)) throw hdpError("HDP-1118", { value: felt }, { path: `felts[${index}]` });
    for (let part = 0; part < 4; part += 1) {
      word.writeBigUInt64LE(BigInt.asUintN(64, felt >> BigInt(part * 64)), part * 8);
    }
    leaves.set(keccakBytes(keccakBytes(word)), index * WORD);
  }
  if (felts.length === 1) return bytesToHex(keccakBytes(word).reverse());
  return `0x${treeOf(leaves).toString("hex", 0, WORD)}`;
}
