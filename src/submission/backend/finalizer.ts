import type { Address, Hex } from "viem";

import type { Eip1193Provider } from "../../base/rpc.js";
import { grouped } from "../../base/text.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type { TaskWord } from "../../request/task-result.js";
import { finalizeTasks } from "../../store/finalize.js";
import type { StoreTransaction, MinedAt } from "../../store/transact.js";

/** The last transaction that stored results, with the gas of all of them. */
export interface Finalization extends StoreTransaction {
  readonly store: Hex;
  /** Each proven batch, in order, where the results were proven. */
  readonly batches?: readonly BatchGas[];
}

/** Gas that finalizing a batch of tasks took on the mock store. */
export interface BatchGas {
  readonly tasks: number;
  /** Gas of the whole flow: MMR root, fact, authentication. */
  readonly gasUsed: bigint;
  /** Gas of the transaction that authenticates the results, which a published store receives too. */
  readonly authenticationGas: bigint;
}

/** Port through which results reach the execution store of their destination chain. */
export interface ResultSink {
  /** Stores all results or none. Never called again before the promise settles. */
  finalize(
    results: readonly TaskWord[],
    destinationChainId: ChainIdentifier,
  ): Promise<Finalization>;
}

/** Returns "block 66, 71,204 gas", or "block 70, batch of 3 proven, 412,345 gas (authentication 230,123)". */
export function describeFinalization({ blockNumber, gasUsed, batches = [] }: Finalization): string {
  const block = `block ${blockNumber}`;
  const [only] = batches;
  if (only === undefined) return `${block}, ${grouped(gasUsed)} gas`;
  if (batches.length === 1) {
    const authentication = `authentication ${grouped(only.authenticationGas)}`;
    return `${block}, batch of ${only.tasks} proven, ${grouped(only.gasUsed)} gas (${authentication})`;
  }
  const each = batches.map((batch) => `${batch.tasks} for ${grouped(batch.gasUsed)}`).join(", ");
  return `${block}, ${batches.length} batches proven, ${grouped(gasUsed)} gas (${each})`;
}

interface Waiting {
  readonly results: readonly TaskWord[];
  readonly destination: ChainIdentifier;
  readonly resolve: (finalization: Finalization) => void;
  readonly reject: (error: unknown) => void;
}

/** Results that fit well into a transaction: about 48,000 gas each, of the 16,777,216 that EIP-7825 allows. */
const WORDS_PER_CALL = 300;

/**
 * Passes results to a sink, one call at a time, so that transactions of one sender cannot overtake each other. Requests
 * that finish during a call are combined in the next one; the tasks of a request are never split.
 */
export class Finalizer {
  readonly #sink: ResultSink;
  #queue: Waiting[] = [];
  #busy = false;

  public constructor(sink: ResultSink) {
    this.#sink = sink;
  }

  /** Stores results. Settles with the call that carries them; a failed call rejects for each of its requests. */
  public finalize(
    results: readonly TaskWord[],
    destination: ChainIdentifier,
  ): Promise<Finalization> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ results, destination, resolve, reject });
      if (!this.#busy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      const { requests, words } = this.#takeBatch(first);
      try {
        const finalization = await this.#sink.finalize(words, first.destination);
        for (const { resolve } of requests) resolve(finalization);
      } catch (error) {
        for (const { reject } of requests) reject(error);
      }
    }
    this.#busy = false;
  }

  /** Takes the first request and those of the same destination that fit with it; the others keep their order. */
  #takeBatch(first: Waiting): { requests: Waiting[]; words: TaskWord[] } {
    const requests: Waiting[] = [];
    const later: Waiting[] = [];
    const words = new Map<string, TaskWord>();
    for (const waiting of this.#queue) {
      if (
        waiting === first ||
        (waiting.destination === first.destination && fits(words, waiting.results))
      ) {
        for (const result of waiting.results) words.set(result.taskHash, result);
        requests.push(waiting);
      } else {
        later.push(waiting);
      }
    }
    this.#queue = later;
    return { requests, words: [...words.values()] };
  }
}

/** Returns whether results fit in one call. If the chain changed between them, a later value of a task does not. */
function fits(words: ReadonlyMap<string, TaskWord>, results: readonly TaskWord[]): boolean {
  if (words.size + results.length > WORDS_PER_CALL) return false;
  return results.every(({ taskHash, word }) => (words.get(taskHash)?.word ?? word) === word);
}

/** Tasks of one proven batch: their proofs must fit into the gas limit of a transaction. */
const TASKS_PER_BATCH = 128;

/** A store on an EVM chain with the account that writes to it. */
interface WritableStore {
  readonly provider: Eip1193Provider;
  readonly store: Address;
  readonly from: Address;
}

/** Stores results: plainly, or as proven batches. */
export async function finalizeResults(
  { provider, store, from }: WritableStore,
  results: readonly TaskWord[],
  mode: "plain" | "proven",
): Promise<Finalization> {
  if (mode === "plain") {
    const { transactionHash, blockNumber, gasUsed } = await finalizeTasks({
      provider,
      store,
      from,
      results,
    });
    return { store, transactionHash, blockNumber, gasUsed };
  }
  const { proveBatch } = await import("../../store/prove-batch.js");
  const batches: BatchGas[] = [];
  let last: MinedAt = {
    transactionHash: "0x",
    blockNumber: 0n,
  };
  for (let start = 0; start < results.length; start += TASKS_PER_BATCH) {
    const part = results.slice(start, start + TASKS_PER_BATCH);
    const batch = await proveBatch({ provider, store, from, results: part });
    last = { transactionHash: batch.transactionHash, blockNumber: batch.blockNumber };
    batches.push({
      tasks: part.length,
      gasUsed: batch.totalGasUsed,
      authenticationGas: batch.gasUsed,
    });
  }
  const gasUsed = batches.reduce((sum, batch) => sum + batch.gasUsed, 0n);
  return { store, ...last, gasUsed, batches };
}
