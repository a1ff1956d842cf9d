//! Starknet Foundry helpers for contracts that read results of the data processor.

use hardhat_hdp::interface::{
    IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, IExecutionStoreMockDispatcher,
    IExecutionStoreMockDispatcherTrait, IExecutionStoreSafeDispatcher,
    IExecutionStoreSafeDispatcherTrait, TaskStatus,
};
use hardhat_hdp::storage::result_storage_address;
use snforge_std::{
    ContractClass, ContractClassTrait, DeclareResultTrait, declare, declare_from_file,
    start_mock_call, stop_mock_call, store,
};
use starknet::{ContractAddress, get_contract_address};

/// Deploys the mock of the execution store. The test itself is its owner.
/// The project's Scarb.toml must build it: `build-external-contracts =
/// ["hardhat_hdp::mock::ExecutionStoreMock"]`
/// under `[[target.starknet-contract]]`.
pub fn deploy_execution_store() -> IExecutionStoreMockDispatcher {
    deploy_class(declare("ExecutionStoreMock").unwrap().contract_class())
}

/// Deploys the mock from the class that is shipped with this package, so that nothing has to be
/// built. The path is relative to the package under test, for instance
/// "node_modules/hardhat-hdp/contracts/starknet/artifacts/ExecutionStoreMock.contract_class.json".
pub fn deploy_execution_store_from_file(path: ByteArray) -> IExecutionStoreMockDispatcher {
    deploy_class(declare_from_file(path).unwrap().contract_class())
}

/// Stores a result of your choice in a mock that this test deployed.
pub fn finalize_result(execution_store: ContractAddress, task_hash: u256, result: u256) {
    IExecutionStoreMockDispatcher { contract_address: execution_store }.finalize(task_hash, result);
}

/// Marks a task as scheduled in a mock that this test deployed: known to the store, and not yet
/// readable.
pub fn schedule_task(execution_store: ContractAddress, task_hash: u256) {
    IExecutionStoreMockDispatcher { contract_address: execution_store }.schedule(task_hash);
}

/// Fails the test unless the store has no result of this task yet, in its status and in its answer.
#[feature("safe_dispatcher")]
pub fn expect_pending(execution_store: ContractAddress, task_hash: u256) {
    let status = IExecutionStoreDispatcher { contract_address: execution_store }
        .getDataProcessorTaskStatus(task_hash);
    assert(status != TaskStatus::FINALIZED, 'task is finalized');
    let safe = IExecutionStoreSafeDispatcher { contract_address: execution_store };
    match safe.getDataProcessorFinalizedTaskResult(task_hash) {
        Result::Ok(_) => core::panic_with_felt252('result can be read'),
        Result::Err(panic_data) => assert(
            *panic_data.at(0) == 'TASK_NOT_FINALIZED', *panic_data.at(0),
        ),
    }
}

/// Lets any address, also one without a contract, answer every reading of a result with `result`,
/// whatever the task.
pub fn mock_result(execution_store: ContractAddress, result: u256) {
    start_mock_call(execution_store, selector!("getDataProcessorFinalizedTaskResult"), result);
    start_mock_call(execution_store, selector!("getFinalizedTaskResult"), result);
    start_mock_call(
        execution_store, selector!("getDataProcessorTaskStatus"), TaskStatus::FINALIZED,
    );
    start_mock_call(execution_store, selector!("getTaskStatus"), TaskStatus::FINALIZED);
}

/// Ends what `mock_result` began.
pub fn stop_mock_result(execution_store: ContractAddress) {
    stop_mock_call(execution_store, selector!("getDataProcessorFinalizedTaskResult"));
    stop_mock_call(execution_store, selector!("getFinalizedTaskResult"));
    stop_mock_call(execution_store, selector!("getDataProcessorTaskStatus"));
    stop_mock_call(execution_store, selector!("getTaskStatus"));
}

/// Writes a finalized result into the storage of a store, for instance of the real one on a fork.
pub fn write_finalized_result(execution_store: ContractAddress, task_hash: u256, result: u256) {
    // Status 2 is FINALIZED.
    store(
        execution_store,
        result_storage_address(task_hash),
        array![2, result.low.into(), result.high.into()].span(),
    );
}

fn deploy_class(class: @ContractClass) -> IExecutionStoreMockDispatcher {
    let (contract_address, _) = class.deploy(@array![get_contract_address().into()]).unwrap();
    IExecutionStoreMockDispatcher { contract_address }
}
