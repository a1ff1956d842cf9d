import type { Hex } from "viem";

import { runReaders, type TaskReaders } from "../chain/readers.js";
import { findDatalake } from "../request/task-form.js";
import type { Task } from "../request/task.js";
import { taskHash } from "../request/task-hash.js";
import type { CairoValue } from "../request/task-result.js";
import {
  anchored,
  type ComputedTask,
  computeTask,
  type ModuleRunner,
  type ValueBasis,
  withoutModuleRunner,
} from "./compute-request.js";
import { requireLastBlock, type Sample, type SampleOptions } from "./samples.js";

/** Finalized values, read from an execution store by task hash. */
export interface StoredWords {
  readonly address: Hex;
  /** Returns the stored value, `undefined` if the task is not finalized. */
  readonly read: (taskHash: Hex) => Promise<Hex | undefined>;
}

/** What {@link verifyTask} takes. */
export interface VerifyTaskOptions extends SampleOptions, TaskReaders {
  readonly store: StoredWords;
  readonly runModule?: ModuleRunner | undefined;
}

/** A task's computed value beside the stored one. */
export interface TaskVerification extends ValueBasis {
  readonly task: Task;
  readonly taskHash: Hex;
  readonly store: Hex;
  /** Whether the stored value exists and equals the computed one. */
  readonly agrees: boolean;
  /** The stored value; absent if the task is not finalized under this hash. */
  readonly stored?: Hex;
  readonly computed: Hex;
  /** The decoded return value of a module; present if the ABI is known. */
  readonly decoded?: CairoValue;
  /** The first samples, if the stored value differs; otherwise empty. */
  readonly firstSamples: readonly Sample[];
  /** The value stored under the task's hash in the other encoding, if there is only such a value. */
  readonly otherEncoding?: OtherEncoding;
  /** What the service that ran a module says that it returned, where it publishes that. */
  readonly published?: PublishedOutput;
}

/** The felts that a service says a module returned. A stored root does not fix their order: it may agree while they do not. */
export interface PublishedOutput {
  readonly felts: readonly bigint[];
  /** Whether the felts are those of `output`, in the same order. */
  readonly agrees: boolean;
}

/** The value that is stored under the hash of the task in another published encoding. */
export interface OtherEncoding {
  readonly encoding: "without-chain-id";
  readonly taskHash: Hex;
  readonly stored: Hex;
  readonly agrees: boolean;
}

const FIRST_SAMPLES = 5;

/**
 * Computes a task from chain data and compares the result with the value in a store. It does not rely on the sender of
 * the stored value, or on earlier results.
 * @throws HdpError of area 4xxx if the task cannot be computed, HDP-4401 for a module without a module runner; any error
 * of `store.read`.
 */
export async function verifyTask(
  task: Task,
  options: VerifyTaskOptions,
): Promise<TaskVerification> {
  const { store } = options;
  const hash = taskHash(task);
  const first: Sample[] = [];
  const {
    word: computed,
    proven,
    samples,
    anchor,
    output,
    module,
  } = await compute(task, options, first);
  const stored = await store.read(hash);
  const agrees = stored?.toLowerCase() === computed;
  const otherEncoding =
    stored === undefined ? await readOtherEncoding(task, store, computed) : undefined;
  return {
    task,
    taskHash: hash,
    store: store.address,
    agrees,
    ...(stored === undefined ? {} : { stored }),
    computed,
    ...(samples === undefined ? {} : { samples }),
    ...(output === undefined ? {} : { output }),
    ...(module?.decoded === undefined ? {} : { decoded: module.decoded }),
    proven,
    ...(anchor === undefined ? {} : { anchor }),
    firstSamples: stored === undefined || agrees ? [] : first,
    ...(otherEncoding === undefined ? {} : { otherEncoding }),
  };
}

async function compute(
  task: Task,
  options: VerifyTaskOptions,
  first: Sample[],
): Promise<ComputedTask> {
  const { runModule, concurrency, signal = new AbortController().signal } = options;
  const { readerFor, starknet, anchors } = runReaders(options.readerFor, options.starknet);
  const datalake = findDatalake(task)?.datalake;
  if (datalake !== undefined) await requireLastBlock(await readerFor(datalake.chainId), datalake);
  if (task.type === "Module" && runModule === undefined) throw withoutModuleRunner(0);
  const onSample = (sample: Sample): void => {
    if (first.length < FIRST_SAMPLES) first.push(sample);
  };
  const computed = await computeTask(task, {
    readerFor,
    starknet,
    runModule,
    concurrency,
    signal,
    onSample,
  });
  return anchored(computed, task, await anchors());
}

async function readOtherEncoding(
  task: Task,
  store: StoredWords,
  computed: Hex,
): Promise<OtherEncoding | undefined> {
  // A module's hash does not cover a datalake and is the same in both encodings.
  if (task.type === "Module") return undefined;
  const encoding = "without-chain-id";
  const hash = taskHash(task, { datalakeEncoding: encoding });
  const stored = await store.read(hash);
  if (stored === undefined) return undefined;
  return { encoding, taskHash: hash, stored, agrees: stored.toLowerCase() === computed };
}
