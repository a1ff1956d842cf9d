import { PRIME } from "./field.js";

/**
 * One memory cell as a double, so that a segment is a flat array and small felts cost no allocation:
 *
 * | value                | meaning                                              |
 * |----------------------|------------------------------------------------------|
 * | NaN                  | nothing was written yet                              |
 * | 0 … 2^50 - 1         | the felt itself                                      |
 * | 2^51 + n             | the felt in `Memory.bigs[n]`, which is 2^50 or above |
 * | 2^52 + n             | the same in the program's `Constants.felts[n]`       |
 * | -(segment·2^32 + offset) - 1 | a pointer                                    |
 *
 * Equal small felts and equal pointers are equal doubles; equal large felts may have several words.
 */
export type Word = number;

export const SMALL_LIMIT = 2 ** 50;
export const BIG_BASE = 2 ** 51;
export const CONSTANT_BASE = 2 ** 52;
export const SEGMENT_SPAN = 2 ** 32;
/** Segments of one run at most: this machine's own bound, the architecture has none. */
export const MAX_SEGMENTS = 2 ** 18;
const SMALL_LIMIT_BIGINT = BigInt(SMALL_LIMIT);
const NEGATIVE_FLOOR = PRIME - SMALL_LIMIT_BIGINT;

export function isUnset(word: Word): boolean {
  return Number.isNaN(word);
}

export function isPointer(word: Word): boolean {
  return word < 0;
}

export function pointer(segment: number, offset: number): Word {
  return -(segment * SEGMENT_SPAN + offset) - 1;
}

export function segmentOf(word: Word): number {
  return Math.floor((-word - 1) / SEGMENT_SPAN);
}

export function offsetOf(word: Word): number {
  return (-word - 1) >>> 0;
}

/** The signed small integer a felt stands for, or undefined when it is far from zero. */
export function smallSigned(felt: bigint): number | undefined {
  if (felt < SMALL_LIMIT_BIGINT) return Number(felt);
  return felt > NEGATIVE_FLOOR ? Number(felt - PRIME) : undefined;
}
