import { keccak, pedersen } from "@scure/starknet";
import type { Hex } from "viem";

import { splitWord } from "../../base/hex.js";

/** Storage addresses of variables are below this. */
const ADDRESS_BOUND = 2n ** 251n - 256n;

/**
 * Storage address of a task's result in an execution store on Starknet: of the first of three felts, which are
 * status (0 none, 1 scheduled, 2 finalized), result low, result high.
 *
 * pedersen(pedersen(sn_keccak("cachedTasksResult"), low), high) mod (2^251 - 256)
 */
export function resultStorageAddress(taskHash: Hex): bigint {
  const { low, high } = splitWord(taskHash);
  const variable = keccak(new TextEncoder().encode("cachedTasksResult"));
  return BigInt(pedersen(pedersen(variable, low), high)) % ADDRESS_BOUND;
}
