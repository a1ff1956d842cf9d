import type { Address, Hex } from "viem";
import { concatHex, decodeAbiParameters, encodeAbiParameters, isHex, numberToHex, toEventSelector } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { ethCallUnlessReverted, type Provider, request, StoreRpcError, type StoreTransaction } from "./transact.js";

/** Multicall3 has this address on every chain where it is deployed: https://www.multicall3.com */
export const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Reading a result takes some 10,000 gas, and a node may limit a call to 16,777,216. */
const MAX_CALLS = 500;

/** Selector of `aggregate3((address,bool,bytes)[])`, which returns `(bool,bytes)[]`. */
const AGGREGATE = "0x82ad56cb";
/** Parameters of a call: target, whether it may fail, and calldata. */
const CALLS = [{ type: "tuple[]", components: [{ type: "address" }, { type: "bool" }, { type: "bytes" }] }] as const;
/** Answers: whether the call succeeded, and its return data. */
const ANSWERS = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }] as const;

/**
 * Sends many calls, 500 per `eth_call`. Returns undefined for a call that reverts, and no list without a working
 * Multicall3.
 */
export async function multicall(
  provider: Provider,
  target: Address,
  calls: readonly Hex[],
  signal?: AbortSignal,
): Promise<readonly (Hex | undefined)[] | undefined> {
  const code = await request(provider, "eth_getCode", [MULTICALL3, "latest"], { signal });
  if (typeof code !== "string" || code === "0x") return undefined;
  const answers: (Hex | undefined)[] = [];
  for (let start = 0; start < calls.length; start += MAX_CALLS) {
    const part = calls.slice(start, start + MAX_CALLS).map((data) => [target, true, data] as const);
    const data = concatHex([AGGREGATE, encodeAbiParameters(CALLS, [part])]);
    const answer = await ethCallUnlessReverted(provider, MULTICALL3, data, signal);
    const decoded = answer === undefined ? undefined : decodeAnswers(answer);
    if (decoded?.length !== part.length) return undefined;
    answers.push(...decoded);
  }
  return answers;
}

function decodeAnswers(data: Hex): readonly (Hex | undefined)[] | undefined {
  try {
    const [answers] = decodeAbiParameters(ANSWERS, data);
    return answers.map(([succeeded, answer]) => (succeeded ? answer : undefined));
  } catch {
    return undefined;
  }
}

type FinalizationPlace = Pick<StoreTransaction, "transactionHash" | "blockNumber">;

const TASK_FINALIZED = toEventSelector("TaskFinalized(bytes32,bytes32)");

/** Finds the latest `TaskFinalized` event of each task, by hash in lower case; omits tasks without an event. */
export async function findFinalizations(
  provider: Provider,
  address: Address,
  options: { readonly signal?: AbortSignal | undefined; readonly searchBlocks?: bigint | undefined } = {},
): Promise<ReadonlyMap<string, FinalizationPlace>> {
  const { signal, searchBlocks = 10_000n } = options;
  try {
    const latest = await request(provider, "eth_blockNumber", [], { signal });
    if (!isHex(latest)) return new Map();
    const first = BigInt(latest) - searchBlocks + 1n;
    const fromBlock = numberToHex(first > 0n ? first : 0n);
    const filter = { address, fromBlock, toBlock: latest, topics: [TASK_FINALIZED] };
    const logs = await request(provider, "eth_getLogs", [filter], { signal });
    return new Map(Array.isArray(logs) ? logs.flatMap(readLog) : []);
  } catch (error) {
    // The results are read: a node that cannot search logs must not make the read fail.
    if (error instanceof StoreRpcError) return new Map();
    throw error;
  }
}

/** Returns the task hash and the place of a log. The event's parameters are not indexed, so the hash is in its data. */
function readLog(log: unknown): (readonly [string, FinalizationPlace])[] {
  const { data, transactionHash, blockNumber } = isRecord(log) ? log : {};
  if (!isHex(data) || data.length !== 130 || !isHex(transactionHash) || !isHex(blockNumber)) return [];
  return [[data.slice(0, 66).toLowerCase(), { transactionHash, blockNumber: BigInt(blockNumber) }]];
}
