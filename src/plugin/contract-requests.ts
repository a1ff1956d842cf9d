import type { Address, Hex } from "viem";

import { formatFelt } from "../base/felt.js";
import { parseTask } from "../request/parse.js";
import type { TaskRequest } from "../request/task.js";
import type { StoredStatus } from "../store/execution-store.js";
import {
  isBy,
  noRequest,
  type RequestedTask,
  type RequestParties,
  requestedTasks,
  requestTransaction,
} from "../store/requested-tasks.js";
import type { StoredSubmission } from "../submission/stored-submission.js";
import { defaultDestination } from "./destination.js";
import { projectSubmissions } from "./project-database.js";
import type { ConnectedNetwork } from "./connected-network.js";
import type { EvmStores } from "./stores/evm-stores.js";
import { isSameHex } from "../base/hex.js";

/** A task that a contract asked for and that has no result yet. */
export interface OpenRequest extends RequestedTask, RequestParties {
  readonly status: StoredStatus;
  /** The newest submission of the task from this project. */
  readonly submission?: StoredSubmission | undefined;
}

/** Which requests are searched for. */
export interface RequestSearch {
  /** Address of the store; the connection's own when left out. */
  readonly store?: Address | undefined;
  /** Only requests in transactions of this account, or to this contract. */
  readonly by?: Address | undefined;
  /** First block. Default: the latest 10,000 blocks. */
  readonly since?: bigint | undefined;
}

const SEARCHED_BLOCKS = 10_000n;

/** Returns what contracts asked a store for and nobody has fulfilled, oldest first. @throws HdpError HDP-3002, HDP-4103 */
export async function openRequests(
  network: ConnectedNetwork,
  stores: EvmStores,
  { store: address, by, since }: RequestSearch,
): Promise<readonly OpenRequest[]> {
  const store = await stores.openForReading(address);
  const upTo = await network.head();
  const first = upTo < SEARCHED_BLOCKS ? 0n : upTo - SEARCHED_BLOCKS + 1n;
  const range = { store: store.address, since: since ?? first, upTo };
  const tasks = await requestedTasks(network.provider, range);
  const statuses = await store.statuses(tasks.map(({ taskHash }) => taskHash));
  const parties = new Map<Hex, Promise<RequestParties>>();
  const readParties = async (transaction: Hex): Promise<RequestParties> => {
    const asked = parties.get(transaction) ?? requestTransaction(network.provider, transaction);
    parties.set(transaction, asked);
    return await asked;
  };
  const records = projectSubmissions(network.config.dataDir);
  const open: OpenRequest[] = [];
  for (const [at, task] of tasks.entries()) {
    const status = statuses[at] ?? "none";
    if (status === "finalized") continue;
    const { from, to } = await readParties(task.transactionHash);
    if (by !== undefined && !isBy({ from, to }, by)) continue;
    const submission = records.withHashes([task.taskHash]).at(-1);
    open.push({ ...task, from, to, status, submission });
  }
  return open;
}

/**
 * Returns the tasks that a transaction asked the connection's own store for, as a request for that chain.
 * @throws HdpError HDP-3019 for a transaction that asked for nothing there, HDP-1118 for inputs that are no felts
 */
export async function readAskedRequest(
  transaction: Hex,
  network: ConnectedNetwork,
  stores: EvmStores,
): Promise<TaskRequest> {
  const { tasks } = await requestTransaction(network.provider, transaction);
  const { address } = await stores.openForReading();
  const own = tasks.filter(({ store }) => isSameHex(store, address));
  const [other] = tasks;
  if (own.length === 0) {
    const reason = `it asked the store ${other?.store ?? "of another chain"}, and results of network "${network.networkName}" go to ${address}`;
    throw noRequest(transaction, reason);
  }
  return await toTaskRequest(own, network);
}

/** Returns requested tasks as a request for the connected chain. @throws TaskRequestError for words that are no felts */
export async function toTaskRequest(
  tasks: readonly RequestedTask[],
  network: ConnectedNetwork,
): Promise<TaskRequest> {
  const felt = (word: Hex): Hex => formatFelt(BigInt(word));
  return {
    destinationChainId: await defaultDestination(network),
    tasks: tasks.map(({ programHash, inputs }) =>
      parseTask({
        type: "Module",
        programHash: felt(programHash),
        inputs: inputs.map((value) => ({ visibility: "public", value: felt(value) })),
      }),
    ),
  };
}
