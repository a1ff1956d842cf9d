import type { Hex } from "viem";

import type { ChainReader, EmptyBecause } from "../chain/chain-reader.js";
import { hdpError } from "../errors/hdp-error.js";
import { describeTask, visitedElements } from "../request/describe-task.js";
import { findDatalake, taskForm, type TaskForm } from "../request/task-form.js";
import { taskHash } from "../request/task-hash.js";
import type { DatalakeComputeTask, Task } from "../request/task.js";
import type { Anchor } from "../request/task-result.js";
import { type ComputedValue, evaluateWith } from "./evaluate.js";
import { requireLastBlock, type SampleOptions } from "./samples.js";

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
