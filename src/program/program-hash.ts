import { poseidonHashMany as hashMany, poseidonSmall } from "@scure/starknet";
import type { Hex } from "viem";

import { FELT_PRIME, formatFelt } from "../base/felt.js";
import { shortStringFelt } from "../base/short-string.js";
import {
  type CompiledClass,
  type CompiledEntryPoint,
  ENTRY_POINT_TYPES,
  type SegmentLengths,
  totalLength,
} from "./compiled-class.js";

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

const VERSION = shortStringFelt("COMPILED_CLASS_V1");

/**
 * Program hash of a module: Starknet's compiled class hash, Poseidon, `COMPILED_CLASS_V1`, with the bytecode's
 * segments. It is what the program registry returns and what a module task names.
 *
 *     H(version, H(external), H(l1 handlers), H(constructors), bytecode)
 *     entry points: H of selector, offset, H(builtins) of each; bytecode: see `bytecodeHash`
 *
 * The compiler's version and the hints have no part in it. Not the BLAKE2s hash that Starknet uses since 0.14.1.
 *
 * @returns a felt, lower-case hex without leading zeros.
 */
export function programHash(compiled: CompiledClass): Hex {
  return formatFelt(classHash(compiled, compiled.bytecodeSegmentLengths ?? compiled.bytecode.length));
}

/** Characters of all texts whose hashes are remembered. */
const MOST_REMEMBERED = 2 ** 25;
const remembered = new Map<string, Hex>();

/**
 * The program hash of a class that was read from `text`: computed when it is first asked for in a process, and not again
 * for every task that names the class. Texts are compared whole; the least recently asked for are forgotten first.
 */
export function programHashOfText(text: string, compiled: CompiledClass): Hex {
  const hash = remembered.get(text) ?? programHash(compiled);
  remembered.delete(text);
  remembered.set(text, hash);
  let characters = [...remembered.keys()].reduce((sum, known) => sum + known.length, 0);
  for (const oldest of remembered.keys()) {
    if (characters <= MOST_REMEMBERED) break;
    characters -= oldest.length;
    remembered.delete(oldest);
  }
  return hash;
}

/**
 * The same with the bytecode hashed as one list, its segments ignored: what the prover's own program computes since
 * November 2024. Equal to {@link programHash} only where the class has no segment lengths.
 */
export function flatProgramHash(compiled: CompiledClass): Hex {
  return formatFelt(classHash(compiled, compiled.bytecode.length));
}

function classHash(compiled: CompiledClass, segments: SegmentLengths): bigint {
  return poseidonHashMany([
    VERSION,
    ...ENTRY_POINT_TYPES.map((type) => entryPointsHash(compiled.entryPointsByType[type])),
    bytecodeHash(compiled.bytecode, segments, 0),
  ]);
}

function entryPointsHash(entryPoints: readonly CompiledEntryPoint[]): bigint {
  return poseidonHashMany(
    entryPoints.flatMap(({ selector, offset, builtins }) => [
      selector,
      BigInt(offset),
      poseidonHashMany(builtins.map(shortStringFelt)),
    ]),
  );
}

/** A leaf is the hash of its felts; a node is 1 + H(length and hash of each part). */
function bytecodeHash(bytecode: readonly bigint[], segments: SegmentLengths, start: number): bigint {
  if (typeof segments === "number") return poseidonHashMany(bytecode.slice(start, start + segments));
  const parts: bigint[] = [];
  let offset = start;
  for (const segment of segments) {
    const length = totalLength(segment);
    parts.push(BigInt(length), bytecodeHash(bytecode, segment, offset));
    offset += length;
  }
  return (poseidonHashMany(parts) + 1n) % FELT_PRIME;
}
