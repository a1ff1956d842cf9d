import { keysOf } from "../base/collections.js";

/** Chain identifiers and ids from the specification, published parsers and contracts, and the proof interface. */
export const CHAIN_IDS = {
  ETHEREUM_MAINNET: 1n,
  ETHEREUM_SEPOLIA: 11155111n,
  OPTIMISM_MAINNET: 10n,
  OPTIMISM_SEPOLIA: 11155420n,
  ARBITRUM_MAINNET: 42161n,
  ARBITRUM_SEPOLIA: 421614n,
  BASE_MAINNET: 8453n,
  BASE_SEPOLIA: 84532n,
  WORLD_MAINNET: 480n,
  WORLD_SEPOLIA: 4801n,
  APECHAIN_MAINNET: 33139n,
  APECHAIN_CURTIS: 33111n,
  ZKSYNC_SEPOLIA: 300n,
  STARKNET_MAINNET: 23448594291968334n,
  STARKNET_SEPOLIA: 393402133025997798000961n,
} as const;

/** Canonical identifier: aliases such as `SN_SEPOLIA` are resolved when parsed. */
export type ChainIdentifier = keyof typeof CHAIN_IDS;

/** Other names of the same chains, as used by the storage proof interface and by Starknet. */
export const CHAIN_ALIASES = {
  SN_MAIN: "STARKNET_MAINNET",
  SN_MAINNET: "STARKNET_MAINNET",
  STARKNET: "STARKNET_MAINNET",
  SN_SEPOLIA: "STARKNET_SEPOLIA",
} as const satisfies Readonly<Record<string, ChainIdentifier>>;

/** A chain as it may be written: its canonical identifier or an alias. */
export type ChainName = ChainIdentifier | keyof typeof CHAIN_ALIASES;

/** All canonical identifiers, in the order of {@link CHAIN_IDS}. */
export const CHAIN_IDENTIFIERS = keysOf(CHAIN_IDS);

/** Returns whether the text is a canonical identifier; aliases are not. */
export function isChainIdentifier(text: string): text is ChainIdentifier {
  return Object.hasOwn(CHAIN_IDS, text);
}

const ALIASES = new Map<string, ChainIdentifier>(Object.entries(CHAIN_ALIASES));

/** Returns the canonical identifier of a name or alias, in upper case as the service spells it; undefined when unknown. */
export function findChainIdentifier(text: string): ChainIdentifier | undefined {
  return isChainIdentifier(text) ? text : ALIASES.get(text);
}

/** Returns the identifier of a numeric chain id; undefined when no source names the chain. */
export function chainIdentifierOf(id: bigint): ChainIdentifier | undefined {
  return CHAIN_IDENTIFIERS.find((identifier) => CHAIN_IDS[identifier] === id);
}

export function chainIdOf(chain: ChainIdentifier): bigint {
  return CHAIN_IDS[chain];
}

/** Returns whether the chain is a Starknet one: its stores return results as two felts, not as one word. */
export function isStarknet(chain: ChainIdentifier): boolean {
  return chain === "STARKNET_MAINNET" || chain === "STARKNET_SEPOLIA";
}
