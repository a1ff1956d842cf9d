import { FELT_PRIME } from "../base/felt.js";

/** The field of Cairo: integers modulo 2^251 + 17·2^192 + 1. */
export const PRIME = FELT_PRIME;

/** The representative in 0 … PRIME - 1 of any integer. */
export function toFelt(value: bigint): bigint {
  const rest = value % PRIME;
  return rest < 0n ? rest + PRIME : rest;
}

/** The representative nearest to zero: what a felt means as an offset or a jump. */
export function toSigned(felt: bigint): bigint {
  return felt > PRIME / 2n ? felt - PRIME : felt;
}

/** Bézout: `g = gcd(a, b)` and `x` with `a·x ≡ g (mod b)`, for non-negative `a` and `b`. */
export function gcdWithInverse(a: bigint, b: bigint): { readonly gcd: bigint; readonly inverse: bigint } {
  let [previous, current] = [a, b];
  let [x, next] = [1n, 0n];
  while (current !== 0n) {
    const quotient = previous / current;
    [previous, current] = [current, previous - quotient * current];
    [x, next] = [next, x - quotient * next];
  }
  return { gcd: previous, inverse: b === 0n ? x : ((x % b) + b) % b };
}

/** The multiplicative inverse of a non-zero felt. */
export function inverseFelt(felt: bigint): bigint {
  return gcdWithInverse(felt, PRIME).inverse;
}

/** The largest integer whose square is not above `value`. */
export function integerSqrt(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const better = (root + value / root) >> 1n;
    if (better >= root) return root;
    root = better;
  }
}
