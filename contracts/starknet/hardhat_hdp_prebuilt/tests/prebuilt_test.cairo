// SPDX-License-Identifier: MIT
//! The shipped class is the mock that the helpers know.

use hardhat_hdp_prebuilt::deploy_execution_store_from_file;
use hardhat_hdp_testing::{expect_finalized, expect_pending, finalize_result};

#[test]
fn the_shipped_class_is_the_store() {
    let path: ByteArray = "../hardhat_hdp_testing/artifacts/ExecutionStoreMock.contract_class.json";
    let store = deploy_execution_store_from_file(path).contract_address;
    expect_pending(store, 0x1234);
    finalize_result(store, 0x1234, 7);
    expect_finalized(store, 0x1234, 7);
}
