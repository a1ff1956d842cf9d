// SPDX-License-Identifier: MIT
//! A first test against the mock of the execution store. Put a contract of yours in the place of
//! the last line.

use hardhat_hdp::output_root::word_of;
use hardhat_hdp::task::{HdpForm, HdpTask};
use hardhat_hdp_testing::{deploy_execution_store, expect_finalized, expect_pending, finalize_value};

const TASK: HdpTask = HdpTask { hash: 0x1234, form: HdpForm::Module };

#[test]
fn a_value_is_finalized_in_the_form_of_its_task() {
    let store = deploy_execution_store().contract_address;
    expect_pending(store, TASK.hash);
    finalize_value(store, TASK, 7);
    // A contract gets the value from its caller and calls `require_value(TASK, 7)`.
    expect_finalized(store, TASK.hash, word_of(TASK.form, 7));
}
