import type { Hex } from "viem";

import { keysOf } from "../base/collections.js";
import type { ChainIdentifier } from "./chains.js";

/** A published satellite, the contract that keeps results on a chain. */
export interface Satellite {
  readonly address: Hex;
  /**
   * Whether the published ABI and module list of the chain have the data processor module
   * (`getDataProcessorFinalizedTaskResult`): without it, the satellite takes no results of tasks.
   */
  readonly takesResults: boolean;
}

/**
 * Published satellites by chain: `deployments/prod.json` and `modules` of HerodotusDev/satellite, main at 91a5128
 * (2026-02-16), read there and not compared with the chains. Optimism Sepolia's ABI on the branch develop (3c2abaf) has
 * the functions, its module list on both branches has not.
 */
export const SATELLITES = {
  ETHEREUM_MAINNET: satellite("0x2E6F182B06F37CbDC966Ff5471c7D98cec2bfe70", true),
  WORLD_MAINNET: satellite("0x82F29Af756036132Ec188FFbB48447895a8D339e", true),
  WORLD_SEPOLIA: satellite("0xd198Fa56B4b457223C67D075374b9Efc84DBAe0d", true),
  ETHEREUM_SEPOLIA: satellite("0x396bF739f7b37D81f6CdD4571fDEF298150db88f", true),
  OPTIMISM_SEPOLIA: satellite("0x495F332aDb2b5134f4633F5AeDF981bd1A6be3A0", false),
  ARBITRUM_MAINNET: satellite("0x4357e87460436a1CE94B12A8B2ce349624979396", false),
  ARBITRUM_SEPOLIA: satellite("0x160416c6721db82A312A09D78dfBeC446F7a3a9d", false),
  BASE_MAINNET: satellite("0xb036f7Bdd9C7A5984323f148064f815f4C75174b", false),
  BASE_SEPOLIA: satellite("0x40D8dc2E3979A769c6F0712eD96d651f228d37e5", false),
  APECHAIN_MAINNET: satellite("0x82F29Af756036132Ec188FFbB48447895a8D339e", false),
  APECHAIN_CURTIS: satellite("0x33f4d13f2D491b0bdc3451046708De0DeD794207", false),
  STARKNET_MAINNET: satellite(
    "0x01ba7d4b5707f8878c22fb335763abfc26c2ae157c434d597f6416fe6a79bf2e",
    true,
  ),
  STARKNET_SEPOLIA: satellite(
    "0x00421cd95f9ddabdd090db74c9429f257cb6bc1ccc339278d1db1de39156676e",
    true,
  ),
} as const satisfies Partial<Readonly<Record<ChainIdentifier, Satellite>>>;

/** Chains to which the satellites of a chain send its accumulators on: `connections` of the same file. */
const CONNECTIONS: Partial<Readonly<Record<ChainIdentifier, readonly ChainIdentifier[]>>> = {
  ETHEREUM_MAINNET: ["ARBITRUM_MAINNET", "WORLD_MAINNET", "BASE_MAINNET", "STARKNET_MAINNET"],
  ARBITRUM_MAINNET: ["APECHAIN_MAINNET"],
  ETHEREUM_SEPOLIA: [
    "ARBITRUM_SEPOLIA",
    "OPTIMISM_SEPOLIA",
    "BASE_SEPOLIA",
    "WORLD_SEPOLIA",
    "STARKNET_SEPOLIA",
  ],
  ARBITRUM_SEPOLIA: ["APECHAIN_CURTIS"],
};

/** Returns whether published connections bring a chain's accumulators to another chain, over others too, or to itself. */
export function isConnected(source: ChainIdentifier, destination: ChainIdentifier): boolean {
  if (source === destination) return true;
  return (CONNECTIONS[source] ?? []).some((next) => isConnected(next, destination));
}

function satellite(address: Hex, takesResults: boolean): Satellite {
  return { address, takesResults };
}

/** Returns a chain's published satellite; undefined where none is published. */
export function findSatellite(chain: ChainIdentifier): Satellite | undefined {
  const all: Partial<Readonly<Record<ChainIdentifier, Satellite>>> = SATELLITES;
  return all[chain];
}

/** The chains whose published satellites take results of tasks. */
export const RESULT_CHAINS: readonly ChainIdentifier[] = keysOf(SATELLITES).filter(
  (chain) => SATELLITES[chain].takesResults,
);
