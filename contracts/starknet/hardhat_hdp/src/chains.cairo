// SPDX-License-Identifier: MIT
//! Chain ids as they are hashed into datalakes.

/// Ethereum.
pub const ETHEREUM_MAINNET: u256 = 1;
/// Ethereum's test network Sepolia.
pub const ETHEREUM_SEPOLIA: u256 = 11155111;
/// OP Mainnet.
pub const OPTIMISM_MAINNET: u256 = 10;
/// OP Mainnet's test network on Sepolia.
pub const OPTIMISM_SEPOLIA: u256 = 11155420;
/// Arbitrum One.
pub const ARBITRUM_MAINNET: u256 = 42161;
/// Arbitrum's test network on Sepolia.
pub const ARBITRUM_SEPOLIA: u256 = 421614;
/// Base.
pub const BASE_MAINNET: u256 = 8453;
/// Base's test network on Sepolia.
pub const BASE_SEPOLIA: u256 = 84532;
/// World Chain.
pub const WORLD_MAINNET: u256 = 480;
/// World Chain's test network on Sepolia.
pub const WORLD_SEPOLIA: u256 = 4801;
/// ApeChain.
pub const APECHAIN_MAINNET: u256 = 33139;
/// ApeChain's test network Curtis.
pub const APECHAIN_CURTIS: u256 = 33111;
/// ZKsync Era's test network on Sepolia.
pub const ZKSYNC_SEPOLIA: u256 = 300;
/// Starknet: the short string 'SN_MAIN'.
pub const STARKNET_MAINNET: u256 = 23448594291968334;
/// Starknet's test network on Sepolia: the short string 'SN_SEPOLIA'.
pub const STARKNET_SEPOLIA: u256 = 393402133025997798000961;
