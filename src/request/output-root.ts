import type { Hex } from "viem";
import { bytesToHex, hexToBytes, keccak256, numberToHex } from "viem/utils";

import { HdpError } from "../base/errors.js";
import { isFelt } from "../base/felt.js";
import { wordTree } from "./merkle.js";

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
  const words = felts.map(littleEndianWord);
  const [first, ...others] = words;
  if (first === undefined) return NOTHING_RETURNED;
  return others.length === 0 ? reverseBytes(keccak256(first)) : wordTree(words).root;
}

function littleEndianWord(felt: bigint, index: number): Hex {
  if (!isFelt(felt)) {
    throw new HdpError({
      code: "HDP-1118",
      path: `felts[${index}]`,
      message: `${felt.toString()} is not a felt.`,
      hints: ["A felt is at least 0 and smaller than 2^251 + 17 * 2^192 + 1."],
    });
  }
  return reverseBytes(numberToHex(felt, { size: 32 }));
}

function reverseBytes(hex: Hex): Hex {
  return bytesToHex(hexToBytes(hex).reverse());
}
