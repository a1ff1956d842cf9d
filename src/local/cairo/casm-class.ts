import { z } from "zod";

import { HdpError } from "../../request/errors.js";
import { PRIME } from "./felt.js";

/** An entry point of a compiled class. */
export interface CasmEntryPoint {
  readonly selector: bigint;
  /** Offset in the bytecode. */
  readonly offset: number;
  /** Builtins it takes, in the order of its arguments. */
  readonly builtins: readonly string[];
}

/** A compiled contract class (CASM), as the machine needs it. */
export interface CasmClass {
  readonly compilerVersion: string;
  readonly bytecode: readonly bigint[];
  /** Offset in the bytecode and the hints to run before the instruction there, in the compiler's JSON. */
  readonly hints: readonly (readonly [number, readonly unknown[]])[];
  readonly external: readonly CasmEntryPoint[];
}

const felt = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "a hexadecimal felt is needed")
  .transform((text) => BigInt(text))
  .refine((value) => value < PRIME, "a felt is below the prime");

const entryPoint = z.object({
  selector: felt,
  offset: z.number().int().nonnegative(),
  builtins: z.array(z.string()),
});

/** The JSON form of a compiled contract class. */
export const casmClassSchema = z
  .object({
    prime: felt.or(z.literal(`0x${PRIME.toString(16)}`).transform(() => PRIME)),
    compiler_version: z.string(),
    bytecode: z.array(felt).min(1),
    hints: z.array(z.tuple([z.number().int().nonnegative(), z.array(z.unknown())])),
    entry_points_by_type: z.object({ EXTERNAL: z.array(entryPoint) }),
  })
  .refine(({ prime }) => prime === PRIME, { path: ["prime"], message: "the field is not Starknet's" })
  .refine(
    ({ bytecode, entry_points_by_type: { EXTERNAL } }) => EXTERNAL.every(({ offset }) => offset < bytecode.length),
    { path: ["entry_points_by_type"], message: "an entry point lies behind the bytecode" },
  );

/**
 * Reads a compiled contract class from its JSON.
 *
 * @throws HdpError HDP-7101 for a Sierra class, HDP-7102 for a class of Cairo 0, HDP-7103 for anything else that is
 * not a compiled class; each names the file's first wrong field and the file that is needed.
 */
export function parseCasmClass(json: unknown): CasmClass {
  if (has(json, "sierra_program")) {
    throw new HdpError({
      code: "HDP-7101",
      message: "this is a Sierra class (it has sierra_program), not a compiled class",
      hints: [
        "Give the file Scarb names *.compiled_contract_class.json, which lies beside *.contract_class.json.",
        "Scarb writes it when the target says casm = true under [[target.starknet-contract]].",
      ],
    });
  }
  if (has(json, "program") || has(json, "data")) {
    throw new HdpError({
      code: "HDP-7102",
      message: "this is a class of Cairo 0, which the data processor does not run",
      hints: ["Write the module in Cairo 2 and compile it with Scarb."],
    });
  }
  const parsed = casmClassSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new HdpError({
      code: "HDP-7103",
      message: `this is not a compiled class: ${issue?.message ?? "it has another form"}`,
      path: issue === undefined || issue.path.length === 0 ? undefined : issue.path.join("."),
      hints: ["Give the file Scarb names *.compiled_contract_class.json, unchanged."],
    });
  }
  const { compiler_version, bytecode, hints, entry_points_by_type } = parsed.data;
  return { compilerVersion: compiler_version, bytecode, hints, external: entry_points_by_type.EXTERNAL };
}

function has(json: unknown, key: string): boolean {
  return typeof json === "object" && json !== null && key in json;
}
