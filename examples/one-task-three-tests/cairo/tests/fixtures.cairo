//! Task hashes and results, written by `npx hardhat hdp fixtures`.
//! To change them, run it again.

/// Task hash: average of header.base_fee_per_gas.
pub const FEE_TASK: u256 = 0x66555ef49c5b8a40a8ecf506f30f2085c17be05198787b814a0eded6a390a330;
/// Its result, 1000000000.
pub const FEE_RESULT: u256 = 0x3b9aca00;
/// Both: a row of `#[test_case]`.
pub const FEE: (u256, u256) = (FEE_TASK, FEE_RESULT);
