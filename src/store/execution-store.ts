import type { Address, Hex } from "viem";
import { decodeFunctionResult, getAddress, isAddress, isHash } from "viem/utils";

import { wrongChecksum } from "../base/checksum.js";
import { HdpError } from "../errors/hdp-error.js";
import type { CallOptions, TaskResult } from "../request/lifecycle.js";
import { calldataOf, decodeRevert, ethCall, isHex, type Provider, refusal, request, revertData } from "./transact.js";
import { findFinalizations, multicall } from "./multicall.js";
import { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
import { hdpSatelliteAbi } from "./generated/hdp-satellite.js";

/** Which family of names a store answers to. The mock answers to both and counts as an execution store. */
export type StoreKind = "execution-store" | "satellite";

/** State of a task in a store. */
export type StoredStatus = "none" | "scheduled" | "finalized";

export interface ReadResultOptions {
  readonly signal?: AbortSignal | undefined;
  /** Also look for the transaction that finalized the task, in the logs of the latest blocks. Default false. */
  readonly withTransaction?: boolean | undefined;
  /** How many of the latest blocks are searched for it. Default 10,000. */
  readonly searchBlocks?: bigint | undefined;
}

/** A contract that keeps finalized results, opened for reading. */
export interface ExecutionStore {
  readonly address: Address;
  readonly kind: StoreKind;
  /** The finalized result of a task: one `eth_call`. Throws `NotFinalizedError` where there is none. */
  readResult(taskHash: Hex, options?: ReadResultOptions): Promise<TaskResult>;
  status(taskHash: Hex, options?: CallOptions): Promise<StoredStatus>;
  /**
   * The finalized results of many tasks, in their order: 500 in an `eth_call` where the chain has Multicall3, else one
   * call each, at most 16 at a time. Throws `NotFinalizedError` for the first that has none. Their transactions are found
   * by one search for all.
   */
  readResults(taskHashes: readonly Hex[], options?: ReadResultOptions): Promise<readonly TaskResult[]>;
  /** The states of many tasks, in their order, by as few calls. */
  statuses(taskHashes: readonly Hex[], options?: CallOptions): Promise<readonly StoredStatus[]>;
}

export interface OpenStoreOptions {
  readonly provider: Provider;
  readonly address: string;
  /** `auto` (default) asks the contract, in one or two calls. */
  readonly kind?: StoreKind | "auto" | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The task has no finalized result in the store (yet). */
export class NotFinalizedError extends HdpError {
  public constructor(
    public readonly taskHash: Hex,
    public readonly status: StoredStatus,
    public readonly store: Address,
  ) {
    super({
      code: "HDP-3001",
      message: `task ${taskHash} is not finalized in the store ${store}: its status is "${status}".`,
      hints: [
        status === "none"
          ? "Check the hash (the encoding with or without chain id), the store and the network, or submit the task."
          : "The task was requested and its result is not there yet: await it.",
      ],
    });
  }
}

const STATUSES: readonly StoredStatus[] = ["none", "scheduled", "finalized"];
/** Looking for Multicall3 is a call too. */
const WORTH_A_MULTICALL = 4;
const AT_ONCE = 16;
const ZERO_HASH: Hex = `0x${"00".repeat(32)}`;

/** Calldata and answers of the two families of names. */
const NAMES = {
  "execution-store": {
    status: calldataOf(hdpExecutionStoreAbi, "getTaskStatus"),
    decodeStatus: (data: Hex): number =>
      decodeFunctionResult({ abi: hdpExecutionStoreAbi, functionName: "getTaskStatus", data }),
    result: calldataOf(hdpExecutionStoreAbi, "getFinalizedTaskResult"),
  },
  satellite: {
    status: calldataOf(hdpSatelliteAbi, "getDataProcessorTaskStatus"),
    decodeStatus: (data: Hex): number =>
      decodeFunctionResult({ abi: hdpSatelliteAbi, functionName: "getDataProcessorTaskStatus", data }),
    result: calldataOf(hdpSatelliteAbi, "getDataProcessorFinalizedTaskResult"),
  },
} as const satisfies Record<StoreKind, unknown>;

/**
 * Opens a store for reading, and makes sure that there is one at the address.
 *
 * Errors: HDP-3002 no contract at the address, HDP-3003 a contract that is no store (or not of the given kind),
 * HDP-3006 the node refused, HDP-3008 not an address.
 *
 * @example
 * const store = await openExecutionStore({ provider, address });
 * const { value } = await store.readResult(taskHash);
 */
export async function openExecutionStore(options: OpenStoreOptions): Promise<ExecutionStore> {
  const { provider, kind = "auto", signal } = options;
  const address = storeAddress(options.address);
  const kinds: readonly StoreKind[] = kind === "auto" ? ["execution-store", "satellite"] : [kind];
  for (const candidate of kinds) {
    if ((await readStatus(provider, address, candidate, ZERO_HASH, signal)) !== undefined) {
      return new OpenedStore(provider, address, candidate);
    }
  }
  throw await notAStore(provider, address, kind, signal);
}

class OpenedStore implements ExecutionStore {
  readonly #provider: Provider;

  public constructor(
    provider: Provider,
    public readonly address: Address,
    public readonly kind: StoreKind,
  ) {
    this.#provider = provider;
  }

  public async readResult(taskHash: Hex, options: ReadResultOptions = {}): Promise<TaskResult> {
    const { signal } = options;
    const word = await this.#call(NAMES[this.kind].result(requireTaskHash(taskHash)), taskHash, signal);
    if (!isHash(word)) throw await notAStore(this.#provider, this.address, this.kind, signal);
    const result: TaskResult = { taskHash, word, value: BigInt(word), store: this.address };
    const [annotated = result] = await this.#withTransactions([result], options);
    return annotated;
  }

  public async status(taskHash: Hex, options: CallOptions = {}): Promise<StoredStatus> {
    const status = await readStatus(this.#provider, this.address, this.kind, requireTaskHash(taskHash), options.signal);
    if (status === undefined) throw await notAStore(this.#provider, this.address, this.kind, options.signal);
    return status;
  }

  public async readResults(
    taskHashes: readonly Hex[],
    options: ReadResultOptions = {},
  ): Promise<readonly TaskResult[]> {
    const { signal } = options;
    const words = await this.#together(NAMES[this.kind].result, taskHashes, signal);
    const results = await inOrder(taskHashes, async (taskHash, position) => {
      const word = words[position];
      // Where it is not a word, the call by itself says why.
      if (word === undefined || !isHash(word)) return await this.readResult(taskHash, { signal });
      return { taskHash, word, value: BigInt(word), store: this.address };
    });
    return await this.#withTransactions(results, options);
  }

  async #withTransactions(results: readonly TaskResult[], options: ReadResultOptions): Promise<readonly TaskResult[]> {
    if (options.withTransaction !== true || results.length === 0) return results;
    const places = await findFinalizations(this.#provider, this.address, options);
    return results.map((result) => ({ ...result, ...places.get(result.taskHash.toLowerCase()) }));
  }

  public async statuses(taskHashes: readonly Hex[], { signal }: CallOptions = {}): Promise<readonly StoredStatus[]> {
    const answers = await this.#together(NAMES[this.kind].status, taskHashes, signal);
    return await inOrder(taskHashes, async (taskHash, position) => {
      const data = answers[position];
      const known = data?.length === 66 ? STATUSES[NAMES[this.kind].decodeStatus(data)] : undefined;
      return known ?? (await this.status(taskHash, { signal }));
    });
  }

  /** Answers to a call for each hash, without those that have to be asked for one by one. */
  async #together(
    call: (taskHash: Hex) => Hex,
    taskHashes: readonly Hex[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (Hex | undefined)[]> {
    const calls = taskHashes.map((taskHash) => call(requireTaskHash(taskHash)));
    if (calls.length < WORTH_A_MULTICALL) return [];
    return (await multicall(this.#provider, this.address, calls, signal)) ?? [];
  }

  /** The call's answer; `NotFinalized()` becomes the error that says which status the task has instead. */
  async #call(data: Hex, taskHash: Hex, signal: AbortSignal | undefined): Promise<Hex> {
    try {
      return await ethCall(this.#provider, this.address, data, signal);
    } catch (error) {
      const reason = revertData(error);
      if (reason === undefined) throw error;
      if (decodeRevert(reason).name !== "NotFinalized") throw refusal(reason, { store: this.address });
      throw new NotFinalizedError(taskHash, await this.status(taskHash, { signal }), this.address);
    }
  }
}

/**
 * Reads something for each task, at most 16 at a time. After a failure nothing more is asked for.
 *
 * @throws what the first of them threw
 */
export async function inOrder<T>(
  taskHashes: readonly Hex[],
  read: (taskHash: Hex, position: number) => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let start = 0; start < taskHashes.length; start += AT_ONCE) {
    const part = taskHashes.slice(start, start + AT_ONCE);
    found.push(...(await Promise.all(part.map(async (taskHash, at) => await read(taskHash, start + at)))));
  }
  return found;
}

/** The status of a task by one family's name; undefined where the contract doesn't answer to it. */
async function readStatus(
  provider: Provider,
  address: Address,
  kind: StoreKind,
  taskHash: Hex,
  signal: AbortSignal | undefined,
): Promise<StoredStatus | undefined> {
  try {
    const data = await ethCall(provider, address, NAMES[kind].status(taskHash), signal);
    // A contract with an empty fallback function answers nothing; others may answer something longer.
    return data.length === 66 ? STATUSES[NAMES[kind].decodeStatus(data)] : undefined;
  } catch (error) {
    if (error instanceof HdpError) throw error;
    if (revertData(error) !== undefined) return undefined;
    throw error;
  }
}

/** The error for an address that is no store of the kind: nothing there, or something else. */
async function notAStore(
  provider: Provider,
  address: Address,
  kind: StoreKind | "auto",
  signal: AbortSignal | undefined,
): Promise<HdpError> {
  const code = await request(provider, "eth_getCode", [address, "latest"], signal);
  if (!isHex(code) || code === "0x") {
    return new HdpError({
      code: "HDP-3002",
      message: `there is no contract at ${address} on this network.`,
      hints: ["Check the store's address and the network. After a snapshot revert, deploy the store again."],
    });
  }
  const expected =
    kind === "auto"
      ? "neither getTaskStatus (execution store) nor getDataProcessorTaskStatus (satellite)"
      : `no function of kind "${kind}"`;
  return new HdpError({
    code: "HDP-3003",
    message: `the contract at ${address} is not an execution store: it answers ${expected}.`,
    hints: [
      "Check the store's address. A satellite has other function names than an execution store: see node_modules/hardhat-hdp/docs/contracts.md.",
    ],
  });
}

/** The address with its checksum, or HDP-3008. */
export function storeAddress(address: string): Address {
  const isOne = isAddress(address, { strict: false });
  const wrong = isOne ? wrongChecksum(address) : undefined;
  if (isOne && wrong === undefined) return getAddress(address);
  if (wrong !== undefined) throw new HdpError({ code: "HDP-3008", message: wrong.message, hints: [wrong.hint] });
  throw new HdpError({
    code: "HDP-3008",
    message: `"${address}" is not the address of a store.`,
    hints: ["An address is 0x and 40 hexadecimal digits."],
  });
}

/** The task hash, or HDP-3011. */
export function requireTaskHash(taskHash: Hex): Hex {
  if (isHash(taskHash)) return taskHash;
  throw new HdpError({
    code: "HDP-3011",
    message: `"${String(taskHash)}" is not a task hash.`,
    hints: ["A task hash is 0x and 64 hexadecimal digits: `npx hardhat hdp:hash` prints the hashes of a task file."],
  });
}
