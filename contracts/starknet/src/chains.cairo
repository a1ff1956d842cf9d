//! Chain ids as they are hashed into datalakes.

pub const ETHEREUM_MAINNET: u256 = 1;
pub const ETHEREUM_SEPOLIA: u256 = 11155111;
pub const OPTIMISM_MAINNET: u256 = 10;
pub const OPTIMISM_SEPOLIA: u256 = 11155420;
/// The short string 'SN_MAIN'.
pub const STARKNET_MAINNET: u256 = 23448594291968334;
/// The short string 'SN_SEPOLIA'.
pub const STARKNET_SEPOLIA: u256 = 393402133025997798000961;
