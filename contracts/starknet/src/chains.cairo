//! Chain ids as they are hashed into datalakes.

pub const ETHEREUM_MAINNET: u256 = 1;
pub const ETHEREUM_SEPOLIA: u256 = 11155111;
pub const OPTIMISM_MAINNET: u256 = 10;
pub const OPTIMISM_SEPOLIA: u256 = 11155420;
pub const ARBITRUM_MAINNET: u256 = 42161;
pub const ARBITRUM_SEPOLIA: u256 = 421614;
pub const BASE_MAINNET: u256 = 8453;
pub const BASE_SEPOLIA: u256 = 84532;
pub const WORLD_MAINNET: u256 = 480;
pub const WORLD_SEPOLIA: u256 = 4801;
pub const APECHAIN_MAINNET: u256 = 33139;
pub const APECHAIN_CURTIS: u256 = 33111;
pub const ZKSYNC_SEPOLIA: u256 = 300;
/// The short string 'SN_MAIN'.
pub const STARKNET_MAINNET: u256 = 23448594291968334;
/// The short string 'SN_SEPOLIA'.
pub const STARKNET_SEPOLIA: u256 = 393402133025997798000961;
