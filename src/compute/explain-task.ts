import type { Hex } from "viem";

import { hdpError } from "../errors/hdp-error.js";
import { taskHash } from "../request/task-hash.js";
import type { Anchor } from "../request/lifecycle.js";
import type { DatalakeComputeTask, Task } from "../request/task.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { evaluateWith } from "./evaluate.js";
import { elementCount, requireLastBlock } from "./sample-datalake.js";

/** A value that takes part in a task, in the order of aggregation. */
export interface ExplainedSample {
  /** Block number, or index in the block. */
  readonly position: bigint;
  /** uint256. */
  readonly value: bigint;
  readonly proven: boolean;
  /** The task's value if the samples ended here. */
  readonly aggregate: bigint;
}

/** A task with everything its value is made of. */
export interface Explanation {
  readonly task: DatalakeComputeTask;
  readonly taskHash: Hex;
  /** What positions are. */
  readonly unit: "block" | "transaction";
  readonly samples: readonly ExplainedSample[];
  /** Elements visited; more than there are samples where transaction types are excluded. */
  readonly elements: bigint;
  /** The task's value. */
  readonly value: bigint;
  readonly proven: boolean;
  /** What the proofs rest on; not known of recorded data. */
  readonly anchor?: Anchor | undefined;
}

export interface ExplainTaskOptions {
  /** Reads in flight at once, default 16. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Computes a datalake task and keeps every sample. Memory grows with their number.
 *
 * @throws HdpError HDP-4606 for a module; those of `evaluate`.
 */
export async function explainTask(
  reader: ChainReader,
  task: DatalakeComputeTask,
  { concurrency, signal }: ExplainTaskOptions = {},
): Promise<Explanation> {
  const samples: ExplainedSample[] = [];
  await requireLastBlock(reader, task.datalake);
  const { value, proven } = await evaluateWith(reader, task, {
    concurrency,
    signal,
    onSample: (sample, aggregate) => {
      const position = "block" in sample ? sample.block : BigInt(sample.index);
      samples.push({ position, value: sample.value, proven: sample.proven, aggregate: aggregate.result() });
    },
  });
  return {
    task,
    taskHash: taskHash(task),
    unit: task.datalake.type === "BlockSampled" ? "block" : "transaction",
    samples,
    elements: elementCount(task.datalake),
    value,
    proven,
    anchor: await reader.anchor?.(),
  };
}

/** The task, if it has samples. @throws HdpError HDP-4606 for a module. */
export function requireDatalake(task: Task): DatalakeComputeTask {
  if (task.type === "DatalakeCompute") return task;
  throw hdpError("HDP-4606", { program: task.programHash });
}
