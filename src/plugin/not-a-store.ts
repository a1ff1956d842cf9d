import type { Address, Hex } from "viem";

import { codeAt } from "../chain/node-rpc.js";
import { isOfOtherConnection } from "./stores/deployed-here.js";
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
    : refusal(account, { code, network, isElsewhere: isOfOtherConnection(account, stores) });
  const advice =
    inUse === undefined
      ? `Network "${network}" has no store yet: await hdp.store.current() deploys a mock.`
      : `The store of network "${network}" is ${inUse.address}: give the contract that one.`;
  return [reason, advice];
}

function isZero(account: Address): boolean {
  return BigInt(account) === 0n;
}

interface Refused {
  readonly code: Hex;
  readonly network: string;
  /** Whether another connection of this process deployed a store there. */
  readonly isElsewhere: boolean;
}

function refusal(account: Address, { code, network, isElsewhere }: Refused): string {
  if (code === "0x" && isElsewhere)
    return `${account} is a store of another connection of this process: each network.create() makes a chain of its own, and there is none on this one.`;
  return code === "0x"
    ? `No contract is at ${account} on network "${network}": it is a store of another chain, or one that a reverted snapshot or a restarted node removed.`
    : `The contract at ${account} is neither a satellite nor an execution store.`;
}
