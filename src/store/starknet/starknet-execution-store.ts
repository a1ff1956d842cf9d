import type { RpcProvider } from "starknet";
import type { Hex } from "viem";

import { HdpError } from "../../errors/hdp-error.js";
import { isFelt } from "../../base/felt.js";
import { joinWord, splitWord } from "../../base/hex.js";
import type { CallOptions, TaskResult } from "../../request/lifecycle.js";
import {
  type ExecutionStore,
  inOrder,
  NotFinalizedError,
  requireTaskHash,
  type StoredStatus,
  type StoreKind,
} from "../execution-store.js";
import {
  classifyStarknetFailure,
  isFinal,
  loadStarknet,
  nodeOptions,
  starknetStoreError,
  untilAborted,
} from "./node.js";

export interface OpenStarknetStoreOptions {
  /** Node of the destination chain. One of `rpcUrl` and `provider`. */
  readonly rpcUrl?: string | undefined;
  /** A provider of starknet.js 10, instead of `rpcUrl`. */
  readonly provider?: RpcProvider | undefined;
  /** Sends the requests to `rpcUrl`. Default: the global fetch, waiting 30 s for what is read, and taking 64 MiB. */
  readonly baseFetch?: typeof fetch | undefined;
  /** Contract address, a felt. */
  readonly address: string;
  /**
   * Name of the entry point that returns a result. Default: `getDataProcessorFinalizedTaskResult`, then
   * `getFinalizedTaskResult`.
   */
  readonly entrypoint?: string | undefined;
  /** Where no entry point answers, read the store's storage instead of failing. Default false. */
  readonly readStorage?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Names {
  readonly kind: StoreKind;
  readonly result: string;
  readonly status: string;
}

/** In the order in which they are tried. */
const FAMILIES: readonly Names[] = [
  { kind: "satellite", result: "getDataProcessorFinalizedTaskResult", status: "getDataProcessorTaskStatus" },
  { kind: "execution-store", result: "getFinalizedTaskResult", status: "getTaskStatus" },
];
const STATUSES: readonly StoredStatus[] = ["none", "scheduled", "finalized"];
const ZERO_HASH: Hex = `0x${"00".repeat(32)}`;

/**
 * Opens an execution store on Starknet for reading, and makes sure that there is one at the address. Results are kept
 * under the same task hash as on EVM chains.
 *
 * Errors: HDP-8001 starknet.js is missing, HDP-8002 no contract at the address, HDP-8003 a contract that is no store,
 * HDP-8004 it panicked, HDP-8005 the node refused, HDP-8006 not an address, HDP-8007 neither `rpcUrl` nor `provider`.
 *
 * @example
 * const store = await openStarknetExecutionStore({ rpcUrl, address });
 * const { value } = await store.readResult(taskHash);
 */
export async function openStarknetExecutionStore(options: OpenStarknetStoreOptions): Promise<ExecutionStore> {
  const { entrypoint, signal } = options;
  const address = starknetAddress(options.address);
  signal?.throwIfAborted();
  const reader = new ContractReader(await rpcProvider(options), address);
  const families =
    entrypoint === undefined ? FAMILIES : [FAMILIES.find((names) => names.result === entrypoint) ?? custom(entrypoint)];
  for (const names of families) {
    const answer = await reader.call(names.result, ZERO_HASH, signal);
    if (answer !== "no-entry-point") return new CalledStore(reader, names);
  }
  if (options.readStorage === true) return new StorageStore(reader);
  const tried = families.map((names) => names.result);
  throw starknetStoreError({ kind: "no-entry-point" }, address, tried);
}

/** The address with 64 digits, or HDP-8006. */
export function starknetAddress(address: string): Hex {
  if (/^0x[0-9a-fA-F]{1,64}$/.test(address) && BigInt(address) !== 0n && isFelt(BigInt(address))) {
    return `0x${BigInt(address).toString(16).padStart(64, "0")}`;
  }
  throw new HdpError({
    code: "HDP-8006",
    message: `"${address}" is not the address of a contract on Starknet.`,
    hints: ["An address is 0x and up to 64 hexadecimal digits, smaller than the field's prime and not 0."],
  });
}

async function rpcProvider(options: OpenStarknetStoreOptions): Promise<RpcProvider> {
  if (options.provider !== undefined) return options.provider;
  if (options.rpcUrl === undefined) {
    throw new HdpError({
      code: "HDP-8007",
      message: "a Starknet execution store needs a node: neither rpcUrl nor provider is given.",
      hints: ["Set rpcUrl of the destination chain under `starknet` in the hdp section of the Hardhat config."],
    });
  }
  const { RpcProvider: Provider } = await loadStarknet();
  const { rpcUrl, baseFetch } = options;
  return new Provider(nodeOptions({ rpcUrl, baseFetch }));
}

/** A name nobody knows: its status is asked by the first family's name. */
function custom(entrypoint: string): Names {
  return { kind: "satellite", result: entrypoint, status: "getDataProcessorTaskStatus" };
}

class ContractReader {
  readonly #provider: RpcProvider;

  public constructor(
    provider: RpcProvider,
    public readonly address: Hex,
  ) {
    this.#provider = provider;
  }

