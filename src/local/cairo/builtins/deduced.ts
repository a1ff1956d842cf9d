import { pedersen, poseidonSmall } from "@scure/starknet";

import { failed } from "./builtin-error.js";
import type { BuiltinName } from "./names.js";

/** A builtin whose output cells follow from its input cells. */
export interface DeducedBuiltin {
  /** Cells of one instance, inputs first. */
  readonly cells: number;
  readonly inputs: number;
  readonly compute: (inputs: readonly bigint[]) => readonly bigint[];
}

const PEDERSEN: DeducedBuiltin = {
  cells: 3,
  inputs: 2,
  compute: ([left = 0n, right = 0n]) => [BigInt(pedersen(left, right))],
};

const BITWISE: DeducedBuiltin = {
  cells: 5,
  inputs: 2,
  compute: ([left = 0n, right = 0n]) => {
    for (const input of [left, right]) {
      if (input >> 251n !== 0n) throw failed("bitwise", `the input ${input} has more than 251 bits`);
    }
    return [left & right, left ^ right, left | right];
  },
};

const POSEIDON: DeducedBuiltin = { cells: 6, inputs: 3, compute: (state) => poseidonSmall([...state]) };

/** The builtins with deduced cells, by name. */
export const DEDUCED: ReadonlyMap<BuiltinName, DeducedBuiltin> = new Map([
  ["pedersen", PEDERSEN],
  ["bitwise", BITWISE],
  ["poseidon", POSEIDON],
]);
