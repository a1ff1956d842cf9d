import type { Hex } from "viem";

import { dropOldest } from "../base/collections.js";
import { formatFelt } from "../base/felt.js";
import { Limiter, Turns } from "../base/turns.js";
import { GENERATIONS } from "../cairo/generations.js";
import type { InjectedStateOutcome, StateServer } from "../cairo/module-state.js";
import { injectedStart } from "../cairo/module-state.js";
import { GENERATION_NAMES, type GenerationName, type ModuleRead } from "../cairo/module-read.js";
import type { ModuleProfile } from "../cairo/profile.js";
import { preparedClass } from "../cairo/run-contract.js";
import type { StarknetReader } from "../chain/chain-reader.js";
import { hdpError, isHdpError, notAllowed } from "../errors/hdp-error.js";
import type { Abi } from "../program/abi/abi.js";
import { leadingFelts } from "../program/abi/arguments.js";
import { rememberedClass } from "../program/compiled-class.js";
import { decodedOutput, NEWEST_HANDLE } from "../program/standard-classes.js";
import { identifyChain } from "../request/chains.js";
import { rootsByLabel } from "../request/injected-state.js";
import { resultWord } from "../request/merkle.js";
import { standardProgram } from "../request/standard-programs.js";
import type { ModuleTask } from "../request/task.js";
import type { ChainBlocks, InjectedStateSummary, ModuleResult } from "../request/task-result.js";
import type { ModuleContext, ModuleOutcome, ModuleRunner } from "./compute-request.js";
import type { ChainReaders } from "./module-values.js";
import { gapTexts } from "./prover-gaps.js";
import {
  type AnsweredRead,
  type ModuleRun,
  placeText,
  runPrepared,
  type ModuleRunSettings,
  type CallingConvention,
} from "./run-module.js";

/** How a program is called, as far as its user says so. */
export interface NamedConvention {
  /** Number of felts of the data handle in front of the inputs, if known without an ABI; else found by trial. */
  readonly leadingFelts?: number | undefined;
  /** Its calling convention, if the user named one. */
  readonly generation?: string | undefined;
}

/** Limits of a program's runs. */
export interface ProgramLimits {
  readonly maxSteps?: number | undefined;
  readonly maxMemoryCells?: number | undefined;
}

/** A compiled class that can be run, with further known details. */
export interface ModuleProgram extends NamedConvention {
  /** Limits of its runs where a run names none. */
  readonly limits?: ProgramLimits | undefined;
  /** May be a getter: it is read when the run begins. */
  readonly compiledClassJson: unknown;
  /** Used for the felts of the data handle (default: found by trial) and to decode the output (default: felts). */
  readonly abi?: Abi | undefined;
  /** Names by the offset of a function's first instruction, if the Sierra class has them. */
  readonly functionNames?: ReadonlyMap<number, string> | undefined;
  /** The Sierra class parsed from JSON, by which the line of a panic is found. */
  readonly sierraClassJson?: unknown;
  /** Path of the compiled class, if a task named its file. */
  readonly file?: string | undefined;
}

/** The stored value of a module: depending on the generation (`auto`), or always by one rule. */
export type ModuleResultRule = "auto" | ModuleResult["rule"];

/** Options of the run of a module task. Tries of `injectedState` add to those of the task, or replace them. */
interface TaskRunOptions extends ModuleRunSettings {
  /** Whether a run is refused that the published provers cannot make. Default false: the result names what they can't. */
  readonly requireProvable?: boolean | undefined;
  readonly maxSteps?: number | undefined;
  /** Returns the server of tries. Called for the first task with injected state. */
  readonly stateServer?: (() => Promise<StateServer | undefined>) | undefined;
  /** As `RunLimits`. All runs of the process together take at most 2^27, or the one run that may take more. */
  readonly maxMemoryCells?: number | undefined;
  /** Returns the reader of a Starknet chain by its id; undefined if none is configured. */
  readonly starknetReaderFor?:
    ((chainId: bigint) => Promise<StarknetReader | undefined>) | undefined;
}

/** Options of `moduleRunner`. */
export interface ModuleRunnerOptions extends TaskRunOptions {
  /** Returns the class of a program hash. Rejects if it is not known. */
  readonly programFor: (programHash: Hex) => Promise<ModuleProgram>;
  /** Default "output-root", as the current service. "auto": the raw value for generations of 2024, as that service. */
  readonly result?: ModuleResultRule | undefined;
}