  /** Calls an entry point with a task hash at the latest block; the two expected failures are answers too. */
  public async call(
    entrypoint: string,
    taskHash: Hex,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[] | "not-finalized" | "no-entry-point"> {
    const { low, high } = splitWord(taskHash);
    const calldata = [low.toString(), high.toString()];
    try {
      signal?.throwIfAborted();
      const call = { contractAddress: this.address, entrypoint, calldata };
      return await untilAborted(this.#provider.callContract(call, "latest"), signal);
    } catch (error) {
      if (isFinal(error, signal)) throw error;
      const failure = classifyStarknetFailure(error);
      if (failure.kind === "not-finalized" || failure.kind === "no-entry-point") return failure.kind;
      throw starknetStoreError(failure, this.address, [entrypoint]);
    }
  }

  public async storage(key: bigint, signal: AbortSignal | undefined): Promise<bigint> {
    try {
      signal?.throwIfAborted();
      const felt = await untilAborted(this.#provider.getStorageAt(this.address, key, "latest"), signal);
      return BigInt(typeof felt === "string" ? felt : felt.value);
    } catch (error) {
      if (isFinal(error, signal)) throw error;
      throw starknetStoreError(classifyStarknetFailure(error), this.address, []);
    }
  }

  public answeredNonsense(entrypoint: string): HdpError {
    return starknetStoreError({ kind: "no-entry-point" }, this.address, [`${entrypoint} with the expected answer`]);
  }
}

/** A store read through its entry points. */
class CalledStore implements ExecutionStore {
  public readonly kind: StoreKind;
  readonly #reader: ContractReader;
  readonly #names: Names;

  public constructor(reader: ContractReader, names: Names) {
    this.kind = names.kind;
    this.#reader = reader;
    this.#names = names;
  }

  public get address(): Hex {
    return this.#reader.address;
  }

  public async readResult(taskHash: Hex, options: CallOptions = {}): Promise<TaskResult> {
    const answer = await this.#reader.call(this.#names.result, requireTaskHash(taskHash), options.signal);
    if (answer === "not-finalized")
      throw new NotFinalizedError(taskHash, await this.status(taskHash, options), this.address);
    const joined = typeof answer === "string" ? undefined : joinWord(answer);
    if (joined === undefined) throw this.#reader.answeredNonsense(this.#names.result);
    return { taskHash, ...joined, store: this.address };
  }

  public async status(taskHash: Hex, options: CallOptions = {}): Promise<StoredStatus> {
    const answer = await this.#reader.call(this.#names.status, requireTaskHash(taskHash), options.signal);
    if (typeof answer === "string") return await this.#statusByResult(taskHash, options);
    const status = answer.length === 1 ? STATUSES[Number(answer[0])] : undefined;
    if (status === undefined) throw this.#reader.answeredNonsense(this.#names.status);
    return status;
  }

  public async readResults(taskHashes: readonly Hex[], options: CallOptions = {}): Promise<readonly TaskResult[]> {
    return await inOrder(taskHashes, async (taskHash) => await this.readResult(taskHash, options));
  }

  public async statuses(taskHashes: readonly Hex[], options: CallOptions = {}): Promise<readonly StoredStatus[]> {
    return await inOrder(taskHashes, async (taskHash) => await this.status(taskHash, options));
  }

  /** A store that answers no status: a result is finalized, anything else unknown to it. */
  async #statusByResult(taskHash: Hex, options: CallOptions): Promise<StoredStatus> {
    const answer = await this.#reader.call(this.#names.result, taskHash, options.signal);
    return typeof answer === "string" ? "none" : "finalized";
  }
}

/** A store read from its storage. */
class StorageStore implements ExecutionStore {
  public readonly kind: StoreKind = "satellite";
  readonly #reader: ContractReader;

  public constructor(reader: ContractReader) {
    this.#reader = reader;
  }

  public get address(): Hex {
    return this.#reader.address;
  }

  public async readResult(taskHash: Hex, options: CallOptions = {}): Promise<TaskResult> {
    const status = await this.status(taskHash, options);
    if (status !== "finalized") throw new NotFinalizedError(taskHash, status, this.address);
    const base = await this.#baseAddress(taskHash);
    const low = await this.#reader.storage(base + 1n, options.signal);
    const high = await this.#reader.storage(base + 2n, options.signal);
    const joined = joinWord([low.toString(), high.toString()]);
    if (joined === undefined) throw this.#reader.answeredNonsense("cachedTasksResult in storage");
    return { taskHash, ...joined, store: this.address };
  }

  public async status(taskHash: Hex, options: CallOptions = {}): Promise<StoredStatus> {
    const felt = await this.#reader.storage(await this.#baseAddress(requireTaskHash(taskHash)), options.signal);
    const status = STATUSES[Number(felt)];
    if (status === undefined) throw this.#reader.answeredNonsense("cachedTasksResult in storage");
    return status;
  }

  public async readResults(taskHashes: readonly Hex[], options: CallOptions = {}): Promise<readonly TaskResult[]> {
    return await inOrder(taskHashes, async (taskHash) => await this.readResult(taskHash, options));
  }

  public async statuses(taskHashes: readonly Hex[], options: CallOptions = {}): Promise<readonly StoredStatus[]> {
    return await inOrder(taskHashes, async (taskHash) => await this.status(taskHash, options));
  }

  async #baseAddress(taskHash: Hex): Promise<bigint> {
    const { resultStorageAddress } = await import("./result-storage.js");
    return resultStorageAddress(taskHash);
  }
}
