import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainReader } from "../chain/chain-reader.js";
import { ProvenChainReader, type ProvenChainReaderOptions } from "../chain/proven-chain-reader.js";
import type { DatalakeComputeTask } from "../request/task.js";
import { createAggregator } from "./aggregate.js";
import { EmptySamples } from "./empty-samples.js";
import { requireLastBlock, type Sample, type SampleOptions, takeSamples } from "./samples.js";

/** A value, and what it rests on. */
export interface ComputedValue {
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
