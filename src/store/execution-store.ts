import type { Address, Hex } from "viem";
import {
  concatHex,
  decodeAbiParameters,
  encodeAbiParameters,
  isHash,
  isHex,
  numberToHex,
} from "viem/utils";

import { isRecord, keysOf } from "../base/collections.js";
import { requireAddress, requireTaskHash } from "../base/hex.js";
import { HdpError, hdpError, inWords, notAllowed } from "../errors/hdp-error.js";
import { type ChainIdentifier, numericChainId, isStarknet } from "../request/chains.js";
import type { CallOptions } from "../request/data-processor.js";
import { SATELLITES } from "../request/satellites.js";
import type { TaskResult } from "../request/task-result.js";
import type { Provider } from "./node-requests.js";
import type { MinedAt } from "./transact.js";
import { ethCall, ethCallUnlessReverted, request, StoreRpcError } from "./node-requests.js";
import { explainRevert, revertName } from "./reverts.js";

/** Families of function names of stores, in the order of tries: satellites (since 2025), execution stores (2024). */
export const STORE_KINDS = ["satellite", "execution-store"] as const;
/** The kind of an execution store, which decides its function names. */
export type StoreKind = (typeof STORE_KINDS)[number];

/**
 * Kinds of mocks: a kind of store, or the satellite of the published development branch, which authenticates executions
 * in another form and is read like any satellite. The positions are the values of `HdpStoreKind`.
 */
export const MOCK_KINDS = [...STORE_KINDS, "satellite-develop"] as const;
/** The kind of a mock execution store. */
export type MockKind = (typeof MOCK_KINDS)[number];

/** Returns a kind as the constructor of the mock takes it. @throws HdpError HDP-6003 */
export function mockKindNumber(kind: MockKind): number {
  const number = MOCK_KINDS.indexOf(kind);
  if (number >= 0) return number;
  throw notAllowed(kind, "a kind of store", { path: "kind", allowed: MOCK_KINDS.join(", ") });
}

/** A task's status in a store. */
export type StoredStatus = "none" | "scheduled" | "finalized";

/** Options of one read of a store. */
export interface ReadStoreOptions {
  readonly signal?: AbortSignal | undefined;
  /** Also search the logs of the latest blocks for the transaction that finalized the task. Default false. */
  readonly withTransaction?: boolean | undefined;
  /** Number of latest blocks to search for the transaction. Default 10,000. */
  readonly searchBlocks?: bigint | undefined;
}

/** Where a store is, and which functions it has. */
export interface StoreAddress {
  readonly address: Address;
  readonly kind: StoreKind;
}

/** A contract that stores finalized results, opened for reading. */
export interface ExecutionStore extends StoreAddress {
  /** Returns the finalized result of a task with one `eth_call`. Throws `NotFinalizedError` where there is none. */
  readResult(taskHash: Hex, options?: ReadStoreOptions): Promise<TaskResult>;
  status(taskHash: Hex, options?: CallOptions): Promise<StoredStatus>;
  /**
   * Returns the finalized results of many tasks, in their order: 500 per `eth_call` if the chain has Multicall3, else
   * one call each, at most 16 at a time. Throws `NotFinalizedError` for the first task without a result. One search
   * finds all transactions.
   */
  readResults(
    taskHashes: readonly Hex[],
    options?: ReadStoreOptions,
  ): Promise<readonly TaskResult[]>;
  /** Returns the states of many tasks, in their order, batched as in `readResults`. */
  statuses(taskHashes: readonly Hex[], options?: CallOptions): Promise<readonly StoredStatus[]>;
}

/** Options of `openExecutionStore`. */
export interface OpenStoreOptions {
  readonly provider: Provider;
  readonly address: string;
  /** Kind of the store. `auto` (default) detects it: with one call for a satellite, two for an execution store. */
  readonly kind?: StoreKind | "auto" | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Thrown where a task has no finalized result in the store (yet). */
export class NotFinalizedError extends HdpError {
  public constructor(
    public readonly taskHash: Hex,
    public readonly status: StoredStatus,
    public readonly store: Address,
    private readonly reasons: readonly string[] = [],
  ) {
    const hint =
      status === "none"
        ? "Check the hash (its encoding with or without chain id), the store and the network, or submit the task."
        : "The task was requested and has no result yet: await it.";
    super(inWords("HDP-3001", { taskHash, status, store }, { hints: [hint, ...reasons] }));
  }

