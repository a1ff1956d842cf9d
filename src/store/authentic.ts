import type { Address } from "viem";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";

import { storeAddress } from "./execution-store.js";
import type { StoreTransaction } from "./finalize.js";
import { hdpExecutionStoreMockAbi } from "./generated/hdp-execution-store-mock.js";
import { ethCall, revertData } from "./rpc.js";
import type { Provider, WaitOptions } from "./rpc.js";
import { transactWithStore } from "./store-transaction.js";

export interface RequireAuthenticationOptions extends WaitOptions {
  readonly provider: Provider;
  /** An execution store mock. */
  readonly store: Address;
  /** An operator. Default: the node's first account. */
  readonly from?: Address | undefined;
}

/**
 * Makes a mock accept proven results only, for good: `finalizeTasks` is refused from then on, `proveBatch` goes on.
 *
 * Errors: HDP-3004 not an operator.
 */
export async function requireAuthentication(options: RequireAuthenticationOptions): Promise<StoreTransaction> {
  const store = storeAddress(options.store);
  const data = encodeFunctionData({ abi: hdpExecutionStoreMockAbi, functionName: "requireAuthentication" });
  const call = { store, from: options.from, data };
  const { transactionHash, blockNumber, gasUsed } = await transactWithStore(options.provider, call, options);
  return { transactionHash, blockNumber, gasUsed };
}

/** Whether a store is a mock that accepts proven results only. Asked of the contract: a revert may undo it. */
export async function requiresAuthentication(
  provider: Provider,
  store: Address,
  signal?: AbortSignal,
): Promise<boolean> {
  const abi = hdpExecutionStoreMockAbi;
  try {
    const data = await ethCall(provider, store, encodeFunctionData({ abi, functionName: "authenticOnly" }), signal);
    return data.length === 66 && decodeFunctionResult({ abi, functionName: "authenticOnly", data });
  } catch (error) {
    if (revertData(error) === undefined) throw error;
    // A published store does not know the question.
    return false;
  }
}
