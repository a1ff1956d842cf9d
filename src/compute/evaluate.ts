import type { Hex } from "viem";

import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainReader, EmptyBecause } from "../chain/chain-reader.js";
import { ProvenChainReader, type ProvenChainReaderOptions } from "../chain/proven-chain-reader.js";
import { hdpError } from "../errors/hdp-error.js";
import { describeTask, visitedElements } from "../request/describe-task.js";
import { findDatalake, taskForm, type TaskForm } from "../request/task-form.js";
import { taskHash } from "../request/task-hash.js";
import type { DatalakeComputeTask, Task } from "../request/task.js";
import type { Anchor } from "../request/task-result.js";
import { createAggregator } from "./aggregate.js";
import { EmptySamples } from "./empty-samples.js";
import { requireLastBlock, type Sample, type SampleOptions, takeSamples } from "./samples.js";

interface ComputedValue {
  /** The stored value, a uint256. */
  readonly value: bigint;
  /** Whether every value was checked against its block's hash or roots. */
  readonly proven: boolean;
  /** Sentences on values that are 0 because there is nothing to read, as storage without code; present if there are any. */
  readonly warnings?: readonly string[];
}

/** The value of a datalake task. */
export interface Evaluation extends ComputedValue {
  /** Number of aggregated values. */
  readonly samples: number;
}

interface AggregateSoFar {
  /** Returns the aggregate of the values so far, a uint256. */
  readonly result: () => bigint;
}

/** What {@link evaluateWith} takes. */
export interface EvaluateWithOptions extends SampleOptions {
  /** Called with every aggregated value, and the aggregate including it. */
  readonly onSample?: ((sample: Sample, aggregate: AggregateSoFar) => void) | undefined;
}

/** What {@link evaluate} takes. */
export interface EvaluateOptions extends EvaluateWithOptions, ProvenChainReaderOptions {
  /** Provider of the datalake's chain. */
  readonly provider: Eip1193Provider;
}

/**
 * Computes a datalake task over the chain of `provider`, without storing the result.
 * @throws HdpError of area 4xxx: a value that is missing, does not verify or cannot be proven; an empty set.
 * @example
 * const { value, samples, proven } = await evaluate(task, { provider, prove: "require" });
 */
export async function evaluate(
  task: DatalakeComputeTask,
  options: EvaluateOptions,
): Promise<Evaluation> {
  const reader = new ProvenChainReader(options.provider, options);
  await requireLastBlock(reader, task.datalake);
  const evaluation = await evaluateWith(reader, task, options);
  // Checks that the anchor still holds after the last read.
  await reader.anchor();
  return evaluation;
}

/** Computes a datalake task over a reader that the tasks of a run may share. */
export async function evaluateWith(
  reader: ChainReader,
  { datalake, compute }: DatalakeComputeTask,
  { concurrency, signal, onSample }: EvaluateWithOptions = {},
): Promise<Evaluation> {
  const aggregator = createAggregator(compute);
  const empty = new EmptySamples(datalake.sampledProperty);
  let proven = true;
  await takeSamples(reader, datalake, { concurrency, signal }, (sample) => {
    aggregator.add(sample.value);
    empty.add(sample);
    proven &&= sample.proven;
    onSample?.(sample, aggregator);
  });
  return {
    value: aggregator.result(),
    samples: aggregator.count,
    proven,
    ...empty.warnings(),
  };
}

/** One value that took part. */
export interface ExplainedSample {
  /** Block number, or index in the block. */
  readonly position: bigint;
  /** uint256. */
  readonly value: bigint;
  readonly proven: boolean;
  /** Why the value is 0: there is no such account, it has no code or storage, or its slot is empty. */
  readonly empty?: EmptyBecause | undefined;
  /** The task's value if the samples ended here. */
  readonly aggregate: bigint;
}

/** A datalake task's value with every sample that it is computed from. */
export interface Explanation extends ComputedValue {
  readonly task: DatalakeComputeTask;
  /** Of the task as it was given, in its form. */
  readonly taskHash: Hex;
  readonly form: TaskForm;
  /** Meaning of positions. */
  readonly unit: "block" | "transaction";
  readonly samples: readonly ExplainedSample[];
  /** Number of visited elements; more than samples if transaction types are excluded. */
  readonly elements: bigint;
  /** The trust anchor of the proofs; not known for recorded data. */
  readonly anchor?: Anchor | undefined;
}

/**
 * Computes a datalake task and returns every sample. The hash is of the task as it is given, in either form.
 * @throws HDP-1126 for a module of the user; errors of `evaluate`
 */
export async function explainTask(
  reader: ChainReader,
  given: Task,
  { concurrency, signal }: SampleOptions = {},
): Promise<Explanation> {
  const task = requireDatalake(given);
  const samples: ExplainedSample[] = [];
  await requireLastBlock(reader, task.datalake);
  const { value, proven, warnings } = await evaluateWith(reader, task, {
    concurrency,
    signal,
    onSample: (sample, aggregate) => {
      const { value, proven } = sample;
      const position = "block" in sample ? sample.block : BigInt(sample.index);
      const empty = "block" in sample && sample.empty !== undefined ? { empty: sample.empty } : {};
      samples.push({ position, value, proven, ...empty, aggregate: aggregate.result() });
    },
  });
  return {
    task,
    taskHash: taskHash(given),
    form: taskForm(given),
    unit: task.datalake.type === "BlockSampled" ? "block" : "transaction",
    samples,
    elements: visitedElements(task.datalake).count,
    value,
    proven,
    ...(warnings === undefined ? {} : { warnings }),
    anchor: await reader.anchor?.(),
  };
}

/** Returns the datalake task that a task is, in either form. @throws HDP-1126 for a module of the user */
export function requireDatalake(task: Task): DatalakeComputeTask {
  const datalake = findDatalake(task);
  if (datalake !== undefined) return datalake;
  throw hdpError("HDP-1126", { program: describeTask(task).title });
}
