//! Task hashes and results, written by `npx hardhat hdp fixtures`.
//! To change them, run it again.

use hardhat_hdp::task::HdpForm;

/// Task hash: average of header.base_fee_per_gas.
pub const FEE_TASK: u256 = 0xbe3a9bd28434357e26e61f59c5fe8cca56d9162be8c35bb34ff909a39ee467b2;
/// Its result, 1000000000.
pub const FEE_RESULT: u256 = 0x3b9aca00;
/// Both: a row of `#[test_case]`.
pub const FEE: (u256, u256) = (FEE_TASK, FEE_RESULT);
/// Its form: `HdpTask { hash, form }`.
pub const FEE_FORM: HdpForm = HdpForm::Module;
