import type { Address, Hex } from "viem";
import { numberToHex, toEventSelector } from "viem/utils";

import { isHex, type Provider, request, StoreRpcError } from "./transact.js";

/** Where a task was finalized. */
export interface FinalizationPlace {
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
}

export interface FindOptions {
  readonly signal?: AbortSignal | undefined;
  readonly searchBlocks?: bigint | undefined;
}

const TASK_FINALIZED = toEventSelector("TaskFinalized(bytes32,bytes32)");

/**
 * The latest `TaskFinalized` event of a task within the latest blocks, in two requests.
 *
 * Undefined where there is none: execution stores of 2024 emit no such event, and many nodes refuse wide searches.
 */
export async function findFinalization(
  provider: Provider,
  address: Address,
  taskHash: Hex,
  options: FindOptions = {},
): Promise<FinalizationPlace | undefined> {
  const { signal, searchBlocks = 10_000n } = options;
  try {
    const latest = await request(provider, "eth_blockNumber", [], signal);
    if (!isHex(latest)) return undefined;
    const first = BigInt(latest) - searchBlocks + 1n;
    const fromBlock = numberToHex(first > 0n ? first : 0n);
    const logs = await request(
      provider,
      "eth_getLogs",
      [{ address, fromBlock, toBlock: latest, topics: [TASK_FINALIZED] }],
      signal,
    );
    return Array.isArray(logs) ? logs.map((log) => readLog(log, taskHash)).findLast((found) => found) : undefined;
  } catch (error) {
    // The result itself was read: a node that does not search logs must not take it away.
    if (error instanceof StoreRpcError) return undefined;
    throw error;
  }
}

/** The place of a log that finalizes the task. The event's parameters are not indexed: the hash is in its data. */
function readLog(log: unknown, taskHash: Hex): FinalizationPlace | undefined {
  if (typeof log !== "object" || log === null) return undefined;
  const { data, transactionHash, blockNumber } = log as Readonly<Record<string, unknown>>;
  if (!isHex(data) || data.length !== 130 || !isHex(transactionHash) || !isHex(blockNumber)) return undefined;
  if (data.slice(0, 66).toLowerCase() !== taskHash.toLowerCase()) return undefined;
  return { transactionHash, blockNumber: BigInt(blockNumber) };
}
