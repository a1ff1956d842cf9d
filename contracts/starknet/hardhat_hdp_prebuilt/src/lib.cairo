// SPDX-License-Identifier: MIT
//! Deploys the mock of the execution store from its shipped class.

use hardhat_hdp_testing::deploy_execution_store_class;
use hardhat_hdp_testing::interface::IExecutionStoreMockDispatcher;
use snforge_std::{DeclareResultTrait, declare_from_file};
use starknet::SyscallResultTrait;

/// Deploys the mock from the class that `hardhat_hdp_testing` ships in `artifacts/`, so that
/// nothing has to be built. The path is relative to the package under test. The test itself is the
/// owner.
pub fn deploy_execution_store_from_file(path: ByteArray) -> IExecutionStoreMockDispatcher {
    deploy_execution_store_class(declare_from_file(path).unwrap_syscall().contract_class())
}
