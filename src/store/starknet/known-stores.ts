import type { Hex } from "viem";

import type { ChainIdentifier } from "../../request/chains.js";

/**
 * Published stores on Starknet: the satellites of the production deployment list (February 2026). No chain was asked
 * which edition of the contract is there.
 */
export const KNOWN_STARKNET_STORES: Readonly<Partial<Record<ChainIdentifier, Hex>>> = {
  STARKNET_MAINNET: "0x01ba7d4b5707f8878c22fb335763abfc26c2ae157c434d597f6416fe6a79bf2e",
  STARKNET_SEPOLIA: "0x00421cd95f9ddabdd090db74c9429f257cb6bc1ccc339278d1db1de39156676e",
};

/** The published store of a chain, if it is a Starknet chain that has one. */
export function knownStarknetStore(chain: ChainIdentifier): Hex | undefined {
  return KNOWN_STARKNET_STORES[chain];
}
