import type { Hex } from "viem";

import { memoized } from "../base/collections.js";
import { FELT_PRIME, formatFelt, shortStringFelt } from "../base/felt.js";
import { poseidonHashInSteps, poseidonHashMany } from "../base/poseidon.js";
import { runToEnd } from "../base/turns.js";
import type {
  CompiledClass,
  CompiledEntryPoint,
  FeltSource,
  SegmentLengths,
} from "./compiled-class.js";
import { bytecodeSource, ENTRY_POINT_TYPES, totalLength } from "./compiled-class.js";

const VERSION = shortStringFelt("COMPILED_CLASS_V1");

/**
 * Returns the program hash of a module: Starknet's compiled class hash, Poseidon, `COMPILED_CLASS_V1`, with the bytecode's
 * segments. It is what the program registry returns and what a module task names.
 *
 *     H(version, H(external), H(l1 handlers), H(constructors), bytecode)
 *     entry points: H of selector, offset, H(builtins) of each; bytecode: see `bytecodeHash`
 *
 * The compiler's version and the hints have no part in it. Not the BLAKE2s hash that Starknet uses since 0.14.1.
 * @returns a felt, lower-case hex without leading zeros.
 */
export const programHash = memoized((compiled: CompiledClass): Hex =>
  runToEnd(programHashInSteps(compiled)),
);

/** Computes {@link programHash} in steps between which the caller may do other work. */
export function* programHashInSteps(compiled: CompiledClass): Generator<undefined, Hex> {
  return formatFelt(yield* classHash(compiled, compiled.bytecodeSegmentLengths));
}

/** Returns the program hash without segments, as the prover's own program computes it since November 2024. */
export const flatProgramHash = memoized((compiled: CompiledClass): Hex => {
  return formatFelt(runToEnd(classHash(compiled, undefined)));
});

/** Computes the hash of a class in steps. @param segments of the bytecode; undefined for one */
function* classHash(
  compiled: CompiledClass,
  segments: SegmentLengths | undefined,
): Generator<undefined, bigint> {
  const bytecode = bytecodeSource(compiled);
  return poseidonHashMany([
    VERSION,
    ...ENTRY_POINT_TYPES.map((type) => entryPointsHash(compiled.entryPointsByType[type])),
    yield* bytecodeHash(bytecode, segments ?? bytecode.length, 0),
  ]);
}

function entryPointsHash(entryPoints: readonly CompiledEntryPoint[]): bigint {
  const felts = entryPoints.flatMap(({ selector, offset, builtins }) => {
    return [selector, BigInt(offset), poseidonHashMany(builtins.map(shortStringFelt))];
  });
  return poseidonHashMany(felts);
}

/** Computes the hash of segments in steps: a leaf is the hash of its felts; a node is 1 + H(length and hash of each part). */
function* bytecodeHash(
  bytecode: FeltSource,
  segments: SegmentLengths,
  start: number,
): Generator<undefined, bigint> {
  if (typeof segments === "number")
    return yield* poseidonHashInSteps(segments, (index) => bytecode.at(start + index));
  const parts: bigint[] = [];
  let offset = start;
  for (const segment of segments) {
    const length = totalLength(segment);
    yield;
    parts.push(BigInt(length), yield* bytecodeHash(bytecode, segment, offset));
    offset += length;
  }
  return (poseidonHashMany(parts) + 1n) % FELT_PRIME;
}
