import type { BatchGas, Finalization } from "../processor/finalizer.js";
import type { TaskWord } from "../request/lifecycle.js";
import { finalizeTasks, type StoreTransaction } from "../store/finalize.js";
import { proveBatch, requiresAuthentication } from "../store/prove-batch.js";
import type { ConnectionStores } from "./connection-stores.js";

/** Tasks of one proven batch: their proofs must fit the gas of a transaction. */
const TASKS_PER_BATCH = 128;

/**
 * Stores results in the store in use: plainly, or as proven batches where that is configured or the store takes
 * nothing else.
 */
export async function finalizeInStore(
  stores: ConnectionStores,
  results: readonly TaskWord[],
  mode: "plain" | "proven",
): Promise<Finalization> {
  const { address: store } = await stores.current();
  const { provider } = stores;
  const from = await stores.operator();
  if (mode === "plain" && !(await requiresAuthentication(provider, store))) {
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