  /** Returns the error with more hints. */
  public with(hints: readonly string[]): NotFinalizedError {
    const reasons = [...this.reasons, ...hints];
    return new NotFinalizedError(this.taskHash, this.status, this.store, reasons);
  }
}

/** Statuses, by the number that a store returns. */
export const STATUSES: readonly StoredStatus[] = ["none", "scheduled", "finalized"];

type Read = "status" | "result";

/** The function names of both kinds. Each function takes a task hash (bytes32) and returns one word. */
export const FAMILIES: Readonly<
  Record<StoreKind, Readonly<Record<Read, { name: string; selector: Hex }>>>
> = {
  "execution-store": {
    status: { name: "getTaskStatus", selector: "0x2bf6cc79" },
    result: { name: "getFinalizedTaskResult", selector: "0x019d8386" },
  },
  satellite: {
    status: { name: "getDataProcessorTaskStatus", selector: "0x346fa974" },
    result: { name: "getDataProcessorFinalizedTaskResult", selector: "0x7f5dcb4e" },
  },
};

/** Minimum number of calls for Multicall3: checking that the chain has it is a call too. */
const MIN_MULTICALL = 4;
const MAX_CONCURRENT_READS = 16;
/** 32 zero bytes. */
export const ZERO_HASH: Hex = `0x${"00".repeat(32)}`;

/**
 * Opens a store for reading, after checking that there is one at the address.
 * @throws HDP-3002 no contract at the address, HDP-3003 a contract that is not a store (or not of the given kind),
 * HDP-4103 the node failed to answer, HDP-1110 not an address.
 * @example
 * const store = await openExecutionStore({ provider, address });
 * const { value } = await store.readResult(taskHash);
 */
export async function openExecutionStore(options: OpenStoreOptions): Promise<ExecutionStore> {
  const { provider, kind = "auto", signal } = options;
  const address = requireAddress(options.address);
  const kinds: readonly StoreKind[] = kind === "auto" ? STORE_KINDS : [kind];
  for (const candidate of kinds) {
    const data = concatHex([FAMILIES[candidate].status.selector, ZERO_HASH]);
    const answer = await ethCallUnlessReverted(provider, address, data, signal);
    if (parseStatus(answer) !== undefined)
      return storeAt(address, candidate, evmReader(provider, address, candidate));
  }
  const functions = kinds
    .map((one) => `${FAMILIES[one].status.name} (${one.replace("-", " ")})`)
    .join(" or ");
  throw await notAStore(provider, address, functions, signal);
}

/** The stored word of a result, and the number that it is. */
interface StoredValue {
  readonly word: Hex;
  readonly value: bigint;
}

/** What a store answers: of a result its word, or undefined where the task has none. */
export interface StoreReader {
  result(taskHash: Hex, signal?: AbortSignal): Promise<StoredValue | undefined>;
  status(taskHash: Hex, signal?: AbortSignal): Promise<StoredStatus>;
  /** Asks for many tasks at once; nothing for those that have to be read one by one. */
  many?(
    what: Read,
    taskHashes: readonly Hex[],
    signal?: AbortSignal,
  ): Promise<readonly (Hex | undefined)[]>;
  /** Adds the transactions that finalized the tasks. */
  withTransactions?(
    results: readonly TaskResult[],
    options: ReadStoreOptions,
  ): Promise<readonly TaskResult[]>;
}

/** Returns the store at an address, over a reader of its contract's functions. */
export function storeAt(address: Address, kind: StoreKind, reader: StoreReader): ExecutionStore {
  const many = async (
    ...[what, taskHashes, signal]: Parameters<NonNullable<StoreReader["many"]>>
  ) => {
    const hashes = taskHashes.map((taskHash) => requireTaskHash(taskHash));
    return (
      (hashes.length < MIN_MULTICALL ? undefined : await reader.many?.(what, hashes, signal)) ?? []
    );
  };
  const statuses: ExecutionStore["statuses"] = async (taskHashes, { signal } = {}) => {
    const answers = await many("status", taskHashes, signal);
    return await inOrder(
      taskHashes,
      async (taskHash, position) =>
        parseStatus(answers[position]) ?? (await reader.status(taskHash, signal)),
    );
  };
  const readResults: ExecutionStore["readResults"] = async (taskHashes, options = {}) => {
    const { signal, withTransaction = false } = options;
    const words = await many("result", taskHashes, signal);
    const results = await inOrder(taskHashes, async (taskHash, position) => {
      const word = words[position];
      // A separate read says why there is no result.
      const isThere = word !== undefined && isHash(word);
      const result = isThere
        ? { word, value: BigInt(word) }
        : await reader.result(taskHash, signal);
      if (result !== undefined) return { taskHash, ...result, store: address };
      const status = await reader.status(taskHash, signal);
      // It may have come after it was read.
      const later = status === "finalized" ? await reader.result(taskHash, signal) : undefined;
      if (later === undefined) throw new NotFinalizedError(taskHash, status, address);
      return { taskHash, ...later, store: address };
    });
    const isSearched = withTransaction && results.length > 0;
    return (isSearched ? await reader.withTransactions?.(results, options) : undefined) ?? results;
  };
  return {
    address,
    kind,
    statuses,
    readResults,
    status: async (taskHash, options) => only(await statuses([taskHash], options)),
    readResult: async (taskHash, options) => only(await readResults([taskHash], options)),
  };
}

function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new TypeError("nothing was read");
  return item;
}

