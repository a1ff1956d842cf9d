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
 * The latest `TaskFinalized` event of each task within the latest blocks, in two requests for all of them; by task hash,
 * in lower case.
 *
 * One that has none is left out: execution stores of 2024 emit no such event, and many nodes refuse wide searches.
 */
export async function findFinalizations(
  provider: Provider,
  address: Address,
  options: FindOptions = {},
): Promise<ReadonlyMap<string, FinalizationPlace>> {
  const { signal, searchBlocks = 10_000n } = options;
  try {
    const latest = await request(provider, "eth_blockNumber", [], signal);
    if (!isHex(latest)) return new Map();
    const first = BigInt(latest) - searchBlocks + 1n;
    const fromBlock = numberToHex(first > 0n ? first : 0n);
    const logs = await request(
      provider,
      "eth_getLogs",
      [{ address, fromBlock, toBlock: latest, topics: [TASK_FINALIZED] }],
      signal,
    );
    return new Map(Array.isArray(logs) ? logs.flatMap(readLog) : []);
  } catch (error) {
    // The result itself was read: a node that does not search logs must not take it away.
    if (error instanceof StoreRpcError) return new Map();
    throw error;
  }
}

/** The task that a log finalizes, and its place. The event's parameters are not indexed: the hash is in its data. */
function readLog(log: unknown): (readonly [string, FinalizationPlace])[] {
  if (typeof log !== "object" || log === null) return [];
  const { data, transactionHash, blockNumber } = log as Readonly<Record<string, unknown>>;
  if (!isHex(data) || data.length !== 130 || !isHex(transactionHash) || !isHex(blockNumber)) return [];
  return [[data.slice(0, 66).toLowerCase(), { transactionHash, blockNumber: BigInt(blockNumber) }]];
}
