import type { Address, Hex } from "viem";
import { isHex, toHex } from "viem/utils";

import { isRecord } from "../base/collections.js";
import type { Eip1193Provider } from "../base/rpc.js";
import { request, StoreRpcError } from "./node-requests.js";
import { isSameHex } from "../base/hex.js";

/** The parts of a mined transaction that say what was sent. */
export interface SentTransaction {
  readonly hash: Hex;
  readonly to: string | undefined;
  readonly data: string;
}

/** Returns how many transactions an account has sent as of a block, which is the nonce of its next one. */
export async function transactionCount(
  provider: Eip1193Provider,
  account: Address,
  block: bigint | "latest" | "pending",
): Promise<bigint> {
  const at = typeof block === "bigint" ? toHex(block) : block;
  const count = await request(provider, "eth_getTransactionCount", [account, at]);
  if (!isHex(count))
    throw new StoreRpcError("eth_getTransactionCount", "the answer is not a number");
  return BigInt(count);
}

/**
 * Returns the mined transaction of an account that has a nonce. Only one can. Undefined where the node no longer has the
 * state of the blocks among which it is.
 */
export async function transactionWithNonce(
  provider: Eip1193Provider,
  account: Address,
  nonce: bigint,
): Promise<SentTransaction | undefined> {
  const head = await request(provider, "eth_blockNumber", []);
  if (!isHex(head)) throw new StoreRpcError("eth_blockNumber", "the answer is not a number");
  const block = await blockOfNonce(provider, account, { nonce, head: BigInt(head) });
  if (block === undefined) return undefined;
  const found = await request(provider, "eth_getBlockByNumber", [toHex(block), true]);
  const transactions: unknown = isRecord(found) ? found["transactions"] : undefined;
  return (Array.isArray(transactions) ? transactions : [])
    .map((one) => readTransaction(one, account, nonce))
    .find((one) => one !== undefined);
}

/** Returns the first block after which the account has used the nonce: looks back in growing steps, then in halves. */
async function blockOfNonce(
  provider: Eip1193Provider,
  account: Address,
  { nonce, head }: { readonly nonce: bigint; readonly head: bigint },
): Promise<bigint | undefined> {
  const isUsedAt = async (block: bigint): Promise<boolean> =>
    (await transactionCount(provider, account, block)) > nonce;
  try {
    let after = head;
    let before = head;
    for (let step = 1n; before > 0n && (await isUsedAt(before)); step *= 2n) {
      after = before;
      before = before > step ? before - step : 0n;
    }
    while (after - before > 1n) {
      const middle = (before + after) / 2n;
      if (await isUsedAt(middle)) after = middle;
      else before = middle;
    }
    return after;
  } catch (error) {
    // A node that is not an archive has the state of its latest blocks only.
    if (error instanceof StoreRpcError) return undefined;
    throw error;
  }
}

function readTransaction(
  value: unknown,
  account: Address,
  nonce: bigint,
): SentTransaction | undefined {
  if (!isRecord(value)) return undefined;
  const { hash, from, to, input, nonce: used } = value;
  if (!isHex(hash) || !isHex(used) || BigInt(used) !== nonce) return undefined;
  if (typeof from !== "string" || !isSameHex(from, account)) return undefined;
  return {
    hash,
    to: typeof to === "string" ? to.toLowerCase() : undefined,
    data: typeof input === "string" ? input.toLowerCase() : "0x",
  };
}
