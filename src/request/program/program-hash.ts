import type { Hex } from "viem";

import { ENTRY_POINT_TYPES, totalLength } from "./compiled-class.js";
import type { CompiledClass, CompiledEntryPoint, SegmentLengths } from "./compiled-class.js";
import { FELT_PRIME, formatFelt } from "../felt.js";
import { asciiToInteger } from "./short-string.js";
import { poseidonHashMany } from "./poseidon.js";

const VERSION = asciiToInteger("COMPILED_CLASS_V1");

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
      poseidonHashMany(builtins.map(asciiToInteger)),
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