/** Returns what reads a store of an EVM chain, by the function names of its kind. */
function evmReader(provider: Provider, address: Address, kind: StoreKind): Required<StoreReader> {
  const calldata = (what: Read, taskHash: Hex): Hex =>
    concatHex([FAMILIES[kind][what].selector, taskHash]);
  const without = async (what: Read, signal?: AbortSignal): Promise<HdpError> =>
    await notAStore(provider, address, FAMILIES[kind][what].name, signal);
  return {
    status: async (taskHash, signal) => {
      const status = parseStatus(
        await ethCallUnlessReverted(provider, address, calldata("status", taskHash), signal),
      );
      if (status === undefined) throw await without("status", signal);
      return status;
    },
    result: async (taskHash, signal) => {
      try {
        const word = await ethCall(provider, address, calldata("result", taskHash), signal);
        if (isHash(word)) return { word, value: BigInt(word) };
      } catch (error) {
        if (revertName(error) === "NotFinalized") return undefined;
        throw explainRevert(error, address, undefined);
      }
      throw await without("result", signal);
    },
    many: async (what, taskHashes, signal) => {
      const calls = taskHashes.map((taskHash) => calldata(what, taskHash));
      return (await multicall(provider, address, calls, signal)) ?? [];
    },
    withTransactions: async (results, options) => {
      const places = await findFinalizations(provider, address, options);
      return results.map((result) => ({ ...result, ...places.get(result.taskHash.toLowerCase()) }));
    },
  };
}

/** Multicall3 has this address on every chain where it is deployed: https://www.multicall3.com */
const MULTICALL3: Address = "0xcA11bde05977b3631167028862bE2a173976CA11";

/** Reading a result takes some 10,000 gas, and a node may limit a call to 16,777,216. */
const MAX_CALLS = 500;

/** Selector of `aggregate3((address,bool,bytes)[])`, which returns `(bool,bytes)[]`. */
const AGGREGATE = "0x82ad56cb";
/** Parameters of a call: target, whether it may fail, and calldata. */
const CALLS = [
  { type: "tuple[]", components: [{ type: "address" }, { type: "bool" }, { type: "bytes" }] },
] as const;
/** Answers: whether the call succeeded, and its return data. */
const ANSWERS = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }] as const;

/** Sends many calls, 500 per `eth_call`. Returns undefined for one that reverts, and no list without Multicall3. */
async function multicall(
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

/** Topic of `TaskFinalized(bytes32,bytes32)`. */
const TASK_FINALIZED = "0x95367d27ac8fa4179f2186af3ae52ed0aa89414fdfc0e9fb941c113a50c47791";

/** Finds the latest `TaskFinalized` event of each task, by hash in lower case; omits tasks without an event. */
async function findFinalizations(
  provider: Provider,
  address: Address,
  { signal, searchBlocks = 10_000n }: ReadStoreOptions,
): Promise<ReadonlyMap<string, MinedAt>> {
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
function readLog(log: unknown): (readonly [string, MinedAt])[] {
  const { data, transactionHash, blockNumber } = isRecord(log) ? log : {};
  if (!isHex(data) || data.length !== 130 || !isHex(transactionHash) || !isHex(blockNumber))
    return [];
  return [[data.slice(0, 66).toLowerCase(), { transactionHash, blockNumber: BigInt(blockNumber) }]];
}

/** Returns undefined for another answer, such as the empty one of a contract with a fallback function. */
function parseStatus(answer: Hex | undefined): StoredStatus | undefined {
  return answer !== undefined && isHash(answer) ? STATUSES[Number(answer)] : undefined;
}

/** Reads a value for each task, at most 16 at a time, and stops after a failure. */
async function inOrder<T>(
  taskHashes: readonly Hex[],
  read: (taskHash: Hex, position: number) => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let start = 0; start < taskHashes.length; start += MAX_CONCURRENT_READS) {
    const part = taskHashes.slice(start, start + MAX_CONCURRENT_READS);
    found.push(
      ...(await Promise.all(part.map(async (taskHash, at) => await read(taskHash, start + at)))),
    );
  }
  return found;
}

/** Returns the error for an address without the functions of a store: there is no contract, or another one. */
export async function notAStore(
  provider: Provider,
  address: Address,
  functions: string,
  signal: AbortSignal | undefined,
): Promise<HdpError> {
  const code = await request(provider, "eth_getCode", [address, "latest"], { signal });
  if (typeof code !== "string" || code === "0x") return hdpError("HDP-3002", { address });
  return hdpError("HDP-3003", { address, functions });
}

/**
 * Published stores by numeric chain id: the satellites of the production deployment list (February 2026).
 *
 * The list was not compared with the chains: the version of the contract at an address is unknown, and
 * `openExecutionStore` fails with HDP-3003 for the first satellites, which lack the data processor's functions.
 */
export const KNOWN_STORES: ReadonlyMap<bigint, StoreAddress> = new Map(
  keysOf(SATELLITES)
    .filter((chain) => !isStarknet(chain))
    .map((chain) => [
      numericChainId(chain),
      { address: SATELLITES[chain].address, kind: "satellite" },
    ]),
);

/** Published satellites on Starknet, as listed for production (February 2026); not compared with the chains. */
export const KNOWN_STARKNET_STORES: Readonly<Partial<Record<ChainIdentifier, Hex>>> = {
  STARKNET_MAINNET: SATELLITES.STARKNET_MAINNET.address,
  STARKNET_SEPOLIA: SATELLITES.STARKNET_SEPOLIA.address,
};
