import type { BoundOptions } from "../base/node-reads.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { type RunReaders, runReaders } from "../chain/readers.js";
import { ChainRecorder, StarknetRecorder } from "../chain/recording/chain-recorder.js";
import {
  type RecordedReference,
  type Recording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
} from "../chain/recording/recording.js";
import type { ChainIdentifier } from "../request/chains.js";
import { findDatalake, hashesInForms } from "../request/task-form.js";
import type { Task } from "../request/task.js";
import {
  type ComputedTask,
  computeRequest,
  type ModuleRunner,
  refuseModules,
} from "./compute-request.js";

/** What {@link recordTasks} takes. */
export interface RecordTasksOptions extends BoundOptions {
  /** Returns the provider of a datalake's chain. Accounts and slots need eth_getProof. */
  readonly providerFor: (chain: ChainIdentifier) => Eip1193Provider | Promise<Eip1193Provider>;
  readonly runModule?: ModuleRunner | undefined;
  /** Returns the blocks of a chain that tasks name by place or date, to keep what they were. */
  readonly referencesOf?: ((chain: ChainIdentifier) => readonly RecordedReference[]) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** "12 of 64 sampled" */
  readonly onProgress?: ((detail: string) => void) | undefined;
}

/** A recording with the results computed while it was made. */
export interface RecordedTasks {
  readonly recording: Recording;
  /** The results computed during the recording, in order of the tasks. */
  readonly computed: readonly ComputedTask[];
}

/**
 * Computes tasks and records the values that they read, with proofs. Does not finalize results.
 * @throws HdpError of area 4xxx: the tasks cannot be computed, HDP-4204 a value cannot be proven, HDP-4401 a module
 * without a module runner, HDP-4605 the wrong chain.
 * @example
 * const { recording } = await recordTasks([task], { providerFor: () => provider });
 */
export async function recordTasks(
  tasks: readonly Task[],
  options: RecordTasksOptions,
): Promise<RecordedTasks> {
  const { providerFor, runModule, concurrency, timeout, referencesOf } = options;
  const { onProgress = () => undefined } = options;
  const signal = options.signal ?? new AbortController().signal;
  const recorders: ChainRecorder[] = [];
  const starknet = new StarknetRecorder();
  const open = async (chain: ChainIdentifier): Promise<ChainRecorder> => {
    const recorder = new ChainRecorder({
      chain,
      provider: await providerFor(chain),
      concurrency,
      timeout,
      signal,
    });
    recorders.push(recorder);
    return recorder;
  };
  if (runModule === undefined) refuseModules(tasks);
  const readersFor = (): RunReaders => runReaders(open, starknet.source);
  const computed = await computeRequest(tasks, { readersFor, runModule, signal, onProgress });
  const chains = await Promise.all(
    recorders.map(async (recorder) => {
      const data = await recorder.recorded();
      const references =
        referencesOf?.(data.chain).filter(({ block }) => endsSampling(tasks, block)) ?? [];
      return references.length === 0 ? data : { ...data, references };
    }),
  );
  const recording: Recording = {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    taskHashes: [...new Set(tasks.flatMap((task) => hashesInForms(task)))],
    chains: chains.sort((a, b) => (a.chain < b.chain ? -1 : 1)),
    ...starknet.recorded(),
  };
  return { recording, computed };
}

/** Returns whether a block begins or ends what a task samples. */
function endsSampling(tasks: readonly Task[], block: number): boolean {
  return tasks.some((task) => {
    const datalake = findDatalake(task)?.datalake;
    if (datalake === undefined) return false;
    const ends =
      datalake.type === "BlockSampled"
        ? [datalake.blockRangeStart, datalake.blockRangeEnd]
        : [datalake.targetBlock];
    return ends.includes(BigInt(block));
  });
}
