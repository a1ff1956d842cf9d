import { evaluateCircuit } from "../builtins/modulo.js";
import { feltOf, hint, operand } from "./operand.js";

/** Hints of circuits over a modulus of 384 bits. */
export const CIRCUIT_HINTS = {
  EvalCircuit: hint(
    { n_add_mods: operand, add_mod_builtin: operand, n_mul_mods: operand, mul_mod_builtin: operand },
    ({ n_add_mods, add_mod_builtin, n_mul_mods, mul_mod_builtin }) =>
      (machine) => {
        machine.work = evaluateCircuit(machine.memory, {
          additions: Number(feltOf(machine, n_add_mods)),
          additionsAt: add_mod_builtin(machine),
          multiplications: Number(feltOf(machine, n_mul_mods)),
          multiplicationsAt: mul_mod_builtin(machine),
        });
      },
  ),
} as const;
