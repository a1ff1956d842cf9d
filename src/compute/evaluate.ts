import type { Hex } from "viem";

import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainReader, ProveMode } from "../chain/chain-reader.js";
import { ProvenChainReader } from "../chain/proven-chain-reader.js";
import type { DatalakeComputeTask } from "../request/task.js";
import { type Aggregator, createAggregator } from "./aggregate.js";
import { elementCount, requireLastBlock, type Sample, takeSamples } from "./sample-datalake.js";

/** A task's value with what it rests on. */
export interface Evaluation {
  /** uint256, the word that is stored. */
  readonly value: bigint;
  /** How many values took part. */
  readonly samples: number;
  /** Whether every one of them was checked against its block's hash or roots. */
  readonly proven: boolean;
}

/** How far a task is: `samples` values taken, of `elements` blocks or indices visited in the end. */
export interface EvaluationProgress {
  readonly samples: number;
  readonly elements: bigint;
}

export interface EvaluateWithOptions {
  /** Reads in flight at once, default 16. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: EvaluationProgress) => void) | undefined;
  /** Called with every value that took part, and the aggregate with it added. */
  readonly onSample?: ((sample: Sample, aggregate: Pick<Aggregator, "result">) => void) | undefined;
}

export interface EvaluateOptions extends EvaluateWithOptions {
  /** Of the chain that the task's datalake names. */
  readonly provider: Eip1193Provider;
  /** Default "when-possible". */
  readonly prove?: ProveMode | undefined;
  /** Hash of a block that everything read must be an ancestor of, or that block itself. */
  readonly checkpoint?: Hex | undefined;
  /** Another node of the chain, which must have every block that is read under the same hash. */
  readonly second?: Eip1193Provider | undefined;
}

/**
 * Computes a datalake task over the chain behind `provider`. Nothing is stored.
 *
 * @throws HdpError of area 4xxx: a value that is missing, does not verify or cannot be proven; an empty set.
 * @example
 * const { value, samples, proven } = await evaluate(task, { provider, prove: "require" });
 */
export async function evaluate(task: DatalakeComputeTask, options: EvaluateOptions): Promise<Evaluation> {
  const { provider, prove, concurrency, signal, checkpoint, second } = options;
  const reader = new ProvenChainReader(provider, { prove, concurrency, signal, checkpoint, second });
  await requireLastBlock(reader, task.datalake);
  const evaluation = await evaluateWith(reader, task, options);
  // What it rests on must hold when the reading is over.
  await reader.anchor();
  return evaluation;
}

/** The same over any {@link ChainReader}, which may be shared by the tasks of one run. */
export async function evaluateWith(
  reader: ChainReader,
  { datalake, compute }: DatalakeComputeTask,
  { concurrency, signal, onProgress, onSample }: EvaluateWithOptions = {},
): Promise<Evaluation> {
  const aggregator = createAggregator(compute);
  const elements = elementCount(datalake);
  let proven = true;
  await takeSamples(reader, datalake, { concurrency, signal }, (sample) => {
    aggregator.add(sample.value);
    proven &&= sample.proven;
    onSample?.(sample, aggregator);
    onProgress?.({ samples: aggregator.count, elements });
  });
  return { value: aggregator.result(), samples: aggregator.count, proven };
}
