import { nearest } from "../base/text.js";
import { notAllowed } from "../errors/hdp-error.js";
import { CHAIN_NAMES, type ChainIdentifier, findChainIdentifier } from "./chains.js";

/** A chain's name in two parts, `OPTIMISM` and `SEPOLIA`; a name that ends in no network of a chain is split at its `_`. */
const NAME_PARTS = /^(.*?)[-_\s]?(MAINNET|MAIN|SEPOLIA|CURTIS)$|^(.+)[-_\s](.+)$/i;

function nameParts(name: string): readonly [family: string, network: string] {
  const [, family, network, first = "", last = ""] = NAME_PARTS.exec(name) ?? [];
  return network === undefined ? [first, last] : [family ?? "", network];
}

/** Returns whether a part of a name is a misspelled or shortened part of another. */
function isNear(part: string, other: string): boolean {
  const isShort = part.length > 1 && other.startsWith(part.toUpperCase());
  return isShort || nearest(part, [other]) !== undefined;
}

/**
 * Returns the name of a chain that a misspelled or shortened one means. Both parts of it are near: `OP_MAINNET` is not
 * another chain's main network, and `ETHEREUM_TESTNET` is no main network.
 */
export function nearestChain(name: string): string | undefined {
  const [family, network] = nameParts(name);
  if (family === "") return nearest(name, CHAIN_NAMES);
  const near = CHAIN_NAMES.filter((candidate) => {
    const [ownFamily, ownNetwork] = nameParts(candidate);
    return isNear(family, ownFamily) && isNear(network, ownNetwork);
  });
  return nearest(name, near) ?? near[0];
}

/** Returns a destination chain by its name or alias. @throws HdpError HDP-6003 */
export function parseDestination(name: string): ChainIdentifier {
  return parseChain(name, "destination");
}

/** Returns a chain by its name or alias. @param path the option, for errors @throws HdpError HDP-6003 */
export function parseChain(name: string, path: string): ChainIdentifier {
  const chain = findChainIdentifier(name);
  if (chain !== undefined) return chain;
  const context = { path, near: nearestChain(name), allowed: CHAIN_NAMES.join(", ") };
  throw notAllowed(name, "a chain identifier", context);
}
