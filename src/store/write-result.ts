import type { Address, Hex } from "viem";
import { encodeAbiParameters, encodeFunctionData, keccak256, toHex } from "viem/utils";

import { HdpError } from "../errors/hdp-error.js";
import type { TaskResult, TaskWord } from "../request/lifecycle.js";
import { openExecutionStore, requireTaskHash, storeAddress } from "./execution-store.js";
import { hdpExecutionStoreAbi } from "./generated/hdp-execution-store.js";
import { hdpSatelliteAbi } from "./generated/hdp-satellite.js";
import { type Provider, request, revertData, type WaitOptions } from "./transact.js";

export interface WriteResultsOptions extends WaitOptions {
  /** A development node, usually one that forks the store's chain. */
  readonly provider: Provider;
  /** The real store. */
  readonly store: Address;
  readonly results: readonly TaskWord[];
}

/** The status FINALIZED as the first word of a stored result. */
const FINALIZED = toHex(2, { size: 32 });

/**
 * Where a store may keep its mapping of results: a satellite at its module's namespace plus one, an execution store at
 * the position its compiler chose, after the roles it inherits. All are asked about in one call.
 */
const MAPPINGS: readonly bigint[] = [
  BigInt(keccak256(toHex("diamond.standard.satellite.module.storage.data-processor"))) + 1n,
  ...Array.from({ length: 256 }, (_, position) => BigInt(position)),
];

/**
 * Writes results into a real store's storage on a development node: for a fork, where nothing can be proven. A result is
 * two words from `keccak256(task hash, position of the mapping)` on: the status, and the result.
 *
 * Errors: HDP-3014 the store keeps its results in no known place, HDP-3006 the node does not write storage, and those
 * of `openExecutionStore`.
 */
export async function writeResults(options: WriteResultsOptions): Promise<readonly TaskResult[]> {
  const { provider, results, signal } = options;
  const store = storeAddress(options.store);
  const opened = await openExecutionStore({ provider, address: store, signal });
  const written: TaskResult[] = [];
  let mapping: bigint | undefined;
  for (const { taskHash, word } of results) {
    mapping ??= await findMapping(provider, store, opened.kind, requireTaskHash(taskHash), signal);
    const slot = resultSlot(taskHash, mapping);
    await setStorage(provider, store, slot, FINALIZED, signal);
    await setStorage(provider, store, slot + 1n, word, signal);
  }
  // The header's state root knows of it with the next block only.
  await request(provider, "evm_mine", [], signal);
  for (const { taskHash, word } of results) {
    const stored = await opened.readResult(taskHash, { signal });
    if (stored.word !== word) throw noKnownPlace(store);
    written.push(stored);
  }
  return written;
}

/** First of the two storage slots of a result. */
function resultSlot(taskHash: Hex, mapping: bigint): bigint {
  return BigInt(keccak256(encodeAbiParameters([{ type: "bytes32" }, { type: "uint256" }], [taskHash, mapping])));
}

/** One call with every possible place filled, each with its own number: the answer says which one the store reads. */
async function findMapping(
  provider: Provider,
  store: Address,
  kind: "execution-store" | "satellite",
  taskHash: Hex,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  const stateDiff = Object.fromEntries(
    MAPPINGS.flatMap((mapping, index) => {
      const slot = resultSlot(taskHash, mapping);
      return [
        [toHex(slot, { size: 32 }), FINALIZED],
        [toHex(slot + 1n, { size: 32 }), toHex(index + 1, { size: 32 })],
      ];
    }),
  );
  const args = [taskHash] as const;
  const data =
    kind === "execution-store"
      ? encodeFunctionData({ abi: hdpExecutionStoreAbi, functionName: "getFinalizedTaskResult", args })
      : encodeFunctionData({ abi: hdpSatelliteAbi, functionName: "getDataProcessorFinalizedTaskResult", args });
  let answer: unknown;
  try {
    answer = await request(provider, "eth_call", [{ to: store, data }, "latest", { [store]: { stateDiff } }], signal);
  } catch (error) {
    if (revertData(error) === undefined) throw error;
  }
  const mapping = typeof answer === "string" ? MAPPINGS[Number(answer) - 1] : undefined;
  if (mapping === undefined) throw noKnownPlace(store);
  return mapping;
}

async function setStorage(
  provider: Provider,
  store: Address,
  slot: bigint,
  word: Hex,
  signal: AbortSignal | undefined,
): Promise<void> {
  await request(provider, "hardhat_setStorageAt", [store, toHex(slot), word], signal);
}

/** Whether a node takes `hardhat_setStorageAt`: Hardhat's and Anvil's, whatever chain they fork. */
export async function isDevelopmentNode(provider: Provider): Promise<boolean> {
  try {
    await provider.request({ method: "hardhat_metadata", params: [] });
    return true;
  } catch {
    return false;
  }
}

function noKnownPlace(store: Address): HdpError {
  return new HdpError({
    code: "HDP-3014",
    message: `the store ${store} keeps its results in no place that is known here.`,
    hints: [
      "Looked at a satellite's namespace and at the first 256 positions of a contract's variables. Nothing was written.",
      "Deploy a mock for this test instead: hdp.deployExecutionStore().",
    ],
  });
}
