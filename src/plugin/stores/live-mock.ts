import { hdpError } from "../../errors/hdp-error.js";
import type { ConnectedNetwork } from "../connected-network.js";
import type { StoreInUse } from "./evm-stores.js";

/**
 * Throws if a contract that is about to be deployed would act on results of a mock on a chain that is not a development
 * chain.
 * @throws HdpError HDP-6027
 */
export async function refuseLiveMock(
  network: ConnectedNetwork,
  { address: store, mock }: StoreInUse,
): Promise<void> {
  if (!mock || (await network.isDevelopment())) return;
  const values = { store, network: network.networkName, id: await network.chainId() };
  throw hdpError("HDP-6027", values, { path: network.configPath("executionStore.address") });
}
