import { hdpError } from "../../errors/hdp-error.js";
import { type ChainIdentifier, isStarknet } from "../../request/chains.js";
import type { Session } from "../session.js";
import { EvmStores, type ResultStore } from "./evm-stores.js";

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
export async function destinationStore(destination: ChainIdentifier, session: Session): Promise<ResultStore> {
  const { chains, starknet } = session.config;
  if (starknet[destination] !== undefined) {
    const { StarknetStores } = await import("./starknet-stores.js");
    return session.part(StarknetStores).on(destination, starknet[destination]);
  }
  const network = chains[destination];
  if (network !== undefined) return (await session.on(network)).part(EvmStores);
  if (isStarknet(destination) && !(await session.isDevelopment())) {
    const what = `results for ${destination} on network "${session.networkName}"`;
    throw hdpError("HDP-8009", { what, chain: destination }, { path: `hdp.starknet.${destination}` });
  }
  return session.part(EvmStores);
}
