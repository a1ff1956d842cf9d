import { runToEnd } from "./turns.js";
import { Fp251, poseidonSmall } from "@scure/starknet";

import { FELT_PRIME } from "./felt.js";
import { POSEIDON_WASM } from "./generated/poseidon-wasm.js";
import { instantiate } from "./wasm.js";

interface PoseidonModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Adds the felt of 32 bytes at an address to the felt of the state at another. */
  enter(lane: number, from: number): void;
  permute(): void;
  /** Adds pairs of felts from an address on to the state, permuting it after each. */
  absorb(from: number, pairs: number): void;
}

const LANES = 3;
const FELT_WORDS = 4;
const FELT_BYTES = 8 * FELT_WORDS;
/** A felt of the state or a constant: limbs in 64-bit words, lowest first, times R (scripts/wasm/poseidon.wat). */
const LIMBS = 9;
const LANE_BYTES = 8 * LIMBS;
const LIMB_BITS = 28n;
const R_BITS = LIMB_BITS * BigInt(LIMBS);
/** Addresses in the module's memory: the state of three felts, R^2, the round constants, input felts of 32 bytes. */
const PLACES = { state: 0, square: 216, constants: 288, input: 20_160 } as const;
const LIMB_MASK = (1n << LIMB_BITS) - 1n;
const WORD_LIMIT = 2n ** 64n;

// WebAssembly: a permutation takes a tenth of the time of BigInt arithmetic.
const poseidon = instantiate(POSEIDON_WASM) as PoseidonModule;
const { buffer } = poseidon.memory;
const state = new BigInt64Array(buffer, PLACES.state, LANES * LIMBS);
const input = new BigUint64Array(buffer, PLACES.input);
/** Felts absorbed in one call: whole pairs. */
export const INPUT_FELTS = 2 * Math.floor(input.length / (2 * FELT_WORDS));

writeLimbs(PLACES.square, (1n << (2n * R_BITS)) % FELT_PRIME);
// The round constants come from the library.
poseidonSmall.roundConstants.flat().forEach((constant, index) => {
  writeLimbs(PLACES.constants + index * LANE_BYTES, (constant << R_BITS) % FELT_PRIME);
});
const R_INVERSE = Fp251.inv((1n << R_BITS) % FELT_PRIME);

/** Returns Starknet's Poseidon permutation of three felts (Hades, 8 full and 83 partial rounds, cube). */
export function poseidonPermutation(
  felts: readonly [bigint, bigint, bigint],
): [bigint, bigint, bigint] {
  state.fill(0n);
  felts.forEach((felt, lane) => {
    writeFelt(lane, felt);
    poseidon.enter(PLACES.state + lane * LANE_BYTES, PLACES.input + lane * FELT_BYTES);
  });
  poseidon.permute();
  return [readLane(0), readLane(1), readLane(2)];
}

/** Felts hashed in one step, a multiple of INPUT_FELTS: some 30 milliseconds. */
const STEP = 8 * INPUT_FELTS;

/** Returns the Poseidon hash of a list of felts: a sponge of rate 2, padded with 1 and, if needed, 0. */
export function poseidonHashMany(values: readonly bigint[]): bigint {
  return runToEnd(poseidonHashInSteps(values.length, (index) => values[index] ?? 0n));
}

/** Hashes the felts that `at` returns, in steps between which the caller may do other work. `at` must not hash. */
export function* poseidonHashInSteps(
  length: number,
  at: (index: number) => bigint,
): Generator<undefined, bigint> {
  state.fill(0n);
  let filled = 0;
  for (let index = 0; index < length; index += 1) {
    writeFelt(filled, at(index));
    filled += 1;
    if (filled < INPUT_FELTS) continue;
    poseidon.absorb(PLACES.input, INPUT_FELTS / 2);
    filled = 0;
    if ((index + 1) % STEP !== 0) continue;
    // Other code may use the module between two steps.
    const own = state.slice();
    yield;
    state.set(own);
  }
  writeFelt(filled, 1n);
  if (filled % 2 === 0) writeFelt(filled + 1, 0n);
  poseidon.absorb(PLACES.input, Math.floor(filled / 2) + 1);
  return readLane(0);
}

/** Writes a felt to the input; assigning to a 64-bit word takes the lowest bits. */
function writeFelt(place: number, felt: bigint): void {
  const word = place * FELT_WORDS;
  const isWord = felt < WORD_LIMIT;
  input[word] = felt;
  input[word + 1] = isWord ? 0n : felt >> 64n;
  input[word + 2] = isWord ? 0n : felt >> 128n;
  input[word + 3] = isWord ? 0n : felt >> 192n;
}

function writeLimbs(at: number, felt: bigint): void {
  const words = new BigInt64Array(buffer, at, LIMBS);
  for (let limb = 0; limb < words.length; limb += 1)
    words[limb] = (felt >> (LIMB_BITS * BigInt(limb))) & LIMB_MASK;
}

function readLane(lane: number): bigint {
  let value = 0n;
  for (let limb = LIMBS - 1; limb >= 0; limb -= 1) {
    value = (value << LIMB_BITS) + (state[lane * LIMBS + limb] ?? 0n);
  }
  const felt = (value * R_INVERSE) % FELT_PRIME;
  return felt < 0n ? felt + FELT_PRIME : felt;
}
