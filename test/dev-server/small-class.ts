import { parseCompiledClass, programHash } from "../../src/entries/program.js";

/** A compiled class as small as one can be: an entry point that returns at once. */
export const SMALL_CLASS = {
  prime: "0x800000000000011000000000000000000000000000000000000000000000001",
  compiler_version: "2.8.2",
  bytecode: ["0x208b7fff7fff7ffe", "0x208b7fff7fff7ffe"],
  bytecode_segment_lengths: [1, 1],
  hints: [],
  pythonic_hints: [],
  entry_points_by_type: {
    EXTERNAL: [{ selector: "0x1", offset: 0, builtins: ["pedersen", "poseidon"] }],
    L1_HANDLER: [],
    CONSTRUCTOR: [],
  },
};

export const SMALL_CLASS_HASH = programHash(parseCompiledClass(SMALL_CLASS));
