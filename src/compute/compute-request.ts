import type { Hex } from "viem";

import { toWord } from "../base/hex.js";
import { grouped, plural } from "../base/text.js";
import type { Anchors, RunReaders, TaskReaders } from "../chain/readers.js";
import { RememberingReader } from "../chain/remembering-reader.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { provenText, visitedElements } from "../request/describe-task.js";
import { absentAccountError } from "../request/module-form.js";
import { valueOfFelts } from "../request/output-root.js";
import { findDatalake } from "../request/task-form.js";
import type { DatalakeComputeTask, ModuleTask, SampledProperty, Task } from "../request/task.js";
import type { Anchor, ComputedResult, ModuleResult } from "../request/task-result.js";
import { evaluateWith, type EvaluateWithOptions } from "./evaluate.js";
import { requireFirstState, requireLastBlock, type Sample } from "./samples.js";

/** What was read for a value, and what a module returned. */
interface RunBasis {
  /** Whether every value that was read is proven. */
  readonly proven: boolean;
  readonly output?: readonly bigint[] | undefined;
}

/** What a computed value rests on. */
export interface ValueBasis extends RunBasis {
  /** Number of aggregated values; not known for a module. */
  readonly samples?: number;
  /** The trust anchor of its proofs; not known for recorded data, or a module that read several chains. */
  readonly anchor?: Anchor | undefined;
}

/** What a module runner returns of a task. */
export interface ModuleOutcome extends RunBasis {
  /** 32 bytes. */
  readonly word: Hex;
  readonly module?: ModuleResult | undefined;
}

/** A computed task: what is stored for it and what its value rests on. */
export interface ComputedTask extends ModuleOutcome, ValueBasis {
  readonly elements?: bigint;
  /** Sentences on values that are 0 because there is nothing to read; not known for a module of the user. */
  readonly warnings?: readonly string[];
}

/** Runs a module task over the chains that it reads. */
export interface ModuleRunner {
  (task: ModuleTask, context: ModuleContext): Promise<ModuleOutcome>;
  /** Called before the first read. Rejects if the task's program is not known. */
  readonly requireProgram?: (task: ModuleTask) => Promise<void>;
}

/** What a module is run with: readers, which the tasks of a request share. */
export interface ModuleContext extends TaskReaders {
  readonly signal: AbortSignal;
}

/** What the tasks of a request are computed with. */
export interface ComputeRequestOptions {
  /** The readers of a run that ends with the signal. */
  readonly readersFor: (signal: AbortSignal) => RunReaders;
  readonly runModule?: ModuleRunner | undefined;
  /** Whether a standard program's task is refused over an account that does not exist. Default false: its value is 0. */
  readonly requireProvable?: boolean | undefined;
  /** Place of the first task in its request, which errors name. Default 0. */
  readonly firstPlace?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (detail: string) => void;
}

/** Computes tasks in parallel with shared reads. A failure stops all. Checks programs and blocks first. */
export async function computeRequest(
  tasks: readonly Task[],
  options: ComputeRequestOptions,
): Promise<ComputedTask[]> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const { readerFor, starknet, anchors } = options.readersFor(signal);
  const { runModule, requireProvable = false, firstPlace = 0 } = options;
  const taskPlace = (position: number): string => `tasks[${firstPlace + position}]`;
  const onSample = countSamples(tasks, options.onProgress);
  try {
    const datalakes = tasks.map((task) => findDatalake(task)?.datalake);
    for (const [position, task] of tasks.entries()) {
      if (task.type === "Module") await runModule?.requireProgram?.(task);
      const datalake = datalakes[position];
      if (datalake === undefined) continue;
      const reader = await readerFor(datalake.chainId);
      await requireLastBlock(reader, datalake, `${taskPlace(position)}.datalake`);
    }
    const states = datalakes.map(async (datalake, position) => {
      if (datalake === undefined) return;
      const reader = await readerFor(datalake.chainId);
      await requireFirstState(reader, datalake, `${taskPlace(position)}.datalake`);
    });
    await Promise.all(states);
    const computing = tasks.map((task, position) => {
      const requireIn = requireProvable ? `${taskPlace(position)}.` : undefined;
      return computeTask(task, { readerFor, starknet, runModule, signal, onSample, requireIn });
    });
    const computed = await Promise.all(computing);
    const blocks = await anchors();
    return computed.map((one, position) => anchored(one, tasks[position], blocks));
  } catch (error) {
    stopping.abort(error);
    throw error;
  }
}

type ComputeTaskOptions = EvaluateWithOptions &
  ModuleContext & {
    readonly runModule: ModuleRunner | undefined;
    /** The task's place in a request where its accounts have to exist: `tasks[0].`. */
    readonly requireIn?: string | undefined;
  };

/** Computes a task. The caller refuses modules if there is no runner. */
export async function computeTask(task: Task, options: ComputeTaskOptions): Promise<ComputedTask> {
  const { readerFor, starknet, runModule, signal } = options;
  const datalake = findDatalake(task);
  if (task.type === "DatalakeCompute") return await evaluated(task, options);
  if (runModule === undefined)
    throw new TypeError("a module task was accepted without a module runner");
  if (datalake === undefined) return await runModule(task, { readerFor, starknet, signal });
  return await standard(task, datalake, { ...options, runModule });
}

