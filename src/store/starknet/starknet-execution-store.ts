import type { RpcProvider } from "starknet";
import type { Hex } from "viem";

import { unlessAborted } from "../../base/clock.js";
import { splitHalves, joinWord, splitWord } from "../../base/hex.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { ExecutionStore, StoreReader } from "../execution-store.js";
import { FAMILIES, storeAt, STATUSES, STORE_KINDS, ZERO_HASH } from "../execution-store.js";
import type { StarknetJs } from "./starknet-js.js";
import { loadStarknet, starknetProvider, starknetAddress } from "./starknet-js.js";
import { requireOption, RPC_URL } from "./typed-options.js";
import { starknetFailure, starknetReadError } from "./starknet-failures.js";

/** Options of `openStarknetExecutionStore`. */
export interface OpenStarknetStoreOptions {
  /** Node of the destination chain. Give either `rpcUrl` or `provider`. */
  readonly rpcUrl?: string | undefined;
  /** A provider of starknet.js 10, instead of `rpcUrl`. */
  readonly provider?: RpcProvider | undefined;
  /** Fetch function for `rpcUrl`. Default: the global fetch, limited to 30 s and 32 MiB per answer. */
  readonly baseFetch?: typeof fetch | undefined;
  /** Contract address, a felt. */
  readonly address: string;
  /**
   * Name of the entry point that returns a result. Default: `getDataProcessorFinalizedTaskResult`, then
   * `getFinalizedTaskResult`.
   */
  readonly entrypoint?: string | undefined;
  /** Read the store's storage instead of failing where no entry point answers. Default false. */
  readonly readStorage?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens an execution store on Starknet for reading, after checking that there is one at the address. Results are kept
 * under the same task hash as on EVM chains.
 * @throws HDP-3002 no contract at the address, HDP-3003 a contract that is not a store, HDP-4103 the node failed to
 * answer, HDP-3007 the contract panicked, HDP-1110 not an address, HDP-8001 starknet.js is missing, HDP-2004 neither
 * `rpcUrl` nor `provider`, HDP-8023 a `rpcUrl` that is no text.
 * @example
 * const store = await openStarknetExecutionStore({ rpcUrl, address });
 * const { value } = await store.readResult(taskHash);
 */
export async function openStarknetExecutionStore(
  options: OpenStarknetStoreOptions,
): Promise<ExecutionStore> {
  const { entrypoint, readStorage = false, signal } = options;
  const address = starknetAddress(options.address);
  signal?.throwIfAborted();
  const contract = new StarknetContract(await rpcProvider(options, address), address);
  const named =
    STORE_KINDS.find((kind) => FAMILIES[kind].result.name === entrypoint) ?? "satellite";
  for (const kind of entrypoint === undefined ? STORE_KINDS : [named]) {
    const { result, status } = FAMILIES[kind];
    const name = entrypoint ?? result.name;
    const answer = await contract.call(name, ZERO_HASH, signal);
    if (answer !== "no-entry-point")
      return storeAt(address, kind, entryPointReader(contract, name, status.name));
  }
  if (readStorage) {
    const { hash } = await loadStarknet();
    return storeAt(address, "satellite", storageReader(contract, hash));
  }
  throw contract.without(
    entrypoint ?? STORE_KINDS.map((kind) => FAMILIES[kind].result.name).join(" or "),
  );
}

/**
 * Returns the storage address of a task's result, the first of three felts (status 0 to 2, result low, result high):
 * pedersen(pedersen(sn_keccak("cachedTasksResult"), low), high) mod (2^251 - 256)
 */
export function resultStorageAddress(taskHash: Hex, hash: StarknetJs["hash"]): bigint {
  const { low, high } = splitWord(taskHash);
  const inner = hash.computePedersenHash(hash.getSelectorFromName("cachedTasksResult"), low);
  return BigInt(hash.computePedersenHash(inner, high)) % (2n ** 251n - 256n);
}

async function rpcProvider(options: OpenStarknetStoreOptions, address: Hex): Promise<RpcProvider> {
  if (options.provider !== undefined) return options.provider;
  const { rpcUrl, baseFetch } = options;
  if (rpcUrl === undefined) {
    const hints = ["Pass rpcUrl, or a provider of starknet.js."];
    const values = {
      what: "Starknet node",
      where: ` for the execution store ${address}`,
      example: undefined,
    };
    throw hdpError("HDP-2004", values, { hints });
  }
  requireOption("rpcUrl", rpcUrl, RPC_URL);
  return await starknetProvider({ rpcUrl, baseFetch });
}

/** A contract of Starknet, read at the latest block. */
class StarknetContract {
  public constructor(
    private readonly provider: RpcProvider,
    private readonly address: Hex,
  ) {}

