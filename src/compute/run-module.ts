import type { Hex } from "viem";

import { panicText } from "../base/felt.js";
import { CallProfile, innermostName, type ModuleProfile } from "../cairo/profile.js";
import {
  acceptedLeadingFelts,
  generationFor,
  GENERATIONS,
  type ModuleInputFelt,
  orderedInputs,
} from "../cairo/generations.js";
import {
  InjectedState,
  type InjectedStateInput,
  type InjectedStateOutcome,
  injectedStart,
} from "../cairo/injected-state.js";
import type { Generation, GenerationName, ModuleRead, ReadModuleValue } from "../cairo/module-read.js";
import { type PreparedClass, preparedClass, runContract, type RunLimits } from "../cairo/run-contract.js";
import { moduleSyscalls } from "../cairo/syscalls.js";
import { rememberedClass } from "../program/compiled-class.js";
import { outputRoot } from "../request/merkle.js";
import { type ChainReaders, readChainValue } from "./module-values.js";

/** Returns the stored value of 2024: one felt, or a u256 of low and high half; undefined for other outputs. */
export function rawValue(retdata: readonly bigint[]): bigint | undefined {
  const [low, high] = retdata;
  if (low === undefined || retdata.length > 2) return undefined;
  if (high === undefined) return low;
  return low >> 128n === 0n && high >> 128n === 0n ? low + (high << 128n) : undefined;
}

interface RunModuleBase {
  readonly inputs: readonly ModuleInputFelt[];
  /** Calling convention. Default "auto": derived from the leading felts, see `generationFor`. */
  readonly generation?: GenerationName | "auto" | undefined;
  /** Felts of the data handle in front of the inputs, from the ABI; found by trial when absent. */
  readonly leadingFelts?: number | undefined;
  /** Tries the module may read and write, by label; none by default. */
  readonly injectedState?: InjectedStateInput | undefined;
  readonly limits?: RunLimits | undefined;
  /** Called with the profile of the run's steps and waits, also if the run fails. */
  readonly onProfile?: ((profile: ModuleProfile) => void) | undefined;
  /** Names by the offset of a function's first instruction, for the profile and the place of a panic. */
  readonly functionNames?: ReadonlyMap<number, string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type RunModuleOptions = RunModuleBase &
  ({ readonly read: ReadModuleValue; readonly reader?: undefined } | (ChainReaders & { readonly read?: undefined }));

/** A read with the felts the module got for it, and whether a proof was checked: not if `read` answered. */
export type AnsweredRead = ModuleRead & { readonly felts: readonly bigint[]; readonly proven: boolean };

interface ModuleRunBase {
  /** Felts the module returned, or panicked with. */
  readonly retdata: readonly bigint[];
  readonly steps: number;
  /** Gas used by the module's own account. */
  readonly gas: bigint;
  readonly reads: readonly AnsweredRead[];
  /** Whether a proof was checked for every read; undefined if `read` answered, which does not report it. */
  readonly proven: boolean | undefined;
  readonly leadingFelts: number;
  readonly generation: GenerationName;
  /** What the module printed, decoded. */
  readonly printed: readonly string[];
  /** Roots before and after with the proofs of all reads and writes, by label; empty if the run had none. */
  readonly injectedState: readonly InjectedStateOutcome[];
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
      readonly message: string;
      /** The function that panicked; of the core library's, the one that called it. */
      readonly panickedIn: string;
      readonly outputRoot?: undefined;
      readonly value?: undefined;
    });

/**
 * Runs a compiled module locally, with the same program, reads and result as the service, but without a proof.
 *
 * @param compiledClass JSON of the compiled contract class (CASM)
 * @throws HdpError HDP-1124 for invalid injected state, HDP-7001 and HDP-7002 for another file, HDP-7106 to HDP-7113 for unsupported features and limits of the machine, HDP-2004 for a chain without a node
 *
 * @example
 * const run = await runModule(json, { inputs: [{ visibility: "public", value: 5186021n }], reader: () => chain });
 * if (run.status === "returned") console.log(run.outputRoot, run.value);
 */
export async function runModule(compiledClass: unknown, options: RunModuleOptions): Promise<ModuleRun> {
  return await runPrepared(preparedClass(rememberedClass(compiledClass)), options);
}

/** Runs a prepared class: a waiting run does not hold the JSON of its class. @throws as {@link runModule} */
export async function runPrepared(prepared: PreparedClass, options: RunModuleOptions): Promise<ModuleRun> {
  const { leadingFelts, generation } = await convention(prepared, options);
  const reads: AnsweredRead[] = [];
  const { onProfile, functionNames } = options;
  const nameOf = (functions: Iterable<number>): string => innermostName(functions, prepared.casm, functionNames);
  const profile = onProfile === undefined ? undefined : new CallProfile(prepared.casm, functionNames);
  const marks: boolean[] = [];
  const read = options.read ?? readFrom(options, marks);
  const injectedState = new InjectedState(injectedStart(options.injectedState));
  const syscall = moduleSyscalls(
    generation,
    profile?.watchReads(read) ?? read,
    (wanted, felts) => reads.push({ ...wanted, felts, proven: marks[reads.length] ?? false }),
    profile?.watchState(injectedState) ?? injectedState,
  );
  const running = runContract({
    program: prepared,
    calldata: [...new Array<bigint>(leadingFelts).fill(0n), ...orderedInputs(options.inputs, generation.inputOrder)],
    syscall,
    profile,
    nameOf,
    limits: options.limits,
    signal: options.signal,
  });
  const result = await running.finally(() => {
    if (profile !== undefined) onProfile?.(profile.report());
  });
  const run = {
    retdata: result.retdata,
    steps: result.steps,
    gas: result.gas,
    reads,
    proven: options.read === undefined ? marks.every((proven) => proven) : undefined,
    leadingFelts,
    generation: generation.name,
    printed: result.printed.map(panicText),
    injectedState: injectedState.outcome(),
  };
  if (result.panicked)
    return { status: "panicked", message: panicText(result.retdata), panickedIn: nameOf(result.panickedIn), ...run };
  return { status: "returned", outputRoot: outputRoot(result.retdata), value: rawValue(result.retdata), ...run };
}

async function convention(
  prepared: PreparedClass,
  options: RunModuleOptions,
): Promise<{ readonly leadingFelts: number; readonly generation: Generation }> {
  const { generation = "auto" } = options;
  const named = generation === "auto" ? undefined : GENERATIONS[generation];
  const leadingFelts = options.leadingFelts ?? (await acceptedLeadingFelts(prepared, options.inputs, named));
  return { leadingFelts, generation: named ?? generationFor(leadingFelts) };
}

/** Returns a function that reads values, and keeps for each whether it was proven. */
function readFrom(readers: ChainReaders, marks: boolean[]): ReadModuleValue {
  return async (wanted) => {
    const { value, proven } = await readChainValue(readers, wanted);
    marks.push(proven);
    return value;
  };
}
