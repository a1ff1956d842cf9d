import type { Address } from "viem";

import { keccak256 } from "./keccak.js";
import { integerItem, rlpBytes } from "./rlp.js";

/** Returns the address of a contract that an account creates with a nonce: the hash of the RLP of both. */
export function createdAddress(from: Address, nonce: bigint): Address {
  return `0x${keccak256(rlpBytes([from, integerItem(nonce)])).slice(26)}`;
}
