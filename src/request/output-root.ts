import type { Hex } from "viem";
import { bytesToHex, hexToBytes } from "viem/utils";

import { HdpError } from "../base/errors.js";
import { isFelt } from "../base/felt.js";
import { keccak256 } from "../base/keccak.js";
import { wordRoot } from "./merkle.js";

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

const WORD = 32;
const PARTS = 4;
const PART_MASK = 2n ** 64n - 1n;
/** Felts between two steps: some of a millisecond. */
const STEP = 0x3ff;

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
