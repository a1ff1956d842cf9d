/**
 * Canonical chain identifiers with their numeric ids: those of the specification, of the service's published parsers
 * and of the chains its published contracts and proof interface name.
 */
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
