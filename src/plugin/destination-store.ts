import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import { HdpError } from "../base/errors.js";
import type { Finalization } from "../processor/finalizer.js";
import type { TaskWord } from "../request/lifecycle.js";
import { type ChainIdentifier, isStarknet } from "../request/chains.js";
import type { ExecutionStore } from "../store/execution-store.js";
import { ConnectionStores } from "./connection-stores.js";
import { isDevelopment } from "./development.js";

/** Where the results of one destination chain are kept: an execution store on an EVM chain or on Starknet. */
export interface DestinationStore {
  /** The chain the store is on; undefined on Starknet. */
  readonly provider?: NetworkConnection<string>["provider"] | undefined;
  /** Opens the store for reading; `address` names another one than the configured one. */
  openForReading(address?: string): Promise<ExecutionStore>;
  /** Stores results the local data processor has computed, all of them or none. */
  finalize(results: readonly TaskWord[]): Promise<Finalization>;
}

/**
 * The store that a destination chain means on a connection:
 *
 * 1. the one on Starknet, where `starknet.<chain>` is configured for the connection's network;
 * 2. the one on the network that `chains.<chain>` names;
 * 3. the connection's own. A Starknet chain has none there, except on a development chain, whose mock stands for
 *    every destination.
 *
 * @throws HDP-8009 for a Starknet chain that none of this applies to
 */
export async function destinationStore(
  destination: ChainIdentifier,
  connection: NetworkConnection<string>,
  context: HookContext,
): Promise<DestinationStore> {
  const { chains, starknet } = connection.networkConfig.hdp;
  const onStarknet = starknet[destination];
  if (onStarknet !== undefined) {
    const { StarknetDestination } = await import("./starknet-destination.js");
    return StarknetDestination.of(connection, destination, onStarknet);
  }
  const network = chains[destination];
  if (network !== undefined && network !== connection.networkName) {
    return ConnectionStores.of(await context.network.getOrCreate(network));
  }
  if (isStarknet(destination) && network === undefined && !(await isDevelopment(connection))) {
    throw notConfigured(destination, connection.networkName);
  }
  return ConnectionStores.of(connection);
}

function notConfigured(destination: ChainIdentifier, networkName: string): HdpError {
  return new HdpError({
    code: "HDP-8009",
    path: `hdp.starknet.${destination}`,
    message: `results for ${destination} are kept on Starknet, and no node is configured for network "${networkName}".`,
    hints: [
      `Set it in hardhat.config.ts: hdp: { starknet: { ${destination}: { rpcUrl: configVariable("STARKNET_RPC_URL") } } }`,
      "On a development chain nothing needs to be set: the local mock keeps these results too.",
    ],
  });
}
