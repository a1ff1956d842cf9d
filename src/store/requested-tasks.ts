import type { Address, Hex } from "viem";
import { decodeAbiParameters, isAddressEqual, isHex, keccak256, numberToHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import { isTaskHash } from "../base/hex.js";
import { type HdpError, hdpError, suggested } from "../errors/hdp-error.js";
import type { Provider } from "./node-requests.js";
import { request } from "./node-requests.js";

/** A module task that a transaction asked a store for. */
export interface RequestedTask {
  readonly taskHash: Hex;
  readonly programHash: Hex;
  /** Public inputs, 32 bytes each: a contract has no private ones. */
  readonly inputs: readonly Hex[];
  readonly store: Address;
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
}

/** Topic of `ModuleTaskScheduled((bytes32,bytes32[]))`, which satellites and execution stores of 2024 emit alike. */
const MODULE_TASK_SCHEDULED = "0x51ba22217059425bdb04aabf9f3ec49f8a081b44fd40faf327f7d9638056eefa";

const SCHEDULED = [
  {
    type: "tuple",
    components: [
      { type: "bytes32", name: "programHash" },
      { type: "bytes32[]", name: "inputs" },
    ],
  },
] as const;

/** Maximum number of blocks of one search: what public nodes allow. */
const MAX_BLOCKS = 10_000n;

/** Options of {@link requestedTasks}. */
export interface RequestedTasksOptions {
  readonly store: Address;
  /** First block to search. */
  readonly since: bigint;
  /** Last block to search. */
  readonly upTo: bigint;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the module tasks that contracts asked a store for in a range of blocks, oldest first. @throws HDP-4103 */
export async function requestedTasks(
  provider: Provider,
  { store, since, upTo, signal }: RequestedTasksOptions,
): Promise<readonly RequestedTask[]> {
  const found: RequestedTask[] = [];
  for (let first = since; first <= upTo; first += MAX_BLOCKS) {
    const last = first + MAX_BLOCKS - 1n;
    const range = {
      fromBlock: numberToHex(first),
      toBlock: numberToHex(last < upTo ? last : upTo),
    };
    const filter = { address: store, ...range, topics: [MODULE_TASK_SCHEDULED] };
    const logs = await request(provider, "eth_getLogs", [filter], { signal });
    if (Array.isArray(logs)) found.push(...logs.flatMap((log) => taskOfLog(log) ?? []));
  }
  return found;
}

/** Who sent a transaction, and which contract it called. */
export interface RequestParties {
  readonly from: Address;
  /** Undefined for the creation of a contract. */
  readonly to?: Address | undefined;
}

/** A mined transaction with the module tasks that it asked stores for. */
export interface RequestTransaction extends RequestParties {
  readonly tasks: readonly RequestedTask[];
}

/**
 * Returns what a transaction asked stores for.
 * @throws HDP-3019 for a transaction that is not mined, or failed; HDP-4103
 */
export async function requestTransaction(
  provider: Provider,
  transactionHash: Hex,
  signal?: AbortSignal,
): Promise<RequestTransaction> {
  const refused = (reason: string): Error => noRequest(transactionHash, reason);
  const params = [transactionHash];
  const receipt = await request(provider, "eth_getTransactionReceipt", params, { signal });
  if (!isRecord(receipt)) throw refused("it is not mined on this chain");
  if (receipt["status"] === "0x0") throw refused("it failed");
  const { from, to, logs } = receipt;
  const tasks = Array.isArray(logs) ? logs.flatMap((log) => taskOfLog(log) ?? []) : [];
  if (tasks.length === 0) throw refused("it asked no store for a module task");
  if (!isHex(from)) throw refused("its receipt names no sender");
  return { tasks, from, to: isHex(to) ? to : undefined };
}

/** Returns HDP-3019: a transaction that is no request. */
export function noRequest(transaction: Hex, reason: string): HdpError {
  const list = suggested("hdp list", [], { after: "--requests <store>" });
  return hdpError("HDP-3019", { transaction, reason, list }, { path: "--request" });
}

/** Returns whether an account or contract sent a transaction, or was called by it. */
export function isBy({ from, to }: RequestParties, party: Address): boolean {
  return isAddressEqual(from, party) || (to !== undefined && isAddressEqual(to, party));
}

/** Returns the task of a log; undefined for another event. Logs of a block that was dropped are marked as removed. */
function taskOfLog(log: unknown): RequestedTask | undefined {
  if (!isRecord(log) || log["removed"] === true) return undefined;
  const { address: store, topics, data, transactionHash, blockNumber } = log;
  if (!Array.isArray(topics) || topics[0] !== MODULE_TASK_SCHEDULED) return undefined;
  if (!isHex(store) || !isHex(data) || !isHex(blockNumber)) return undefined;
  if (typeof transactionHash !== "string" || !isTaskHash(transactionHash)) return undefined;
  try {
    const [{ programHash, inputs }] = decodeAbiParameters(SCHEDULED, data);
    // The event's data is the offset of the task and the bytes that its hash covers.
    const taskHash = keccak256(`0x${data.slice(66)}`);
    const place = { store, transactionHash, blockNumber: BigInt(blockNumber) };
    return { taskHash, programHash, inputs, ...place };
  } catch {
    return undefined;
  }
}