async function evaluated(
  task: DatalakeComputeTask,
  options: ComputeTaskOptions,
): Promise<ComputedTask> {
  const reader = await options.readerFor(task.datalake.chainId);
  const { value, ...evaluation } = await evaluateWith(reader, task, options);
  return { word: toWord(value), elements: visitedElements(task.datalake).count, ...evaluation };
}

/**
 * Runs a standard program. The evaluator reads what the program will read, in batches and with the errors of a datalake
 * task; the program then waits for no node, and has to return the same value.
 */
async function standard(
  task: ModuleTask,
  datalake: DatalakeComputeTask,
  options: ComputeTaskOptions & { readonly runModule: ModuleRunner },
): Promise<ComputedTask> {
  const { starknet, runModule, signal, requireIn, onSample: noted } = options;
  const { chainId, sampledProperty } = datalake.datalake;
  const reader = new RememberingReader(await options.readerFor(chainId));
  const readerFor = async (): Promise<RememberingReader> => await Promise.resolve(reader);
  const onSample: typeof noted = (sample, aggregator) => {
    if (requireIn !== undefined) requireAccount(sample, sampledProperty, requireIn);
    noted?.(sample, aggregator);
  };
  const { word, ...expected } = await evaluated(datalake, { ...options, readerFor, onSample });
  const ran = await runModule(task, { readerFor, starknet, signal });
  const returned = ran.output === undefined ? undefined : valueOfFelts(ran.output);
  if (returned !== BigInt(word))
    throw new TypeError(`a standard program returned ${String(returned)}, not ${BigInt(word)}`);
  return { ...expected, ...ran, proven: expected.proven && ran.proven };
}

/** Throws for a sample of an account that proofs show to be absent. @throws HDP-1129 */
function requireAccount(sample: Sample, property: SampledProperty, place: string): void {
  if (!("block" in sample) || sample.empty !== "account" || !("address" in property)) return;
  throw absentAccountError(property.address, sample.block, place);
}

/** Adds a task's anchor: of the datalake's chain, or of the chain that a module read, if it read only one. */
export function anchored(
  computed: ComputedTask,
  task: Task | undefined,
  anchors: Anchors,
): ComputedTask {
  const [only, ...others] = anchors.values();
  const ofModule = others.length === 0 ? only : undefined;
  const chain = task && findDatalake(task)?.datalake.chainId;
  const anchor = chain === undefined ? ofModule : anchors.get(chain);
  return anchor === undefined ? computed : { ...computed, anchor };
}

/** Returns a computed task as a result that no store has yet. Its value is the word as a number. */
export function computedResult(hash: Hex, computed: ComputedTask): ComputedResult {
  const { word, samples, proven, output, module, anchor, warnings } = computed;
  return {
    taskHash: hash,
    word,
    value: BigInt(word),
    proven,
    ...(samples === undefined ? {} : { samples }),
    ...(output === undefined ? {} : { output }),
    ...(module === undefined ? {} : { module }),
    ...(anchor === undefined ? {} : { anchor }),
    ...(warnings === undefined ? {} : { warnings }),
  };
}

/** Returns what was computed, in words: "64 of 64, all proven"; of modules "1,204 steps, 4 reads, output root, all proven". */
export function describeProgress(computed: readonly ComputedTask[]): string {
  const samples = computed.reduce((sum, task) => sum + (task.samples ?? 0), 0);
  const elements = computed.reduce((sum, task) => sum + (task.elements ?? 0n), 0n);
  const left = BigInt(samples) < elements ? " (the others are of excluded types)" : "";
  const sampled = elements === 0n ? "" : `${samples} of ${elements}${left}, `;
  const modules = computed.flatMap(({ module }) =>
    module === undefined ? [] : [`${describeModule(module)}, `],
  );
  return `${sampled}${modules.join("")}${provenText(computed.every(({ proven }) => proven))}`;
}

function describeModule({ steps, reads, rule }: ModuleResult): string {
  const word = rule === "output-root" ? "output root" : "raw value";
  return `${grouped(steps)} steps, ${plural(reads, "read")}, ${word}`;
}

/** Refuses tasks of which one is a module. @throws HDP-4401 */
export function refuseModules(tasks: readonly Task[]): void {
  const position = tasks.findIndex(({ type }) => type === "Module");
  if (position >= 0) throw withoutModuleRunner(position);
}

/** Returns the error of a module task where no modules are run. */
export function withoutModuleRunner(position: number): HdpError {
  return hdpError("HDP-4401", {}, { path: `tasks[${position}]` });
}

/** Returns a function that counts a sample, and reports progress after every hundredth of all samples. */
function countSamples(tasks: readonly Task[], report: (detail: string) => void): () => void {
  const datalakes = tasks.flatMap((task) => findDatalake(task)?.datalake ?? []);
  const elements = datalakes.reduce((sum, datalake) => sum + visitedElements(datalake).count, 0n);
  const step = Math.max(1, Number(elements / 100n));
  let samples = 0;
  return () => {
    samples += 1;
    if (samples % step === 0) report(`${samples} of ${elements} sampled`);
  };
}
