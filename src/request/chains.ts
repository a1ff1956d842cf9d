import { keysOf, tableOf } from "../base/collections.js";

/** A chain, for all code that names, reads or writes to it. */
interface ChainEntry {
  readonly id: bigint;
  /** What the chain is, as the Cairo package's documentation says it, without the full stop. */
  readonly about: string;
  /** Other names of the chain, as used by the storage proof interface and by Starknet. */
  readonly aliases?: readonly string[];
}

/**
 * Chain identifiers and ids from the specification, published parsers and contracts, and the proof interface.
 * `npm run generate` writes the Cairo constants from it.
 */
export const CHAINS = {
  ETHEREUM_MAINNET: { id: 1n, about: "Ethereum" },
  ETHEREUM_SEPOLIA: { id: 11155111n, about: "Ethereum's test network Sepolia" },
  OPTIMISM_MAINNET: { id: 10n, about: "OP Mainnet" },
  OPTIMISM_SEPOLIA: { id: 11155420n, about: "OP Mainnet's test network on Sepolia" },
  ARBITRUM_MAINNET: { id: 42161n, about: "Arbitrum One" },
  ARBITRUM_SEPOLIA: { id: 421614n, about: "Arbitrum's test network on Sepolia" },
  BASE_MAINNET: { id: 8453n, about: "Base" },
  BASE_SEPOLIA: { id: 84532n, about: "Base's test network on Sepolia" },
  WORLD_MAINNET: { id: 480n, about: "World Chain" },
  WORLD_SEPOLIA: { id: 4801n, about: "World Chain's test network on Sepolia" },
  APECHAIN_MAINNET: { id: 33139n, about: "ApeChain" },
  APECHAIN_CURTIS: { id: 33111n, about: "ApeChain's test network Curtis" },
  ZKSYNC_SEPOLIA: { id: 300n, about: "ZKsync Era's test network on Sepolia" },
  STARKNET_MAINNET: {
    id: 23448594291968334n,
    about: "Starknet: the short string 'SN_MAIN'",
    aliases: ["SN_MAIN", "SN_MAINNET", "STARKNET"],
  },
  STARKNET_SEPOLIA: {
    id: 393402133025997798000961n,
    about: "Starknet's test network on Sepolia: the short string 'SN_SEPOLIA'",
    aliases: ["SN_SEPOLIA"],
  },
} as const satisfies Readonly<Record<string, ChainEntry>>;

/** Canonical identifier: aliases such as `SN_SEPOLIA` are resolved when parsed. */
export type ChainIdentifier = keyof typeof CHAINS;

/** Chain ids by canonical identifier. */
export const CHAIN_IDS = tableOf(CHAINS, (chain): bigint => CHAINS[chain].id);

/** All canonical identifiers, in the order of {@link CHAINS}. */
export const CHAIN_IDENTIFIERS = keysOf(CHAINS);

type AliasOf<Chain> = Chain extends { readonly aliases: readonly (infer Alias)[] } ? Alias : never;

/** A chain as it may be written: its canonical identifier or an alias. */
export type ChainName = ChainIdentifier | AliasOf<(typeof CHAINS)[ChainIdentifier]>;

const ALIASES: ReadonlyMap<string, ChainIdentifier> = new Map(
  CHAIN_IDENTIFIERS.flatMap((chain) => chainAliases(chain).map((alias) => [alias, chain] as const)),
);

function chainAliases(chain: ChainIdentifier): readonly string[] {
  const { aliases = [] }: ChainEntry = CHAINS[chain];
  return aliases;
}

/** Other names of chains, as used by the storage proof interface and by Starknet. */
export const CHAIN_ALIASES: readonly string[] = [...ALIASES.keys()];

/** Every name that a chain may be written with: the canonical identifiers, then the aliases. */
export const CHAIN_NAMES: readonly string[] = [...CHAIN_IDENTIFIERS, ...CHAIN_ALIASES];

/** Returns whether the text is a canonical identifier; aliases are not. */
export function isChainIdentifier(text: string): text is ChainIdentifier {
  return Object.hasOwn(CHAINS, text);
}

/** Returns the canonical identifier of a name or alias, in upper case as the service spells it; undefined when unknown. */
export function findChainIdentifier(text: string): ChainIdentifier | undefined {
  return isChainIdentifier(text) ? text : ALIASES.get(text);
}

/** Returns the identifier of a numeric chain id; undefined when no source names the chain. */
export function identifyChain(id: bigint): ChainIdentifier | undefined {
  return CHAIN_IDENTIFIERS.find((identifier) => CHAIN_IDS[identifier] === id);
}

/** Returns the numeric id of a chain. */
export function numericChainId(chain: ChainIdentifier): bigint {
  return CHAIN_IDS[chain];
}

/** Returns whether the chain is a Starknet one: its stores return results as two felts, not as one word. */
export function isStarknet(chain: ChainIdentifier): boolean {
  return isStarknetId(CHAIN_IDS[chain]);
}

/** "SN_" in ASCII: the ids of Starknet chains are texts such as `SN_MAIN`, read as a number. */
const STARKNET_PREFIX = "534e5f";

/** Returns whether a numeric chain id is one of a Starknet chain that has an identifier. */
export function isStarknetId(id: bigint): boolean {
  return id.toString(16).startsWith(STARKNET_PREFIX) && identifyChain(id) !== undefined;
}
