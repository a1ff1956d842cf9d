//! A first test against the mock of the execution store. Put a contract of yours in the place of
//! the reader.

use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait};
use hardhat_hdp_testing::{deploy_execution_store, expect_pending, finalize_result};

const TASK: u256 = 0x1234;

#[test]
fn a_finalized_result_is_read() {
    let store = deploy_execution_store().contract_address;
    expect_pending(store, TASK);
    finalize_result(store, TASK, 7);
    let reader = IExecutionStoreDispatcher { contract_address: store };
    assert(reader.getDataProcessorFinalizedTaskResult(TASK) == 7, 'result');
}
