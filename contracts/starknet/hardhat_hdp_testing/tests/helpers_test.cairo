// SPDX-License-Identifier: MIT
//! The helpers hold whatever a test does around them.

use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, TaskStatus};
use hardhat_hdp::output_root::{
    root_of_digest, root_of_digest_of_bytes, root_of_felt, root_of_marked, root_of_value,
    unordered_root,
};
use hardhat_hdp::satellite::{
    ITaskAuthenticationDispatcher, ITaskAuthenticationDispatcherTrait, MmrData, TaskData,
};
use hardhat_hdp::task::{HdpForm, HdpTask};
use hardhat_hdp_testing::interface::{
    IExecutionStoreMockDispatcher, IExecutionStoreMockDispatcherTrait, ITaskProofsMockDispatcher,
    ITaskProofsMockDispatcherTrait,
};
use hardhat_hdp_testing::mock::MockKind;
use hardhat_hdp_testing::{
    deploy_execution_store, deploy_execution_store_of, expect_finalized, expect_finalized_event,
    expect_pending, finalize_digest, finalize_digest_of_bytes, finalize_felt, finalize_marked,
    finalize_output, finalize_result, finalize_value, mock_result, prove_execution, schedule_task,
};
use snforge_std::{
    CheatSpan, cheat_caller_address, spy_events, start_cheat_caller_address,
    start_cheat_caller_address_global,
};
use starknet::ContractAddress;

const TASK: u256 = 0x1234;

fn stranger() -> ContractAddress {
    'stranger'.try_into().unwrap()
}

#[test]
fn a_result_is_finalized_under_a_cheated_caller() {
    let store = deploy_execution_store().contract_address;
    start_cheat_caller_address(store, stranger());
    schedule_task(store, TASK);
    finalize_result(store, TASK, 7);
    expect_finalized(store, TASK, 7);
}

#[test]
fn a_result_is_finalized_while_all_callers_are_cheated() {
    let store = deploy_execution_store().contract_address;
    start_cheat_caller_address_global(stranger());
    finalize_result(store, TASK, 7);
    expect_finalized(store, TASK, 7);
}

#[test]
#[should_panic(expected: ('CALLER_IS_NOT_OPERATOR',))]
fn a_helper_leaves_the_cheated_caller_a_stranger() {
    let mock = deploy_execution_store();
    start_cheat_caller_address(mock.contract_address, stranger());
    finalize_result(mock.contract_address, TASK, 7);
    mock.finalize(1, 7);
}

#[test]
fn a_result_is_finalized_under_a_cheat_of_one_call() {
    let store = deploy_execution_store().contract_address;
    cheat_caller_address(store, stranger(), CheatSpan::TargetCalls(1));
    finalize_result(store, TASK, 7);
    expect_finalized(store, TASK, 7);
}

#[test]
fn a_finalized_result_is_announced_by_the_store() {
    let store = deploy_execution_store().contract_address;
    let mut spy = spy_events();
    finalize_result(store, TASK, 7);
    expect_finalized_event(ref spy, store, TASK, 7);
    IExecutionStoreMockDispatcher { contract_address: store }.finalize(1, 8);
    expect_finalized_event(ref spy, store, 1, 8);
}

#[test]
#[should_panic]
fn a_result_that_was_not_finalized_is_not_announced() {
    let store = deploy_execution_store().contract_address;
    let mut spy = spy_events();
    finalize_result(store, TASK, 7);
    expect_finalized_event(ref spy, store, TASK, 8);
}

#[test]
#[should_panic(expected: ('TaskAlreadyFinalized',))]
fn a_task_is_finalized_once_by_the_helper_too() {
    let store = deploy_execution_store().contract_address;
    finalize_result(store, TASK, 7);
    finalize_result(store, TASK, 7);
}

#[test]
fn an_output_is_finalized_as_its_root() {
    let store = deploy_execution_store().contract_address;
    finalize_output(store, TASK, array![5, 0].span());
    expect_finalized(store, TASK, unordered_root(array![5, 0].span()));
}

#[test]
fn what_a_module_returned_is_finalized_in_each_form() {
    let store = deploy_execution_store().contract_address;
    let values = array![5, 6].span();
    let words = array![1, 2].span();
    finalize_felt(store, 1, 7);
    finalize_marked(store, 2, values);
    finalize_digest(store, 3, words);
    finalize_digest_of_bytes(store, 4, @"answer");
    expect_finalized(store, 1, root_of_felt(7));
    expect_finalized(store, 2, root_of_marked(values));
    expect_finalized(store, 3, root_of_digest(words));
    expect_finalized(store, 4, root_of_digest_of_bytes(@"answer"));
}

#[test]
fn a_value_is_finalized_in_the_form_of_its_task() {
    let store = deploy_execution_store().contract_address;
    finalize_value(store, HdpTask { hash: 1, form: HdpForm::Datalake }, 7);
    finalize_value(store, HdpTask { hash: 2, form: HdpForm::Module }, 7);
    expect_finalized(store, 1, 7);
    expect_finalized(store, 2, root_of_value(7));
}

#[test]
#[should_panic(expected: "the result of task 0x1234 is 7, not 8")]
fn another_result_is_not_the_expected_one() {
    let store = deploy_execution_store().contract_address;
    finalize_result(store, TASK, 7);
    expect_finalized(store, TASK, 8);
}

#[test]
#[should_panic(expected: "task 0x1234 is not finalized")]
fn a_scheduled_task_is_not_finalized() {
    let store = deploy_execution_store().contract_address;
    schedule_task(store, TASK);
    expect_finalized(store, TASK, 0);
}

#[test]
fn an_execution_is_authenticated_by_its_fact() {
    let store = deploy_execution_store_of(MockKind::Satellite).contract_address;
    let mmr = MmrData { chain_id: ETHEREUM_SEPOLIA, mmr_id: 7, mmr_size: 50 };
    ITaskProofsMockDispatcher { contract_address: store }
        .set_mmr_root(mmr.chain_id, mmr.mmr_id, mmr.mmr_size, 0x5d8d);
    let execution = TaskData {
        mmr_data: array![mmr].span(),
        task_hash_low: TASK.low,
        task_hash_high: TASK.high,
        task_result_low: 7,
        task_result_high: 0,
        module_hash: 0,
        program_hash: 0x1234,
    };
    prove_execution(store, execution);
    ITaskAuthenticationDispatcher { contract_address: store }
        .authenticateDataProcessorTaskExecution(execution);
    expect_finalized(store, TASK, 7);
}

#[test]
fn a_result_is_mocked_for_its_task_alone_where_there_is_no_contract() {
    let nowhere: ContractAddress = 0x1234.try_into().unwrap();
    mock_result(nowhere, 1, 7);
    mock_result(nowhere, 2, 8);
    mock_result(nowhere, 1, 9);
    expect_finalized(nowhere, 1, 9);
    expect_finalized(nowhere, 2, 8);
    expect_pending(nowhere, 3);
}

#[test]
fn a_result_is_mocked_in_a_store_that_is_there() {
    let store = deploy_execution_store().contract_address;
    finalize_result(store, TASK, 7);
    mock_result(store, TASK, 8);
    expect_finalized(store, TASK, 8);
    let status = IExecutionStoreDispatcher { contract_address: store }
        .getDataProcessorTaskStatus(1);
    assert(status == TaskStatus::NONE, 'status');
}

/// A contract of the project with the name of a mock: the helpers deploy theirs by its path.
#[starknet::contract]
pub mod ExecutionStoreMock {
    #[storage]
    struct Storage {}
}
