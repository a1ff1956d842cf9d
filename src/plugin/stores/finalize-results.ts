import type { Address } from "viem";

import type { Eip1193Provider } from "../../base/rpc.js";
import type { BatchGas, Finalization } from "../../submission/backend/finalizer.js";
import type { TaskWord } from "../../request/lifecycle.js";
import { finalizeTasks } from "../../store/finalize.js";
import { proveBatch, requiresAuthentication } from "../../store/prove-batch.js";
import type { StoreTransaction } from "../../store/transact.js";

/** Tasks of one proven batch: their proofs must fit the gas of a transaction. */
const TASKS_PER_BATCH = 128;

/** A store on an EVM chain with the account that writes to it. */
export interface WritableStore {
  readonly provider: Eip1193Provider;
  readonly store: Address;
  readonly from: Address;
  /** Whether it takes proven results only. Default: it is asked. */
  readonly isAuthentic?: boolean | undefined;
}

/**
 * Stores results: plainly, or as proven batches where that is configured or the store takes
 * nothing else.
 */
export async function finalizeResults(
  { provider, store, from, isAuthentic }: WritableStore,
  results: readonly TaskWord[],
  mode: "plain" | "proven",
): Promise<Finalization> {
  if (mode === "plain" && !(isAuthentic ?? (await requiresAuthentication(provider, store)))) {
    const { transactionHash, blockNumber, gasUsed } = await finalizeTasks({ provider, store, from, results });
    return { store, transactionHash, blockNumber, gasUsed };
  }
  const batches: BatchGas[] = [];
  let last: Pick<StoreTransaction, "transactionHash" | "blockNumber"> = { transactionHash: "0x", blockNumber: 0n };
  for (let start = 0; start < results.length; start += TASKS_PER_BATCH) {
    const part = results.slice(start, start + TASKS_PER_BATCH);
    const batch = await proveBatch({ provider, store, from, results: part });
    last = { transactionHash: batch.transactionHash, blockNumber: batch.blockNumber };
    batches.push({ tasks: part.length, gasUsed: batch.totalGasUsed, authenticationGas: batch.gasUsed });
  }
  const gasUsed = batches.reduce((sum, batch) => sum + batch.gasUsed, 0n);
  return { store, ...last, gasUsed, batches };
}
