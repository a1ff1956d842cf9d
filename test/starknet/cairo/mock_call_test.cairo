//! Mocked results at an address where there is no contract at all.

use hardhat_hdp::interface::{
    IExecutionStoreAliasesDispatcher, IExecutionStoreAliasesDispatcherTrait,
    IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, TaskStatus,
};
use hardhat_hdp_testing::{deploy_execution_store, expect_pending, mock_result, stop_mock_result};
use starknet::ContractAddress;

const ANSWER: u256 = 0x1122334455667788990011223344556677889900112233445566778899001122;

fn nowhere() -> ContractAddress {
    0x1234.try_into().unwrap()
}

#[test]
fn every_reading_gets_the_mocked_result() {
    mock_result(nowhere(), ANSWER);
    let store = IExecutionStoreDispatcher { contract_address: nowhere() };
    assert(store.getDataProcessorFinalizedTaskResult(1) == ANSWER, 'result');
    assert(store.getDataProcessorFinalizedTaskResult(2) == ANSWER, 'whatever the task');
    assert(store.getDataProcessorTaskStatus(1) == TaskStatus::FINALIZED, 'status');
    let aliases = IExecutionStoreAliasesDispatcher { contract_address: nowhere() };
    assert(aliases.getFinalizedTaskResult(1) == ANSWER, 'result by alias');
    assert(aliases.getTaskStatus(1) == TaskStatus::FINALIZED, 'status by alias');
}

#[test]
fn the_mocked_result_ends_and_the_store_answers_again() {
    let store = deploy_execution_store().contract_address;
    mock_result(store, ANSWER);
    let reader = IExecutionStoreDispatcher { contract_address: store };
    assert(reader.getDataProcessorFinalizedTaskResult(1) == ANSWER, 'mocked');
    stop_mock_result(store);
    expect_pending(store, 1);
    assert(reader.getDataProcessorTaskStatus(1) == TaskStatus::NONE, 'status');
}

#[test]
#[should_panic]
fn nothing_answers_when_the_mocked_result_ends() {
    mock_result(nowhere(), ANSWER);
    stop_mock_result(nowhere());
    IExecutionStoreDispatcher { contract_address: nowhere() }
        .getDataProcessorFinalizedTaskResult(1);
}
