import type { Hex } from "viem";
import { bytesToHex, concatHex, numberToHex } from "viem/utils";

import { isFelt } from "../base/felt.js";
import { keccak256, keccakBytes } from "../base/keccak.js";
import { hexToBytes } from "../base/rlp.js";
import { HdpError } from "../errors/hdp-error.js";

const WORD = 32;

/** Leaf of a task or result commitment: keccak256 of keccak256, so that no inner node can pass for a leaf. */
export function leafHash(word: Hex): Hex {
  return keccak256(keccakBytes(hexToBytes(word)));
}

/** keccak256(task hash ‖ result word): what the results tree of a batch commits to. */
export function resultCommitment(taskHash: Hex, word: Hex): Hex {
  return keccak256(hexToBytes(concatHex([taskHash, word])));
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

/**
 * The same over leaves that are already hashed. The tree is a list: the root first, the children of node i at 2i+1 and
 * 2i+2, the leaves at the end in reverse.
 *
 * @throws HDP-1123 when there is no leaf; RangeError for a leaf that is not 32 bytes
 */
export function leafTree(leaves: readonly Hex[]): WordTree {
  if (leaves.length === 0) throw unmatched(0, 0);
  const last = 2 * leaves.length - 2;
  const tree = new Array<Buffer>(last + 1);
  for (const [index, leaf] of leaves.entries()) {
    const bytes = Buffer.from(hexToBytes(leaf));
    if (bytes.length !== WORD || leaf.length !== 2 + 2 * WORD) throw new RangeError(`the leaf ${leaf} is not 32 bytes`);
    tree[last - index] = bytes;
  }
  const node = (index: number): Buffer => tree[index] ?? Buffer.alloc(0);
  for (let index = leaves.length - 2; index >= 0; index -= 1) {
    const children = [node(2 * index + 1), node(2 * index + 2)].sort((one, other) => Buffer.compare(one, other));
    tree[index] = Buffer.from(keccakBytes(Buffer.concat(children)));
  }
  const nodes = tree.map((bytes): Hex => `0x${bytes.toString("hex")}`);
  return { root: nodes[0] ?? "0x", proofs: leaves.map((_, index) => proofAt(nodes, last - index)) };
}

/** The sibling of each node from a leaf up to the root. */
function proofAt(nodes: readonly Hex[], leaf: number): Hex[] {
  const proof: Hex[] = [];
  for (let index = leaf; index > 0; index = (index - 1) >> 1) {
    proof.push(nodes[index % 2 === 0 ? index - 1 : index + 1] ?? "0x");
  }
  return proof;
}

/** Hashes between two steps: some of a millisecond. */
const STEP = 0x3ff;

/**
 * The root of {@link wordTree} without its proofs, step by step and in little memory: for trees of any size.
 *
 * @param words 32 bytes each, one after the other; at least one
 */
export function* wordRoot(words: Uint8Array): Generator<undefined, Hex> {
  const count = words.length / WORD;
  const last = 2 * count - 2;
  const tree = Buffer.alloc((last + 1) * WORD);
  const at = (node: number): Buffer => tree.subarray(node * WORD, (node + 1) * WORD);
  for (let index = 0; index < count; index += 1) {
    if ((index & STEP) === STEP) yield;
    tree.set(keccakBytes(keccakBytes(words.subarray(index * WORD, (index + 1) * WORD))), (last - index) * WORD);
  }
  const pair = Buffer.alloc(2 * WORD);
  for (let node = count - 2; node >= 0; node -= 1) {
    if ((node & STEP) === STEP) yield;
    const [left, right] = [at(2 * node + 1), at(2 * node + 2)];
    const isOrdered = Buffer.compare(left, right) <= 0;
    pair.set(left, isOrdered ? 0 : WORD);
    pair.set(right, isOrdered ? WORD : 0);
    tree.set(keccakBytes(pair), node * WORD);
  }
  return `0x${at(0).toString("hex")}`;
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
    throw unmatched(taskHashes.length, words.length);
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

function unmatched(taskHashes: number, words: number): HdpError {
  return new HdpError({
    code: "HDP-1123",
    message: `A batch of ${taskHashes} task hashes cannot have ${words} results.`,
    hints: ["A batch has at least one task and exactly one result word for each, in the same order."],
  });
}

/** keccak256 of one zero byte: the stored result of a module that returns nothing. */
const NOTHING_RETURNED: Hex = "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a";

/**
 * The stored result of a module task: the root over the felts its entry function returned.
 *
 * Formula (provers since March 2025): felts become 32-byte little-endian words. One felt: keccak256 of its word, the
 * digest byte-reversed. Several: the tree of a batch over the words, the root as it is.
 *
 * @param felts a u256 is two felts (low, high); an array is its length and its items
 * @throws HDP-1118 when a value is not a felt
 */
export function outputRoot(felts: readonly bigint[]): Hex {
  const steps = outputRootInSteps(felts);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same step by step, for who has other work meanwhile. @throws as {@link outputRoot} */
export function* outputRootInSteps(felts: readonly bigint[]): Generator<undefined, Hex> {
  if (felts.length === 0) return NOTHING_RETURNED;
  const words = new Uint8Array(felts.length * WORD);
  const view = new DataView(words.buffer);
  for (const [index, felt] of felts.entries()) {
    if ((index & STEP) === STEP) yield;
    requireFelt(felt, index);
    for (let part = 0; part < PARTS; part += 1) {
      view.setBigUint64(index * WORD + part * 8, (felt >> BigInt(part * 64)) & PART_MASK, true);
    }
  }
  return felts.length === 1 ? reverseBytes(keccak256(words)) : yield* wordRoot(words);
}

const PARTS = 4;
const PART_MASK = 2n ** 64n - 1n;

function requireFelt(felt: bigint, index: number): void {
  if (isFelt(felt)) return;
  throw new HdpError({
    code: "HDP-1118",
    path: `felts[${index}]`,
    message: `${felt.toString()} is not a felt.`,
    hints: ["A felt is at least 0 and smaller than 2^251 + 17 * 2^192 + 1."],
  });
}

function reverseBytes(hex: Hex): Hex {
  return bytesToHex(hexToBytes(hex).reverse());
}
