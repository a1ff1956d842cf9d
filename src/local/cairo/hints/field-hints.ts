import { PRIME, feltSqrt } from "../felt.js";
import { inconsistent } from "../vm-error.js";
import { feltOf, hint, operand, target, writeFelt } from "./operand.js";

/** The constant term of the STARK curve y² = x³ + x + BETA. */
const BETA = 0x6f21413efbe40de150e596d72f7a8c5609ad26c15c915c1f4cdfcb99cee9e89n;

/** Hints that take roots in the field. */
export const FIELD_HINTS = {
  // 3 is not a square: exactly one of the value and three times the value has a root.
  FieldSqrt: hint({ val: operand, sqrt: target }, ({ val, sqrt }) => (machine) => {
    const value = feltOf(machine, val);
    const root = feltSqrt(value) ?? feltSqrt((value * 3n) % PRIME);
    if (root === undefined) throw inconsistent("neither a value nor three times it has a root");
    writeFelt(machine, sqrt, root);
  }),
  // Any point will do; the same one every time keeps runs repeatable.
  RandomEcPoint: hint({ x: target, y: target }, ({ x, y }) => (machine) => {
    for (let candidate = 1n; ; candidate += 1n) {
      const root = feltSqrt((candidate ** 3n + candidate + BETA) % PRIME);
      if (root === undefined) continue;
      writeFelt(machine, x, candidate);
      writeFelt(machine, y, root);
      return;
    }
  }),
} as const;
