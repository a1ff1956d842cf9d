import { PRIME } from "./field.js";
import type { Generation } from "./generations.js";
import { CairoVmError } from "./vm-error.js";

/** One felt handed to the module; only public ones are part of the task hash. */
export interface ModuleInputFelt {
  readonly visibility: "public" | "private";
  readonly value: bigint | string;
}

/** Inputs as felts in the order a generation hands them to the module. */
export function orderedInputs(inputs: readonly ModuleInputFelt[], order: Generation["inputOrder"]): bigint[] {
  const felts = inputs.map(({ visibility, value }, index) => ({ visibility, felt: inputFelt(value, index) }));
  const of = (visibility: string): bigint[] =>
    felts.filter((input) => input.visibility === visibility).map(({ felt }) => felt);
  return order === "given" ? felts.map(({ felt }) => felt) : [...of("public"), ...of("private")];
}

function inputFelt(value: bigint | string, index: number): bigint {
  const felt = typeof value === "bigint" ? value : /^0x[0-9a-fA-F]+$/.test(value) ? BigInt(value) : -1n;
  if (felt >= 0n && felt < PRIME) return felt;
  throw new CairoVmError({
    code: "HDP-7115",
    message: `${value} is no felt`,
    path: `inputs[${index}].value`,
    hints: ["A felt is an integer from 0 below 2^251 + 17·2^192 + 1, as bigint or 0x-hexadecimal."],
  });
}
