import type { HardhatConfig } from "hardhat/types/config";

import type { ChainIdentifier } from "../request/chains.js";
import type { SubmissionRecord } from "../submission/model.js";
import type { ConfiguredNetwork } from "./connected-network.js";

/** Returns the network of the store of a destination chain; a configured Starknet chain is its own network. */
export function deliveryNetwork(
  chain: ChainIdentifier | undefined,
  { config, networkName }: ConfiguredNetwork,
): string {
  if (chain === undefined) return networkName;
  return config.starknet[chain] === undefined ? (config.chains[chain] ?? networkName) : chain;
}

/**
 * Returns the network that a submission's results are delivered to, by the configuration of the network that it was
 * submitted on; that network where it is not configured any more.
 */
export function networkOfResults(
  { network, destinationChainId }: Pick<SubmissionRecord, "network" | "destinationChainId">,
  { networks }: Pick<HardhatConfig, "networks">,
): string {
  const config = networks[network]?.hdp;
  if (config === undefined) return network;
  return deliveryNetwork(destinationChainId, { config, networkName: network });
}
