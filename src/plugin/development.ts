import type { NetworkConnection } from "hardhat/types/network";
import { hexToBigInt, isHex } from "viem";

/** Chain id of Hardhat's and Anvil's development nodes. */
const DEVELOPMENT_CHAIN_ID = 31337n;

/** Whether a connection's chain runs inside this process. */
export function isSimulated(connection: NetworkConnection<string>): boolean {
  return connection.networkConfig.type === "edr-simulated";
}

/** A chain for trying things out: inside this process, or a node with the development chain id. */
export async function isDevelopment(connection: NetworkConnection<string>): Promise<boolean> {
  return isSimulated(connection) || (await chainId(connection)) === DEVELOPMENT_CHAIN_ID;
}

/** The chain's own word for its id; network names prove nothing. */
export async function chainId(connection: NetworkConnection<string>): Promise<bigint> {
  const id: unknown = await connection.provider.request({ method: "eth_chainId" });
  if (!isHex(id)) throw new Error(`eth_chainId answered ${JSON.stringify(id)}`);
  return hexToBigInt(id);
}
