import type { Hex } from "viem";

import { outputRoot } from "../../request/output-root.js";
import { parseCompiledClass } from "../../request/program/compiled-class.js";
import { MAIN_SELECTOR } from "../../request/program/main-function.js";
import type { ChainReader } from "../chain-reader.js";
import { PRIME } from "./felt.js";
import { GENERATIONS, generationFor, type Generation, type GenerationName } from "./generations.js";
import { readChainValue } from "./handlers/chain-values.js";
import { acceptedLeadingFelts } from "./leading-felts.js";
import type { ModuleRead, ReadModuleValue } from "./module-read.js";
import { rawValue } from "./raw-value.js";
import { panicText } from "./panic-text.js";
import { prepareClass, runContract, type PreparedClass, type RunLimits } from "./run-contract.js";
import type { StarknetReader } from "./starknet-reader.js";
import { moduleSyscalls } from "./syscalls.js";
import { CairoVmError } from "./vm-error.js";

/** One felt handed to the module; only public ones are part of the task hash. */
export interface ModuleInputFelt {
  readonly visibility: "public" | "private";
  readonly value: bigint | string;
}

interface RunModuleBase {
  readonly inputs: readonly ModuleInputFelt[];
  /** Calling convention; "auto" (default) goes by the leading felts: see `generationFor`. */
  readonly generation?: GenerationName | "auto" | undefined;
  /** Felts of the data handle in front of the inputs, from the ABI; found by trial when absent. */
  readonly leadingFelts?: number | undefined;
  readonly maxSteps?: number | undefined;
  readonly limits?: RunLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `runModule`: either `read` answers every value, or readers of whole chains do. */
export type RunModuleOptions = RunModuleBase &
  (
    | { readonly read: ReadModuleValue; readonly reader?: undefined }
    | {
        readonly read?: undefined;
        /** Reader of an EVM chain, undefined when none is configured. */
        readonly reader: (chainId: bigint) => ChainReader | undefined;
        readonly starknetReader?: ((chainId: bigint) => StarknetReader | undefined) | undefined;
      }
  );

/** A read with the felts the module got for it. */
export type AnsweredRead = ModuleRead & { readonly felts: readonly bigint[] };

interface ModuleRunBase {
  /** Felts the module returned, or panicked with. */
  readonly retdata: readonly bigint[];
  readonly steps: number;
  /** Gas used by the module's own account. */
  readonly gas: bigint;
  readonly reads: readonly AnsweredRead[];
  /** Whether every read was checked by a proof; undefined when `read` answered, which does not say. */
  readonly proven: boolean | undefined;
  readonly leadingFelts: number;
  readonly generation: GenerationName;
  /** What the module printed, decoded. */
  readonly printed: readonly string[];
}

export type ModuleRun =
  | (ModuleRunBase & {
      readonly status: "returned";
      /** Today's result word: root over the returned felts. */
      readonly outputRoot: Hex;
      /** Result word of the retired generations, for one felt or a u256. */
      readonly value: bigint | undefined;
    })
  | (ModuleRunBase & {
      readonly status: "panicked";
      /** What the panic says. */
      readonly message: string;
      readonly outputRoot?: undefined;
      readonly value?: undefined;
    });

/**
 * Runs a compiled module on the spot: the same program, the same reads and the same result as by the service, without
 * a proof.
 *
 * @param compiledClass JSON of the compiled contract class (CASM)
 * @throws HdpError HDP-7001 to HDP-7003 for another file; CairoVmError for a hint, builtin, system call or read that is not supported, and for limits
 *
 * @example
 * const run = await runModule(json, { inputs: [{ visibility: "public", value: 5186021n }], reader: () => chain });
 * if (run.status === "returned") console.log(run.outputRoot, run.value);
 */
export async function runModule(compiledClass: unknown, options: RunModuleOptions): Promise<ModuleRun> {
  const prepared = prepareClass(parseCompiledClass(compiledClass));
  const { leadingFelts, generation } = await convention(prepared, options);
  const reads: AnsweredRead[] = [];
  const { read, isProven } = valueSource(options);
  const result = await runContract({
    program: prepared,
    selector: MAIN_SELECTOR,
    calldata: [...new Array<bigint>(leadingFelts).fill(0n), ...orderedInputs(options.inputs, generation.inputOrder)],
    syscall: moduleSyscalls(generation, read, (wanted, felts) => reads.push({ ...wanted, felts })),
    limits: { ...options.limits, maxSteps: options.maxSteps ?? options.limits?.maxSteps },
    signal: options.signal,
  });
  const run = {
    retdata: result.retdata,
    steps: result.steps,
    gas: result.gas,
    reads,
    proven: isProven(),
    leadingFelts,
    generation: generation.name,
    printed: result.printed.map((felts) => panicText(felts)),
  };
  return result.panicked
    ? { status: "panicked", message: panicText(result.retdata), ...run }
    : { status: "returned", outputRoot: outputRoot(result.retdata), value: rawValue(result.retdata), ...run };
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

async function convention(
  prepared: PreparedClass,
  options: RunModuleOptions,
): Promise<{ readonly leadingFelts: number; readonly generation: Generation }> {
  const named =
    options.generation === undefined || options.generation === "auto" ? undefined : GENERATIONS[options.generation];
  const leadingFelts =
    options.leadingFelts ?? (await acceptedLeadingFelts(prepared, MAIN_SELECTOR, options.inputs, named));
  return { leadingFelts, generation: named ?? generationFor(leadingFelts) };
}

/** The function that answers reads, and whether all it answered was proven. */
function valueSource(options: RunModuleOptions): { read: ReadModuleValue; isProven: () => boolean | undefined } {
  const { read } = options;
  if (read !== undefined) return { read, isProven: () => undefined };
  let proven = true;
  return {
    read: async (wanted) => {
      const answer = await readChainValue(options, wanted);
      proven &&= answer.proven;
      return answer.value;
    },
    isProven: () => proven,
  };
}
