import {
  CHAIN_ALIASES,
  CHAIN_IDENTIFIERS,
  chainIdentifierOf,
  findChainIdentifier,
  type ChainIdentifier,
} from "../request/chains.js";
import { HdpError, hdpError } from "../errors/hdp-error.js";
import type { Session } from "./session.js";

/**
 * Where the results of bare tasks go: the connected chain. A development chain has no identifier of its own; it stands
 * for Ethereum Sepolia, the specification's example, and no hash depends on it.
 */
export async function defaultDestination(session: Session): Promise<ChainIdentifier> {
  if (await session.isDevelopment()) return "ETHEREUM_SEPOLIA";
  const id = await session.chainId();
  const name = chainIdentifierOf(id);
  if (name !== undefined) return name;
  throw new HdpError({
    code: "HDP-6014",
    path: "destinationChainId",
    message: `chain ${id.toString()} of network "${session.networkName}" has no chain identifier.`,
    hints: [
      "Submit a request that names its destinationChainId, for instance taskRequest({ destinationChainId, tasks }).",
    ],
  });
}

/** A destination chain as somebody names it, aliases included. */
export function parseDestination(name: string): ChainIdentifier {
  const chain = findChainIdentifier(name);
  if (chain !== undefined) return chain;
  const chains = [...CHAIN_IDENTIFIERS, ...Object.keys(CHAIN_ALIASES)].join(", ");
  throw hdpError("HDP-1109", { value: `"${name}"`, chains }, { path: "destination" });
}
