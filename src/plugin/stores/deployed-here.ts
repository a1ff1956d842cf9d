import type { Address } from "viem";

import { isSameHex } from "../../base/hex.js";

/** Maximum number of remembered stores. */
const MAX_REMEMBERED = 200;

/** The mocks that connections of this process deployed, the latest, with what deployed them. */
const DEPLOYED: { readonly address: Address; readonly by: object }[] = [];

/** Remembers that a connection deployed a store. */
export function rememberDeployed(address: Address, by: object): void {
  DEPLOYED.push({ address, by });
  DEPLOYED.splice(0, DEPLOYED.length - MAX_REMEMBERED);
}

/** Returns whether other connections of this process deployed a store at an address, and the given one did not. */
export function isOfOtherConnection(address: Address, own: object): boolean {
  const deployers = DEPLOYED.filter((one) => isSameHex(one.address, address));
  return deployers.length > 0 && deployers.every(({ by }) => by !== own);
}
