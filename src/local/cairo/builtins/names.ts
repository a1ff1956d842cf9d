/** Builtins a class may ask for, in the order of their segments: those with deduced cells first. */
export const BUILTIN_NAMES = [
  "pedersen",
  "bitwise",
  "poseidon",
  "range_check",
  "range_check96",
  "segment_arena",
] as const;
export type BuiltinName = (typeof BUILTIN_NAMES)[number];
