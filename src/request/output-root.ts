import type { Hex } from "viem";

import { isFelt } from "../base/felt.js";
import { splitWord, toWord } from "../base/hex.js";
import { keccak256, keccakBytes } from "../base/keccak.js";
import { bytesToHex, hexToBytes } from "../base/rlp.js";
import { hdpError } from "../errors/hdp-error.js";
import { leavesRoot } from "./merkle.js";
import { quote } from "./reader.js";

const WORD = 32;
/** Bits of a value in a marked felt; its place is above them. */
const PLACE = 128n;
const VALUE_LIMIT = 1n << PLACE;
const WORD_LIMIT = 1n << 256n;
/** The mask of Starknet's keccak, which makes a digest a felt. */
const DIGEST_MASK = (1n << 250n) - 1n;

/** keccak256 of one zero byte: the stored result of a module that returns nothing. */
const NOTHING_RETURNED: Hex = "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a";

/**
 * Returns the word that is stored for a module which returned these felts. It does not fix their order: parents of the
 * tree hash the smaller child first, so that `unorderedRoot([1n, 2n])` is `unorderedRoot([2n, 1n])`. It is for tools and
 * tests. Who acts on claimed values compares {@link rootOfFelt} or {@link rootOfMarked}, of a module that returns this form.
 *
 * Formula (provers since March 2025): felts become 32-byte little-endian words. One felt: keccak256 of its word, the
 * digest byte-reversed. Several: the tree of a batch over the words, the root as it is.
 * @param felts a u256 is two felts (low, high); an array is its length and its items
 * @throws HDP-1118 when a value is not a felt
 */
export function unorderedRoot(felts: readonly bigint[]): Hex {
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
  return leavesRoot(leaves);
}

/**
 * Returns the word that is stored for a module which returned one felt, a digest for instance. It fixes the felt.
 * @throws HDP-1118 when the value is not a felt
 * @example rootOfFelt(outputDigest([price, time]))
 */
export function rootOfFelt(felt: bigint): Hex {
  if (!isFelt(felt)) throw hdpError("HDP-1118", { value: felt }, { path: "felt" });
  return unorderedRoot([felt]);
}

/**
 * Returns felts that carry their places, so that their root fixes their order: felt i is `values[i] + i * 2^128`.
 * @throws HDP-1113 for a value of more than 128 bits, HDP-1127 for fewer than two values
 * @example markedFelts([5n, 7n]) // [5n, 7n + 2n ** 128n]
 */
export function markedFelts(values: readonly bigint[]): readonly bigint[] {
  if (values.length < 2)
    throw notMarked(
      values,
      "they are fewer than two",
      "two values or more, one is a felt (rootOfFelt)",
    );
  return values.map((value, index) => {
    requireBelow(value, VALUE_LIMIT, `values[${index}]`);
    return value + (BigInt(index) << PLACE);
  });
}

/** Returns whether felts have the form of {@link markedFelts}: two or more, felt i between i * 2^128 and (i + 1) * 2^128. */
export function areMarked(felts: readonly bigint[]): boolean {
  return felts.length > 1 && felts.every((felt, index) => felt >> PLACE === BigInt(index));
}

/**
 * Returns the word that is stored for a module which returned `markedFelts(values)`. It fixes the values and their order.
 * @throws HDP-1113, HDP-1127 as {@link markedFelts}
 * @example rootOfMarked([price, time])
 */
export function rootOfMarked(values: readonly bigint[]): Hex {
  return unorderedRoot(markedFelts(values));
}

/**
 * Returns a uint256 as two marked felts: the low 128 bits, and the high 128 bits + 2^128.
 * @throws HDP-1113 when the value is not a uint256
 * @example valueFelts(7n) // [7n, 2n ** 128n]
 */
export function valueFelts(value: bigint): readonly [low: bigint, high: bigint] {
  requireBelow(value, WORD_LIMIT, "value");
  const { low, high } = splitWord(toWord(value));
  return [low, high + VALUE_LIMIT];
}

/**
 * Returns the uint256 of {@link valueFelts}.
 * @throws HDP-1127 unless there are two felts, low < 2^128 <= high < 2^129
 */
export function valueOfFelts(felts: readonly bigint[]): bigint {
  const [low, high] = felts;
  if (felts.length !== 2 || low === undefined || high === undefined || !areMarked(felts)) {
    const expected = "low and high + 2^128, each half below 2^128, in this order";
    throw notMarked(felts, "they are not the two felts of a value", expected);
  }
  return low + ((high - VALUE_LIMIT) << PLACE);
}

/**
 * Returns the word that is stored for a module which returned `valueFelts(value)`, as the standard programs do.
 * @throws HDP-1113 when the value is not a uint256
 * @example rootOfValue(2000n * 10n ** 18n)
 */
export function rootOfValue(value: bigint): Hex {
  return unorderedRoot(valueFelts(value));
}

/** Returns the value whose root a word is, by felts that may be its own; undefined where they are not. */
export function valueOfRoot(word: Hex, felts: readonly bigint[] | undefined): bigint | undefined {
  if (felts?.length !== 2 || !areMarked(felts)) return undefined;
  const value = valueOfFelts(felts);
  return rootOfValue(value) === word ? value : undefined;
}

/**
 * Returns one felt that fixes any number of values: keccak256(word_0 ‖ word_1 ‖ …) & (2^250 - 1), words as 32 bytes,
 * big-endian. Of bytes, the answer of a view call for instance: keccak256(bytes) & (2^250 - 1), the same digest where the
 * bytes are the words.
 * @param output words of a uint256 each, or bytes as hex
 * @throws HDP-1113 when a word is not a uint256, HDP-1128 when hex is not whole bytes
 * @example outputDigest([1n, 2n])
 */
export function outputDigest(output: readonly bigint[] | Hex): bigint {
  return BigInt(keccak256(digestedBytes(output))) & DIGEST_MASK;
}

function digestedBytes(output: readonly bigint[] | Hex): Uint8Array {
  if (typeof output === "string") {
    if (!/^0x(?:[0-9a-f]{2})*$/i.test(output)) throw hdpError("HDP-1128", { value: quote(output) });
    return hexToBytes(output);
  }
  output.forEach((word, index) => requireBelow(word, WORD_LIMIT, `words[${index}]`));
  return Buffer.concat(output.map((word) => hexToBytes(toWord(word))));
}

function requireBelow(value: bigint, limit: bigint, path: string): void {
  if (value >= 0n && value < limit) return;
  throw hdpError("HDP-1113", { value, min: 0n, max: limit - 1n }, { path });
}

function notMarked(felts: readonly bigint[], reason: string, expected: string) {
  return hdpError("HDP-1127", { felts: felts.join(", "), reason, expected });
}
