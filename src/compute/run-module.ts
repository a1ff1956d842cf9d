import type { Hex } from "viem";

import { panicText } from "../base/felt.js";
import {
  acceptedLeadingFelts,
  generationFor,
  requireHandle,
  GENERATIONS,
  type ModuleInputFelt,
  orderedInputs,
} from "../cairo/generations.js";
import {
  AnsweredStateCalls,
  injectedStart,
  InjectedState,
  type InjectedStateInput,
  type InjectedStateOutcome,
} from "../cairo/module-state.js";
import type {
  AnswerRead,
  Generation,
  GenerationName,
  ModuleRead,
  ReadModuleValue,
} from "../cairo/module-read.js";
import { CallProfile, innermostName, type ModuleProfile } from "../cairo/profile.js";
import {
  DEFAULT_MEMORY_CELLS,
  type PreparedClass,
  preparedClass,
  runContract,
  type RunLimits,
  type RunOutput,
  type ContractCall,
} from "../cairo/run-contract.js";
import type { Frame } from "../cairo/frames.js";
import { moduleSyscalls } from "../cairo/syscalls.js";
import { rememberedClass, requireMain } from "../program/compiled-class.js";
import { unorderedRoot } from "../request/output-root.js";
import { type ChainReaders, type ChainValue, openedOnce } from "./module-values.js";
import { type ProverGap, proverGaps } from "./prover-gaps.js";
import { type Pass, ReadAhead } from "./read-ahead.js";

/** Returns the stored value of 2024: one felt, or a u256 of low and high half; undefined for other outputs. */
export function rawValue(retdata: readonly bigint[]): bigint | undefined {
  const [low, high] = retdata;
  if (low === undefined || retdata.length > 2) return undefined;
  if (high === undefined) return low;
  return low >> 128n === 0n && high >> 128n === 0n ? low + (high << 128n) : undefined;
}

/** How a module is called. */
export interface CallingConvention {
  /** Number of felts of the data handle in front of the inputs, if known; else found by trial. */
  readonly leadingFelts?: number | undefined;
  /** Calling convention. Default "auto": derived from the leading felts, see `generationFor`. */
  readonly generation?: GenerationName | "auto" | undefined;
}

/** What a run takes beside its class and its reads, also through {@link moduleRunner}. */
export interface ModuleRunSettings {
  /** Calling convention. Default "auto": derived from the leading felts, see `generationFor`. */
  readonly generation?: GenerationName | "auto" | undefined;
  /** Tries the module may read and write, by label; none by default. */
  readonly injectedState?: InjectedStateInput | undefined;
  /** Called with the profile of the run's steps and waits, also if the run fails. */
  readonly onProfile?: ((profile: ModuleProfile) => void) | undefined;
}

interface RunModuleBase extends CallingConvention, ModuleRunSettings {
  /** Names by the offset of a function's first instruction, if the Sierra class has them. */
  readonly functionNames?: ReadonlyMap<number, string> | undefined;
  /** JSON of the Sierra class: where it has the lines of statements, the line of a panic is known. */
  readonly sierraClass?: unknown;
  readonly inputs: readonly ModuleInputFelt[];
  readonly limits?: RunLimits | undefined;
  /** Reads of chains that the module is likely to make, such as those of an earlier run: they are fetched together. */
  readonly expected?: readonly ModuleRead[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What {@link runModule} takes: a function that answers reads, or readers of chains. */
export type RunModuleOptions = RunModuleBase &
  (
    | { readonly read: ReadModuleValue; readonly reader?: undefined }
    | (ChainReaders & { readonly read?: undefined })
  );

/** A read with the felts the module got for it, and whether a proof was checked: not if `read` answered. */
export type AnsweredRead = ModuleRead & {
  readonly felts: readonly bigint[];
  readonly proven: boolean;
};

interface ModuleRunBase extends RunOutput {
  readonly reads: readonly AnsweredRead[];
  /** Whether a proof was checked for every read; undefined if `read` answered, which does not report it. */
  readonly proven: boolean | undefined;
  readonly leadingFelts: number;
  readonly generation: GenerationName;
  /** What the published provers cannot run of it. */
  readonly gaps: readonly ProverGap[];
  /** What the module printed, decoded. */
  readonly printed: readonly string[];
  /** The felts of each print. */
  readonly printedFelts: readonly (readonly bigint[])[];
  /** Roots before and after with the proofs of all reads and writes, by label; empty if the run had none. */
  readonly injectedState: readonly InjectedStateOutcome[];
}

/** The end of a module run: a return or a panic. */
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
      /** File and line in the contract's package, where the Sierra class has them. */
      readonly panickedAt: string | undefined;
      readonly outputRoot?: undefined;
      readonly value?: undefined;
    });

/**
 * Runs a compiled module locally, with the same program, reads and result as the service, but without a proof.
 * @param compiledClass JSON of the compiled contract class (CASM)
 * @throws HdpError HDP-1124 for invalid injected state, HDP-7001 and HDP-7002 for another file, HDP-7106 to HDP-7113 for unsupported features and limits of the machine, HDP-2004 for a chain without a node
 * @example
 * const run = await runModule(json, { inputs: [{ visibility: "public", value: 5186021n }], reader: () => chain });
 * if (run.status === "returned") console.log(run.outputRoot, run.value);
 */
export async function runModule(
  compiledClass: unknown,
  options: RunModuleOptions,
): Promise<ModuleRun> {
  return await runPrepared(preparedClass(rememberedClass(compiledClass)), options);
}

