import type { Address, Hex } from "viem";

import { codeAt } from "../chain/node-rpc.js";
import type { EvmStores } from "./stores/evm-stores.js";

/** Returns why an account is no store, in lines, with the store that the network has. */
export async function refusedStoreLines(
  network: string,
  stores: EvmStores,
  account: Address,
): Promise<readonly string[]> {
  const [code, inUse] = await Promise.all([codeAt(stores.provider, account), stores.existing()]);
  const reason = isZero(account)
    ? "The zero address is no store: the contract was given none."
    : refusal(account, code, network);
  const advice =
    inUse === undefined
      ? `Network "${network}" has no store yet: await hdp.store.current() deploys a mock.`
      : `The store of network "${network}" is ${inUse.address}: give the contract that one.`;
  return [reason, advice];
}

function isZero(account: Address): boolean {
  return BigInt(account) === 0n;
}

function refusal(account: Address, code: Hex, network: string): string {
  return code === "0x"
    ? `No contract is at ${account} on network "${network}": it is a store of another chain, or one that a reverted snapshot or a restarted node removed.`
    : `The contract at ${account} is neither a satellite nor an execution store.`;
}
