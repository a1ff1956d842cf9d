import { poseidonHashMany as hashMany, poseidonSmall } from "@scure/starknet";

import { FELT_PRIME } from "../felt.js";

const FULL_ROUNDS_EACH_SIDE = 4;
/** Rounds after which the lanes that a partial round does not cube are reduced: they grow by two bits a round. */
const REDUCE_EVERY = 8;

const constants = poseidonSmall.roundConstants;

/**
 * Starknet's Poseidon permutation of three felts (Hades, 8 full and 83 partial rounds, cube).
 *
 * The round constants are the library's. The rounds are written out because the matrix [[3,1,1],[1,-1,1],[1,1,-2]]
 * needs additions only, where the library multiplies and reduces: a class hashes in less than half the time.
 */
export function poseidonPermutation(state: readonly [bigint, bigint, bigint]): [bigint, bigint, bigint] {
  let [a, b, c] = state;
  const partialEnd = constants.length - FULL_ROUNDS_EACH_SIDE;
  let round = -1;
  for (const [ka = 0n, kb = 0n, kc = 0n] of constants) {
    round += 1;
    a += ka;
    b += kb;
    c = cube(c + kc);
    if (round < FULL_ROUNDS_EACH_SIDE || round >= partialEnd) {
      a = cube(a);
      b = cube(b);
    } else if (round % REDUCE_EVERY === 0) {
      a %= FELT_PRIME;
      b %= FELT_PRIME;
    }
    const sum = a + b + c;
    a += a + sum;
    b = sum - b - b;
    c = sum - c - c - c;
  }
  return [canonical(a), canonical(b), canonical(c)];
}

/** Poseidon hash of a list of felts: the library's sponge over the permutation above. */
export function poseidonHashMany(values: readonly bigint[]): bigint {
  return hashMany([...values], permuteForLibrary);
}

/** The library takes a permutation only with its parameters as properties. */
const permuteForLibrary: typeof poseidonSmall = Object.assign(
  (values: readonly bigint[]): bigint[] => {
    const [a = 0n, b = 0n, c = 0n] = values;
    return poseidonPermutation([a, b, c]);
  },
  { m: poseidonSmall.m, rate: poseidonSmall.rate, capacity: poseidonSmall.capacity, roundConstants: constants },
);

function cube(value: bigint): bigint {
  return (((value * value) % FELT_PRIME) * value) % FELT_PRIME;
}

/** Remainders keep the sign of the dividend. */
function canonical(value: bigint): bigint {
  const remainder = value % FELT_PRIME;
  return remainder < 0n ? remainder + FELT_PRIME : remainder;
}
