import type { Address, Hex } from "viem";
import { decodeFunctionResult, encodeFunctionData, numberToHex, toEventSelector } from "viem/utils";

import { ethCall, isHex, type Provider, request, revertData, StoreRpcError } from "./transact.js";

/** Multicall3, at the address that it has on every chain where somebody deployed it: https://www.multicall3.com */
export const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Calls that go together: reading a result takes some 10,000 gas, and a node's limit for a call may be 16,777,216. */
const CALLS_AT_ONCE = 500;

const abi = [
  {
    type: "function",
    name: "aggregate3",
    stateMutability: "payable",
    inputs: [
      {
        name: "calls",
        type: "tuple[]",
        components: [
          { name: "target", type: "address" },
          { name: "allowFailure", type: "bool" },
          { name: "callData", type: "bytes" },
        ],
      },
    ],
    outputs: [
      {
        name: "returnData",
        type: "tuple[]",
        components: [
          { name: "success", type: "bool" },
          { name: "returnData", type: "bytes" },
        ],
      },
    ],
  },
] as const;

/**
 * What a contract answers to each of many calls, 500 in an `eth_call`; `undefined` for one that reverts.
 *
 * @returns undefined where the chain has no Multicall3, or what is there does not answer as it does
 */
export async function multicall(
  provider: Provider,
  target: Address,
  calls: readonly Hex[],
  signal?: AbortSignal,
): Promise<readonly (Hex | undefined)[] | undefined> {
  const code = await request(provider, "eth_getCode", [MULTICALL3, "latest"], signal);
  if (typeof code !== "string" || code === "0x") return undefined;
  const answers: (Hex | undefined)[] = [];
  for (let start = 0; start < calls.length; start += CALLS_AT_ONCE) {
    const part = calls.slice(start, start + CALLS_AT_ONCE);
    const answered = await aggregate(provider, target, part, signal);
    if (answered?.length !== part.length) return undefined;
    answers.push(...answered);
  }
  return answers;
}

async function aggregate(
  provider: Provider,
  target: Address,
  calls: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<readonly (Hex | undefined)[] | undefined> {
  const args = [calls.map((callData) => ({ target, allowFailure: true, callData }))] as const;
  const data = encodeFunctionData({ abi, functionName: "aggregate3", args });
  let answer: Hex;
  try {
    answer = await ethCall(provider, MULTICALL3, data, signal);
  } catch (error) {
    if (revertData(error) !== undefined) return undefined;
    throw error;
  }
  try {
    const answers = decodeFunctionResult({ abi, functionName: "aggregate3", data: answer });
    return answers.map(({ success, returnData }) => (success ? returnData : undefined));
  } catch {
    return undefined;
  }
}

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
