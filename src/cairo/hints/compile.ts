import { z } from "zod";

import { evaluateCircuit } from "../builtins/modulo.js";
import { hdpError } from "../../errors/hdp-error.js";
import { DICT_HINTS, SQUASH_HINTS } from "./dict-hints.js";
import { ASSERT_LE_HINTS, INTEGER_HINTS, MEMORY_HINTS } from "./integer-hints.js";
import { feltOf, hint, type Hint, operand } from "./operand.js";

const SYSTEM_HINTS = {
  SystemCall: hint({ system: operand }, (machine, { system }) => {
    machine.syscall = system(machine);
  }),
  // Circuits over a modulus of 384 bits.
  EvalCircuit: hint(
    { n_add_mods: operand, add_mod_builtin: operand, n_mul_mods: operand, mul_mod_builtin: operand },
    (machine, { n_add_mods, add_mod_builtin, n_mul_mods, mul_mod_builtin }) => {
      machine.work = evaluateCircuit(machine.memory, {
        additions: Number(feltOf(machine, n_add_mods)),
        additionsAt: add_mod_builtin(machine),
        multiplications: Number(feltOf(machine, n_mul_mods)),
        multiplicationsAt: mul_mod_builtin(machine),
      });
    },
  ),
} as const;

const ALL = { ...INTEGER_HINTS, ...MEMORY_HINTS, ...DICT_HINTS, ...SQUASH_HINTS, ...ASSERT_LE_HINTS, ...SYSTEM_HINTS };
export const COMPILERS: ReadonlyMap<string, (body: unknown) => Hint> = new Map(Object.entries(ALL));

const hintSchema = z.union([
  z.string().transform((name) => ({ name, body: {} })),
  z.record(z.unknown()).transform((record, context) => {
    const [entry, ...more] = Object.entries(record);
    if (entry !== undefined && more.length === 0) return { name: entry[0], body: entry[1] };
    context.addIssue({ code: "custom", message: "a hint has one name" });
    return z.NEVER;
  }),
]);

/** Returns a hint of a class as a function; an unknown or malformed one throws HDP-7106 where a run reaches it. */
export function compileHint(json: unknown): Hint {
  const parsed = hintSchema.safeParse(json);
  if (!parsed.success) return unsupported(`the hint ${JSON.stringify(json)}`);
  const { name, body } = parsed.data;
  const compiler = COMPILERS.get(name);
  if (compiler === undefined) return unsupported(`the hint ${name}`);
  try {
    return compiler(body);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    return unsupported(`the hint ${name} in this form ("${issue?.path.join(".") ?? ""}": ${issue?.message ?? ""})`);
  }
}

function unsupported(feature: string): Hint {
  return () => {
    throw hdpError("HDP-7106", { feature, supported: undefined });
  };
}
