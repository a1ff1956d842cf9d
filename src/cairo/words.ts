import { FELT_PRIME } from "../base/felt.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";

/** The prime of Cairo's field: 2^251 + 17·2^192 + 1. */
export const PRIME = FELT_PRIME;

/**
 * One memory cell as a double, so that a segment is a flat array and small felts cost no allocation:
 *
 * | value                | meaning                                              |
 * |----------------------|------------------------------------------------------|
 * | NaN                  | nothing was written yet                              |
 * | 0 … 2^50 - 1         | the felt itself                                      |
 * | 2^51 + n             | the felt in `Memory.bigs[n]`, which is 2^50 or above |
 * | 2^52 + n             | the felt in the program's `Constants.felts[n]`       |
 * | 2^54 - 2n            | the felt PRIME - n, for n from 1 to 2^50 - 1         |
 * | -(segment·2^32 + offset) - 1 | a pointer                                    |
 *
 * Equal felts near zero, on either side, and equal pointers are equal doubles; equal large felts may have several words.
 */
export type Word = number;

/** Felts below this limit are stored as themselves. */
export const SMALL_LIMIT = 2 ** 50;
/** First word of the felts that are kept in the memory's list. */
export const BIG_BASE = 2 ** 51;
/** First word of the felts that are constants of the program. */
export const CONSTANT_BASE = 2 ** 52;
/** Words of felts a little below the prime start here, and end below the next power of two. */
export const NEGATIVE_BASE = 2 ** 53;
const NEGATIVE_END = 2 ** 54;
/** Cells that a segment can have: the distance between the pointers to two segments. */
export const SEGMENT_SPAN = 2 ** 32;
/** Index of the segment with the program. */
export const PROGRAM_SEGMENT = 0;
/** Index of the segment with the stack. */
export const EXECUTION_SEGMENT = 1;
/** How far from a register an instruction or hint can name a cell. */
export const REACH = 0x8000;
/** The stack starts this far into its segment: no offset of an instruction reaches below it unseen. */
export const STACK_BASE = REACH;
/** Segments of one run at most: this machine's own bound, the architecture has none. */
export const MAX_SEGMENTS = 2 ** 18;
const SMALL_LIMIT_BIGINT = BigInt(SMALL_LIMIT);
const NEGATIVE_FLOOR = PRIME - SMALL_LIMIT_BIGINT;

/** Returns whether nothing was written to a cell. */
export function isUnset(word: Word): boolean {
  return Number.isNaN(word);
}

/** Returns whether a word is a pointer to a cell. */
export function isPointer(word: Word): boolean {
  return word < 0;
}

/** Returns the word that points to a cell. */
export function pointer(segment: number, offset: number): Word {
  return -(segment * SEGMENT_SPAN + offset) - 1;
}

/** Returns the index of the segment that a pointer points into. */
export function pointerSegment(word: Word): number {
  return Math.floor((-word - 1) / SEGMENT_SPAN);
}

/** Returns the offset of the cell in the segment that a pointer points into. */
export function pointerOffset(word: Word): number {
  return (-word - 1) >>> 0;
}

/** Returns the signed integer that a felt stands for; undefined for a felt far from zero. */
export function smallSigned(felt: bigint): number | undefined {
  if (felt < SMALL_LIMIT_BIGINT) return Number(felt);
  return felt > NEGATIVE_FLOOR ? Number(felt - PRIME) : undefined;
}

/** Returns the signed integer that a felt's word stands for; NaN for a felt far from zero. */
export function signedInteger(word: Word): number {
  if (word < SMALL_LIMIT) return word;
  return word >= NEGATIVE_BASE ? (word - NEGATIVE_END) / 2 : NaN;
}

/** Returns the word of an integer whose distance from zero is below `SMALL_LIMIT`. */
export function signedWord(integer: number): Word {
  // Zero has a sign of its own among doubles.
  return integer >= 0 ? integer + 0 : NEGATIVE_END + 2 * integer;
}

/** Returns whether a number is an offset that an instruction can have. */
export function isCellOffset(offset: number): boolean {
  return Number.isInteger(offset) && offset >= -REACH && offset < REACH;
}

/** The large felts of a program's own text. They have one word in every run of the program. */
export class Constants {
  public readonly felts: bigint[] = [];

  /** Returns the word of a felt in 0 … PRIME - 1, which is added to the constants. */
  public word(felt: bigint): Word {
    const small = smallSigned(felt);
    return small === undefined ? CONSTANT_BASE + this.felts.push(felt) - 1 : signedWord(small);
  }
}

/** Returns HDP-7108: the run breaks a rule of the Cairo machine. */
export function inconsistent(problem: string): HdpError {
  return hdpError("HDP-7108", { problem });
}

/** Returns HDP-7108: a builtin's memory is invalid, so that the run cannot be proven. */
export function builtinFailure(builtin: string, problem: string): HdpError {
  return inconsistent(`builtin ${builtin}: ${problem}`);
}

/** Returns the felt of any integer: the integer modulo PRIME, from 0 on. */
export function reduceToFelt(value: bigint): bigint {
  const rest = value % PRIME;
  return rest < 0n ? rest + PRIME : rest;
}

/** Returns the integer nearest to zero that a felt stands for: its meaning as an offset or a jump. */
export function toSigned(felt: bigint): bigint {
  return felt > PRIME / 2n ? felt - PRIME : felt;
}

/** Returns `g = gcd(a, b)` and `x` with `a·x ≡ g (mod b)`, for non-negative `a` and `b` (Bézout). */
export function gcdWithInverse(
  a: bigint,
  b: bigint,
): { readonly gcd: bigint; readonly inverse: bigint } {
  let [previous, current] = [a, b];
  let [x, next] = [1n, 0n];
  while (current !== 0n) {
    const quotient = previous / current;
    [previous, current] = [current, previous - quotient * current];
    [x, next] = [next, x - quotient * next];
  }
  return { gcd: previous, inverse: b === 0n ? x : ((x % b) + b) % b };
}

/** Returns the quotient of two integers in the field, a felt. The divisor must not be 0. */
export function quotient(dividend: bigint, divisor: bigint): bigint {
  return reduceToFelt(dividend * gcdWithInverse(reduceToFelt(divisor), PRIME).inverse);
}

/** Returns the largest integer whose square is not above `value`. */
export function integerSqrt(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const better = (root + value / root) >> 1n;
    if (better >= root) return root;
    root = better;
  }
}
