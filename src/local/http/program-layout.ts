import type { CompiledClass } from "../../request/program/compiled-class.js";

/** Builtins that each Cairo layout has, fewest trace columns first; of those that cover a program the first is meant. */
const LAYOUTS = [
  ["recursive_with_poseidon", ["output", "pedersen", "range_check", "bitwise", "poseidon"]],
  ["starknet", ["output", "pedersen", "range_check", "ecdsa", "bitwise", "ec_op", "poseidon"]],
] as const;

const EVERYTHING = "starknet_with_keccak";

/**
 * The layout that the published registry tells for a program: the smallest that has all builtins of its external entry
 * points. The registry's layout `recursive` never wins, because `recursive_with_poseidon` has all that it has.
 */
export function programLayout(compiled: CompiledClass): string {
  const builtins = new Set(compiled.entryPointsByType.EXTERNAL.flatMap((entryPoint) => entryPoint.builtins));
  const fitting = LAYOUTS.find(([, offered]) => {
    const names = new Set<string>(offered);
    return [...builtins].every((builtin) => names.has(builtin));
  });
  return fitting?.[0] ?? EVERYTHING;
}