/** A run of a module task with its reads. */
export interface ModuleTaskRun {
  readonly run: ModuleRun;
  readonly reads: readonly AnsweredRead[];
  /** Whether a proof was checked for every value read. */
  readonly proven: boolean;
}

/** Maximum number of memory cells of all runs of this process in total, 1 GiB, and of a run while others run. */
const [ALL_CELLS, USUAL_CELLS] = [2 ** 27, 2 ** 23];
const memory = new Limiter(ALL_CELLS);
/** Runs begin one after another: reading and preparing a class may take 150 ms. */
const starts = new Turns();

/** Runs a module when memory is available: first in parallel with others, then with `most` cells if it needs more. */
export async function withinBudget<T>(
  run: (maxMemoryCells: number) => Promise<T>,
  most = ALL_CELLS,
): Promise<T> {
  const usual = Math.min(most, USUAL_CELLS);
  try {
    return await memory.run(async () => await run(usual), usual);
  } catch (error) {
    if (usual === most || !isHdpError(error, "HDP-7110")) throw error;
    return await memory.run(async () => await run(most), most);
  }
}

/** Maximum number of tasks whose last reads are kept, and of reads for each. */
const [MAX_LAST_RUNS, MAX_LAST_READS] = [16, 1_024];
/** The first reads of the last runs by task: another run of a task is likely to make them too. */
const lastReads = new Map<string, readonly ModuleRead[]>();

/** Returns the runner of the local data processor. It rejects for a panic, as for any other failure. */
export function moduleRunner(options: ModuleRunnerOptions): ModuleRunner {
  const run = async (task: ModuleTask, context: ModuleContext): Promise<ModuleOutcome> => {
    const program = await options.programFor(task.programHash);
    const done = await runModuleTask(task, program, context, options);
    if (options.requireProvable === true) requireNoGaps(task, done.run);
    return moduleOutcome(task, done, program, options.result ?? "output-root");
  };
  const requireProgram = async ({ programHash }: ModuleTask): Promise<void> => {
    await options.programFor(programHash);
  };
  return Object.assign(run, { requireProgram });
}

/** Runs a module task over readers of chains when memory is free; a panic is a result. @throws HDP-6003 */
export async function runModuleTask(
  task: ModuleTask,
  program: ModuleProgram,
  context: ModuleContext,
  options: TaskRunOptions = {},
  likely?: readonly ModuleRead[],
): Promise<ModuleTaskRun> {
  const readers: ChainReaders = {
    reader: async (chainId) => {
      const chain = identifyChain(chainId);
      return chain && (await context.readerFor(chain));
    },
    starknetReader: async (chainId) => {
      const node = async (): Promise<StarknetReader | undefined> =>
        await options.starknetReaderFor?.(chainId);
      return await (context.starknet?.(chainId, node) ?? node());
    },
  };
  let profile: ModuleProfile | undefined;
  const key = JSON.stringify([task.programHash, task.inputs]);
  const expected = likely ?? lastReads.get(key);
  const attempt = async (maxMemoryCells: number): Promise<ModuleTaskRun> => {
    const prepared = await starts.run(() =>
      preparedClass(rememberedClass(program.compiledClassJson)),
    );
    const run = await runPrepared(prepared, {
      inputs: task.inputs,
      ...chooseConvention(task, program, options.generation),
      injectedState: await injectedStateStart(task, options),
      limits: { maxSteps: options.maxSteps ?? program.limits?.maxSteps, maxMemoryCells },
      signal: context.signal,
      onProfile: options.onProfile && ((made) => (profile = made)),
      functionNames: program.functionNames,
      sierraClass: program.sierraClassJson,
      expected,
      ...readers,
    });
    lastReads.delete(key);
    lastReads.set(key, withoutAnswers(run.reads.slice(0, MAX_LAST_READS)));
    dropOldest(lastReads, MAX_LAST_RUNS);
    return { run, reads: run.reads, proven: run.proven === true };
  };
  // Of a module that ran again with more memory, only the last run is reported.
  const most = options.maxMemoryCells ?? program.limits?.maxMemoryCells;
  return await withinBudget(attempt, most).finally(() => profile && options.onProfile?.(profile));
}

function withoutAnswers(reads: readonly AnsweredRead[]): readonly ModuleRead[] {
  return reads.map((read) => ({ ...read, felts: [] }));
}

