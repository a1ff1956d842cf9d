import type { Address, Hex } from "viem";
import { concatHex, keccak256, toHex } from "viem/utils";

import { requireAddress, requireTaskHash, toWord } from "../base/hex.js";
import { hdpError } from "../errors/hdp-error.js";
import type { TaskResult, TaskWord } from "../request/task-result.js";
import { FAMILIES, openExecutionStore, type StoreKind } from "./execution-store.js";
import { type Provider, request } from "./node-requests.js";
import { revertData } from "./reverts.js";
import type { WaitOptions } from "./transact.js";

/** Options of writing results into a store's storage. */
export interface WriteResultsOptions extends WaitOptions {
  /** Development node, usually one that forks the store's chain. */
  readonly provider: Provider;
  readonly store: Address;
  readonly results: readonly TaskWord[];
}

/** The status of a stored result, its first word. */
const FINALIZED = toWord(2n);

/** Positions of the mapping of results: in a satellite, or behind inherited roles. One call tries all. */
const MAPPINGS: readonly bigint[] = [
  BigInt(keccak256(toHex("diamond.standard.satellite.module.storage.data-processor"))) + 1n,
  ...Array.from({ length: 256 }, (_, position) => BigInt(position)),
];

/**
 * Writes results into a real store's storage on a development node, usually a fork, where results cannot be proven. A
 * result is two words from `keccak256(task hash, position of the mapping)` on: the status and the result.
 * @throws HDP-3014 the store keeps results in no known place, HDP-4103 the node does not write storage, and those
 * of `openExecutionStore`.
 */
export async function writeResults(options: WriteResultsOptions): Promise<readonly TaskResult[]> {
  const { provider, results, signal } = options;
  const store = requireAddress(options.store);
  const opened = await openExecutionStore({ provider, address: store, signal });
  let mapping: bigint | undefined;
  for (const { taskHash, word } of results) {
    mapping ??= await findMapping(provider, store, opened.kind, requireTaskHash(taskHash), signal);
    const slot = resultSlot(taskHash, mapping);
    await request(provider, "hardhat_setStorageAt", [store, toHex(slot), FINALIZED], { signal });
    await request(provider, "hardhat_setStorageAt", [store, toHex(slot + 1n), word], { signal });
  }
  // The change is in the header's state root from the next block on.
  await request(provider, "evm_mine", [], { signal });
  const written: TaskResult[] = [];
  for (const { taskHash, word } of results) {
    const stored = await opened.readResult(taskHash, { signal });
    if (stored.word !== word) throw hdpError("HDP-3014", { store });
    written.push(stored);
  }
  return written;
}

function resultSlot(taskHash: Hex, mapping: bigint): bigint {
  return BigInt(keccak256(concatHex([taskHash, toWord(mapping)])));
}

/** Returns the position of the mapping: fills all possible places, each with its own number, and reads a result. */
async function findMapping(
  provider: Provider,
  store: Address,
  kind: StoreKind,
  taskHash: Hex,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  const stateDiff = Object.fromEntries(
    MAPPINGS.flatMap((mapping, index) => {
      const slot = resultSlot(taskHash, mapping);
      return [
        [toWord(slot), FINALIZED],
        [toWord(slot + 1n), toWord(BigInt(index + 1))],
      ];
    }),
  );
  const data = concatHex([FAMILIES[kind].result.selector, taskHash]);
  let answer: unknown;
  try {
    const params = [{ to: store, data }, "latest", { [store]: { stateDiff } }];
    answer = await request(provider, "eth_call", params, { signal });
  } catch (error) {
    if (revertData(error) === undefined) throw error;
  }
  const mapping = typeof answer === "string" ? MAPPINGS[Number(answer) - 1] : undefined;
  if (mapping === undefined) throw hdpError("HDP-3014", { store });
  return mapping;
}
