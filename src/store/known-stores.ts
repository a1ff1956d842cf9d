import type { Address, Hex } from "viem";

import type { ChainIdentifier } from "../request/chains.js";
import type { StoreKind } from "./execution-store.js";

/** A published deployment. */
export interface KnownStore {
  readonly address: Address;
  readonly kind: StoreKind;
}

/**
 * Published stores by numeric chain id: the satellites of the production deployment list (February 2026).
 *
 * The list was not compared with the chains: the version of the contract at an address is unknown, and the first
 * satellites, which lack the data processor's functions, make `openExecutionStore` fail with HDP-3003.
 */
export const KNOWN_STORES: ReadonlyMap<bigint, KnownStore> = new Map<bigint, KnownStore>([
  [1n, satellite("0x2E6F182B06F37CbDC966Ff5471c7D98cec2bfe70")],
  [480n, satellite("0x82F29Af756036132Ec188FFbB48447895a8D339e")],
  [4801n, satellite("0xd198Fa56B4b457223C67D075374b9Efc84DBAe0d")],
  [8453n, satellite("0xb036f7Bdd9C7A5984323f148064f815f4C75174b")],
  [33111n, satellite("0x33f4d13f2D491b0bdc3451046708De0DeD794207")],
  [33139n, satellite("0x82F29Af756036132Ec188FFbB48447895a8D339e")],
  [42161n, satellite("0x4357e87460436a1CE94B12A8B2ce349624979396")],
  [84532n, satellite("0x40D8dc2E3979A769c6F0712eD96d651f228d37e5")],
  [421614n, satellite("0x160416c6721db82A312A09D78dfBeC446F7a3a9d")],
  [11155111n, satellite("0x396bF739f7b37D81f6CdD4571fDEF298150db88f")],
  [11155420n, satellite("0x495F332aDb2b5134f4633F5AeDF981bd1A6be3A0")],
]);

/** The execution store of 2024 on Ethereum Sepolia, with the names `getFinalizedTaskResult` and `getTaskStatus`. */
export const LEGACY_SEPOLIA_STORE: KnownStore = {
  address: "0x68a011d3790e7f9038c9b9a4da7cd60889eeca70",
  kind: "execution-store",
};

/** Returns the published store of a chain, if there is one. */
export function knownStore(chainId: bigint): KnownStore | undefined {
  return KNOWN_STORES.get(chainId);
}

function satellite(address: Address): KnownStore {
  return { address, kind: "satellite" };
}

/**
 * Published stores on Starknet: the satellites of the production deployment list (February 2026), which was not compared
 * with the chains.
 */
export const KNOWN_STARKNET_STORES: Readonly<Partial<Record<ChainIdentifier, Hex>>> = {
  STARKNET_MAINNET: "0x01ba7d4b5707f8878c22fb335763abfc26c2ae157c434d597f6416fe6a79bf2e",
  STARKNET_SEPOLIA: "0x00421cd95f9ddabdd090db74c9429f257cb6bc1ccc339278d1db1de39156676e",
};

/** Returns the published store of a Starknet chain, if there is one. */
export function knownStarknetStore(chain: ChainIdentifier): Hex | undefined {
  return KNOWN_STARKNET_STORES[chain];
}