  /** Calls an entry point with a task hash. Returns the two expected failures as answers. */
  public async call(
    entrypoint: string,
    taskHash: Hex,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[] | "not-finalized" | "no-entry-point"> {
    const call = {
      contractAddress: this.address,
      entrypoint,
      calldata: splitHalves(taskHash).map(String),
    };
    try {
      return await abortable(() => this.provider.callContract(call, "latest"), signal);
    } catch (error) {
      signal?.throwIfAborted();
      const failure = starknetFailure(error);
      if (failure.kind === "not-finalized" || failure.kind === "no-entry-point")
        return failure.kind;
      throw starknetReadError(failure, "starknet_call", this.address, entrypoint);
    }
  }

  public async storage(key: bigint, signal: AbortSignal | undefined): Promise<string> {
    try {
      const felt = await abortable(
        () => this.provider.getStorageAt(this.address, key, "latest"),
        signal,
      );
      return typeof felt === "string" ? felt : felt.value;
    } catch (error) {
      signal?.throwIfAborted();
      throw starknetReadError(
        starknetFailure(error),
        "starknet_getStorageAt",
        this.address,
        STORAGE_VARIABLE,
      );
    }
  }

  public without(functions: string): HdpError {
    return hdpError("HDP-3003", { address: this.address, functions });
  }
}

/** Rejects when the signal aborts, since starknet.js accepts no signals. */
async function abortable<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  const done = await unlessAborted(work(), signal);
  if (done === undefined) throw new Error("aborted");
  return done.value;
}

/** Returns what reads a store by its entry points. */
function entryPointReader(
  contract: StarknetContract,
  resultName: string,
  statusName: string,
): StoreReader {
  return {
    result: async (taskHash, signal) => {
      const answer = await contract.call(resultName, taskHash, signal);
      if (answer === "not-finalized") return undefined;
      const result = typeof answer === "string" ? undefined : joinWord(answer);
      if (result === undefined) throw contract.without(resultName);
      return result;
    },
    status: async (taskHash, signal) => {
      const answer = await contract.call(statusName, taskHash, signal);
      if (typeof answer === "string") {
        // Without a status function, a task is finalized or unknown.
        return typeof (await contract.call(resultName, taskHash, signal)) === "string"
          ? "none"
          : "finalized";
      }
      const status = answer.length === 1 ? STATUSES[Number(answer[0])] : undefined;
      if (status === undefined) throw contract.without(statusName);
      return status;
    },
  };
}

const STORAGE_VARIABLE = "cachedTasksResult (in storage)";

function storageReader(contract: StarknetContract, hash: StarknetJs["hash"]): StoreReader {
  const status: StoreReader["status"] = async (taskHash, signal) => {
    const stored =
      STATUSES[Number(await contract.storage(resultStorageAddress(taskHash, hash), signal))];
    if (stored === undefined) throw contract.without(STORAGE_VARIABLE);
    return stored;
  };
  return {
    status,
    result: async (taskHash, signal) => {
      if ((await status(taskHash, signal)) !== "finalized") return undefined;
      const base = resultStorageAddress(taskHash, hash);
      const felts = [
        await contract.storage(base + 1n, signal),
        await contract.storage(base + 2n, signal),
      ];
      const result = joinWord(felts);
      if (result === undefined) throw contract.without(STORAGE_VARIABLE);
      return result;
    },
  };
}