/** Returns how a program is called. A standard program takes the handle of any prover: it is called as by the newest one. */
function chooseConvention(
  { programHash }: ModuleTask,
  program: ModuleProgram,
  otherwise: ModuleRunSettings["generation"],
): CallingConvention {
  if (standardProgram(programHash) !== undefined)
    return { generation: "head", leadingFelts: NEWEST_HANDLE };
  return {
    generation: parseGeneration(program.generation) ?? otherwise,
    leadingFelts: program.abi === undefined ? program.leadingFelts : leadingFelts(program.abi),
  };
}

async function injectedStateStart(task: ModuleTask, options: TaskRunOptions) {
  const start = injectedStart(options.injectedState);
  const roots = new Map([...rootsByLabel(task.injectedState), ...start.roots]);
  const server = start.server ?? (roots.size === 0 ? undefined : await options.stateServer?.());
  return { roots, leaves: start.leaves, server };
}

/** Returns the blocks that reads are of, a range for each chain. */
function blockRanges(reads: readonly ModuleRead[]): readonly ChainBlocks[] {
  const ranges = new Map<bigint, ChainBlocks>();
  for (const { chainId, block } of reads) {
    const { first, last } = ranges.get(chainId) ?? { first: block, last: block };
    ranges.set(chainId, {
      chainId,
      first: block < first ? block : first,
      last: block > last ? block : last,
    });
  }
  return [...ranges.values()];
}

/** @throws HDP-7122 for a run that the published provers cannot make */
function requireNoGaps({ programHash }: ModuleTask, run: ModuleRun): void {
  const [first, ...others] = gapTexts(run.gaps);
  const sources = run.gaps.map(({ source }) => source).join("; ");
  if (first === undefined) return;
  const rest = others.length === 0 ? undefined : others.join("; ");
  throw hdpError("HDP-7122", { program: programHash, gap: first, rest, sources });
}

/** Returns the value to store for a run. @throws HDP-4410 for a panic, HDP-4413 if the output has no raw value */
export function moduleOutcome(
  task: ModuleTask,
  { run, reads, proven }: ModuleTaskRun,
  { abi }: ModuleProgram,
  wanted: ModuleResultRule,
): Required<ModuleOutcome> {
  if (run.status === "panicked")
    throw hdpError(
      "HDP-4410",
      { panic: run.message, program: task.programHash },
      { path: placeText({ func: run.panickedIn, line: run.panickedAt }) },
    );
  const { outputRoot, value, retdata, generation, steps, injectedState } = run;
  const rule = ruleFor(task, wanted, generation);
  const decoded = decodedOutput(task.programHash, abi, retdata);
  if (rule === "value" && value === undefined) {
    throw hdpError(
      "HDP-4413",
      { felts: retdata.length, generation },
      { path: "hdp.local.moduleResult" },
    );
  }
  const module: ModuleResult = {
    rule,
    outputRoot,
    ...(value === undefined ? {} : { rawValue: value }),
    ...(decoded === undefined ? {} : { decoded }),
    generation,
    steps,
    reads: reads.length,
    blocks: blockRanges(reads),
    ...(run.gaps.length === 0 ? {} : { gaps: gapTexts(run.gaps) }),
    ...(injectedState.length === 0 ? {} : { injectedState: injectedState.map(summarized) }),
  };
  const word = rule === "value" && value !== undefined ? resultWord(value) : outputRoot;
  return { word, proven, output: retdata, module };
}

function summarized({
  label,
  rootBefore,
  rootAfter,
  writes,
}: InjectedStateOutcome): InjectedStateSummary {
  return {
    label: formatFelt(label),
    rootBefore: formatFelt(rootBefore),
    rootAfter: formatFelt(rootAfter),
    writes: writes.map(({ key, value }) => ({ key: formatFelt(key), value: formatFelt(value) })),
  };
}

/** Returns the rule of a result. A standard program's is the root: its second felt is no half of a number. */
export function ruleFor(
  { programHash }: ModuleTask,
  wanted: ModuleResultRule,
  generation: GenerationName,
): ModuleResult["rule"] {
  if (standardProgram(programHash) !== undefined) return "output-root";
  return wanted === "auto" ? GENERATIONS[generation].result : wanted;
}

/** Returns a generation by its name; undefined for "auto". @throws HdpError HDP-6003 */
export function parseGeneration(name: string | undefined): GenerationName | undefined {
  if (name === undefined || name === "auto") return undefined;
  const known = GENERATION_NAMES.find((generation) => generation === name);
  if (known !== undefined) return known;
  const hints = ["node_modules/hardhat-hdp/docs/cairo-vm.md says when each was in use."];
  const allowed = ["auto", ...GENERATION_NAMES].join(", ");
  throw notAllowed(name, "a generation of modules", { path: "generation", allowed, hints });
}
