import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import type { Eip1193Provider } from "../base/rpc.js";
import type { ChainIdentifier } from "../request/chains.js";

/** The provider of the network that stands for a chain: the connected one unless `hdp.chains` names another. */
export async function providerFor(
  chain: ChainIdentifier,
  connection: NetworkConnection<string>,
  context: Pick<HookContext, "network">,
): Promise<Eip1193Provider> {
  const network = connection.networkConfig.hdp.chains[chain];
  if (network === undefined || network === connection.networkName) return connection.provider;
  return (await context.network.getOrCreate(network)).provider;
}
