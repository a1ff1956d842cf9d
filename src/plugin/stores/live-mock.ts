import { hdpError } from "../../errors/hdp-error.js";
import type { Session } from "../session.js";
import type { StoreInUse } from "./evm-stores.js";

/**
 * Throws if a contract that is about to be deployed would act on results of a mock on a chain that is not a development
 * chain.
 * @throws HdpError HDP-6027
 */
export async function refuseLiveMock(
  session: Session,
  { address: store, mock }: StoreInUse,
): Promise<void> {
  if (!mock || (await session.isDevelopment())) return;
  const { networkName: network } = session;
  const path = session.configPath("executionStore.address");
  throw hdpError("HDP-6027", { store, network, id: await session.chainId() }, { path });
}