/** Runs a prepared class: a waiting run does not hold the JSON of its class. @throws as {@link runModule} */
export async function runPrepared(
  prepared: PreparedClass,
  options: RunModuleOptions,
): Promise<ModuleRun> {
  const { leadingFelts, generation } = await findConvention(prepared, options);
  const reads: AnsweredRead[] = [];
  const { onProfile, functionNames, limits, signal } = options;
  const profile =
    onProfile === undefined ? undefined : new CallProfile(prepared.casm, functionNames);
  const calldata = [
    ...new Array<bigint>(leadingFelts).fill(0n),
    ...orderedInputs(options.inputs, generation.inputOrder),
  ];
  const called = { program: prepared, calldata, signal, limits };
  const injectedState = new InjectedState(injectedStart(options.injectedState));
  const state = new AnsweredStateCalls(injectedState);
  const answers: ChainValue[] = [];
  let unpaddedKeccak = false;
  const read =
    options.read ??
    makeAnswerRead(options, makePass(called, generation, state), (answer) => answers.push(answer));
  const syscall = moduleSyscalls(
    generation,
    profile?.watchReads(read) ?? read,
    (wanted, felts) =>
      reads.push({ ...wanted, felts, proven: answers[reads.length]?.proven ?? false }),
    profile?.watchState(state) ?? state,
    () => (unpaddedKeccak = true),
  );
  const running = runContract({ ...called, syscall, profile, ...placing(prepared, options) });
  const { panicked, panickedIn, printed, ...ended } = await running.finally(() => {
    if (profile !== undefined) onProfile?.(profile.report());
  });
  const run = {
    ...ended,
    reads,
    proven: options.read === undefined ? answers.every(({ proven }) => proven) : undefined,
    gaps: proverGaps({
      generation,
      reads,
      creation: reads[answers.findIndex(({ isMissing }) => isMissing)],
      unpaddedKeccak,
      circuits: requireMain(prepared.casm).builtins.includes("mul_mod"),
    }),
    leadingFelts,
    generation: generation.name,
    printed: printed.map(panicText),
    printedFelts: printed,
    injectedState: injectedState.outcome(),
  };
  return panicked
    ? { ...run, ...panic(ended.retdata, await placeOf(prepared, options, panickedIn)) }
    : { ...run, ...returned(ended.retdata) };
}

function panic(retdata: readonly bigint[], { func, line }: CodePlace) {
  return {
    status: "panicked",
    message: panicText(retdata),
    panickedIn: func,
    panickedAt: line,
  } as const;
}

/** Where a run ended: the function, and file and line where they are known. */
export interface CodePlace {
  readonly func: string;
  readonly line: string | undefined;
}

/** Returns how the machine names where a run was stopped, and which functions are the core library's. */
function placing(prepared: PreparedClass, options: RunModuleOptions) {
  return {
    placeOf: async (frames: readonly Frame[]) =>
      placeText(await placeOf(prepared, options, frames)),
    isLibrary: (target: number) =>
      options.functionNames?.get(target)?.startsWith("core::") === true,
  };
}

async function placeOf(
  { casm }: PreparedClass,
  { functionNames, sierraClass }: RunModuleOptions,
  frames: readonly Frame[],
): Promise<CodePlace> {
  const nameOf = (targets: readonly number[]): string =>
    innermostName(targets, casm, functionNames);
  if (sierraClass !== undefined) {
    const { sourceLine } = await import("../cairo/source-lines.js");
    const found = sourceLine(casm, sierraClass, frames);
    if (found !== undefined)
      return { func: nameOf([found.target]), line: `${found.file}:${found.line}` };
  }
  return { func: nameOf(frames.map(({ target }) => target)), line: undefined };
}

/** Returns a place as text, for an error's `path`. */
export function placeText({ func, line }: CodePlace): string {
  return line === undefined ? func : `${func} (${line})`;
}

function returned(retdata: readonly bigint[]) {
  return {
    status: "returned",
    outputRoot: unorderedRoot(retdata),
    value: rawValue(retdata),
  } as const;
}

/** Returns how a class is called: as its generation says, or as trials of its data handle say. */
async function findConvention(
  prepared: PreparedClass,
  { generation: wanted = "auto", inputs, leadingFelts: known }: RunModuleOptions,
): Promise<{ readonly leadingFelts: number; readonly generation: Generation }> {
  const named = wanted === "auto" ? undefined : GENERATIONS[wanted];
  const leadingFelts = known ?? (await acceptedLeadingFelts(prepared, inputs, named));
  if (named !== undefined) requireHandle(named, leadingFelts);
  return { leadingFelts, generation: named ?? generationFor(leadingFelts) };
}

/** Returns a function that reads chains for a run, in batches where its passes find what comes next. */
function makeAnswerRead(
  options: ChainReaders & RunModuleBase,
  pass: Pass,
  onAnswer: (answer: ChainValue) => void,
): AnswerRead {
  const { maxMemoryCells = DEFAULT_MEMORY_CELLS } = options.limits ?? {};
  const ahead = new ReadAhead({
    readers: openedOnce(options),
    pass,
    expected: options.expected,
    maxMemoryCells,
  });
  return async (wanted, use) => {
    const answer = await ahead.read(wanted, use);
    onAnswer(answer);
    return answer.value;
  };
}

/** Returns a function that runs a program from its start, without any effect on the run that it repeats. */
function makePass(called: ContractCall, generation: Generation, state: AnsweredStateCalls): Pass {
  return async (answer, { maxSteps, maxMemoryCells }) => {
    let steps = 0;
    const running = runContract({
      ...called,
      syscall: moduleSyscalls(generation, answer, () => undefined, state.repeated()),
      limits: {
        gas: called.limits?.gas,
        maxSteps: Math.min(maxSteps, called.limits?.maxSteps ?? Infinity),
        maxMemoryCells,
      },
      onSteps: (made) => (steps = made),
    });
    // Whatever ends a pass, the run alone has a result.
    await running.catch(() => undefined);
    return steps;
  };
}
