// SPDX-License-Identifier: MIT
//! The mock behaves as the real execution store does: statuses, panics, keys and storage.

use hardhat_hdp::interface::{
    IExecutionStoreAliasesDispatcher, IExecutionStoreAliasesDispatcherTrait,
    IExecutionStoreAliasesSafeDispatcher, IExecutionStoreAliasesSafeDispatcherTrait,
    IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, IExecutionStoreSafeDispatcher,
    IExecutionStoreSafeDispatcherTrait, TaskStatus,
};
use hardhat_hdp::storage::result_storage_address;
use hardhat_hdp::task::{module_task, module_task_hash, request_key};
use hardhat_hdp_testing::interface::{
    IExecutionStoreMockDispatcher, IExecutionStoreMockDispatcherTrait,
    IExecutionStoreMockSafeDispatcher, IExecutionStoreMockSafeDispatcherTrait,
};
use hardhat_hdp_testing::mock::MockKind;
use hardhat_hdp_testing::{
    deploy_execution_store, deploy_execution_store_of, expect_pending, finalize_result,
    schedule_task, write_finalized_result,
};
use snforge_std::{load, start_cheat_caller_address, stop_cheat_caller_address};
use starknet::{ContractAddress, get_contract_address};

const TASK: u256 = 0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307;
const RESULT: u256 = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f;

#[test]
#[feature("safe_dispatcher")]
fn the_published_names_are_the_only_ones_unless_the_others_are_chosen() {
    let address = deployed();
    finalize_result(address, TASK, RESULT);
    let aliases = IExecutionStoreAliasesSafeDispatcher { contract_address: address };
    match aliases.getFinalizedTaskResult(TASK) {
        Result::Ok(_) => core::panic_with_felt252('answered'),
        Result::Err(panic_data) => assert_panic(panic_data, 'ENTRYPOINT_NOT_FOUND'),
    }
    match aliases.getTaskStatus(TASK) {
        Result::Ok(_) => core::panic_with_felt252('answered'),
        Result::Err(panic_data) => assert_panic(panic_data, 'ENTRYPOINT_NOT_FOUND'),
    }
}

#[test]
fn a_mock_of_execution_stores_is_read_by_both_names() {
    let address = deploy_execution_store_of(MockKind::ExecutionStore).contract_address;
    finalize_result(address, TASK, RESULT);
    assert(store_at(address).getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
    assert(aliases_at(address).getFinalizedTaskResult(TASK) == RESULT, 'result by alias');
    assert(store_at(address).getDataProcessorTaskStatus(TASK) == TaskStatus::FINALIZED, 'status');
    assert(aliases_at(address).getTaskStatus(TASK) == TaskStatus::FINALIZED, 'status by alias');
}

#[test]
fn results_of_tasks_are_apart() {
    let address = deployed();
    finalize_result(address, TASK, RESULT);
    // The other half of the hash decides too.
    let neighbour = u256 { low: TASK.low, high: TASK.high - 1 };
    finalize_result(address, neighbour, 1);
    assert(store_at(address).getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
    assert(store_at(address).getDataProcessorFinalizedTaskResult(neighbour) == 1, 'neighbour');
}

#[test]
#[feature("safe_dispatcher")]
fn an_unknown_task_is_pending() {
    let address = deployed();
    expect_pending(address, TASK);
    assert(store_at(address).getDataProcessorTaskStatus(TASK) == TaskStatus::NONE, 'status');
    let aliased = deploy_execution_store_of(MockKind::ExecutionStore).contract_address;
    let aliases = IExecutionStoreAliasesSafeDispatcher { contract_address: aliased };
    match aliases.getFinalizedTaskResult(TASK) {
        Result::Ok(_) => core::panic_with_felt252('answered'),
        Result::Err(panic_data) => assert_panic(panic_data, 'TASK_NOT_FINALIZED'),
    }
}

#[test]
fn a_scheduled_task_is_pending_and_can_be_finalized() {
    let address = deployed();
    schedule_task(address, TASK);
    expect_pending(address, TASK);
    assert(store_at(address).getDataProcessorTaskStatus(TASK) == TaskStatus::SCHEDULED, 'status');
    finalize_result(address, TASK, RESULT);
    assert(store_at(address).getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
}

#[test]
#[should_panic]
fn a_finalized_task_is_not_pending() {
    let address = deployed();
    finalize_result(address, TASK, RESULT);
    expect_pending(address, TASK);
}

#[test]
#[feature("safe_dispatcher")]
fn a_request_is_kept_under_its_own_key() {
    let address = deployed();
    let inputs = array![1, 2].span();
    store_at(address).requestDataProcessorExecutionOfTask(module_task(0xabc, inputs));
    let key = request_key(module_task(0xabc, inputs));
    assert(store_at(address).getDataProcessorTaskStatus(key) == TaskStatus::SCHEDULED, 'request');
    let hash = module_task_hash(0xabc, inputs);
    assert(store_at(address).getDataProcessorTaskStatus(hash) == TaskStatus::NONE, 'task');
    let safe = IExecutionStoreSafeDispatcher { contract_address: address };
    match safe.requestDataProcessorExecutionOfTask(module_task(0xabc, inputs)) {
        Result::Ok(_) => core::panic_with_felt252('requested twice'),
        Result::Err(panic_data) => assert_panic(panic_data, 'DOUBLE_REGISTRATION'),
    }
}

#[test]
fn a_request_of_a_finalized_key_does_not_fail() {
    let address = deployed();
    let task = module_task(0xabc, array![1, 2].span());
    finalize_result(address, request_key(task), RESULT);
    store_at(address).requestDataProcessorExecutionOfTask(task);
    assert(
        store_at(address).getDataProcessorTaskStatus(request_key(task)) == TaskStatus::FINALIZED,
        'status',
    );
}

#[test]
#[feature("safe_dispatcher")]
fn a_task_is_finalized_and_scheduled_once() {
    let address = deployed();
    finalize_result(address, TASK, RESULT);
    let safe = IExecutionStoreMockSafeDispatcher { contract_address: address };
    match safe.finalize(TASK, 1) {
        Result::Ok(_) => core::panic_with_felt252('finalized twice'),
        Result::Err(panic_data) => assert_panic(panic_data, 'TaskAlreadyFinalized'),
    }
    match safe.schedule(TASK) {
        Result::Ok(_) => core::panic_with_felt252('scheduled'),
        Result::Err(panic_data) => assert_panic(panic_data, 'DOUBLE_REGISTRATION'),
    }
    assert(store_at(address).getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
}

#[test]
fn a_written_result_is_read_as_finalized() {
    let address = deployed();
    write_finalized_result(address, TASK, RESULT);
    assert(store_at(address).getDataProcessorTaskStatus(TASK) == TaskStatus::FINALIZED, 'status');
    assert(store_at(address).getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
}

#[test]
fn a_finalized_result_is_at_its_storage_address() {
    let address = deployed();
    finalize_result(address, TASK, RESULT);
    let kept = load(address, result_storage_address(TASK), 3);
    assert(kept == array![2, RESULT.low.into(), RESULT.high.into()], 'kept');
}

#[test]
fn the_test_owns_the_mock_it_deployed() {
    let mock = deploy_execution_store();
    assert(mock.owner() == get_contract_address(), 'owner');
}

#[test]
#[feature("safe_dispatcher")]
fn only_operators_finalize_and_schedule() {
    let address = deployed();
    let stranger: ContractAddress = 'stranger'.try_into().unwrap();
    let safe = IExecutionStoreMockSafeDispatcher { contract_address: address };
    start_cheat_caller_address(address, stranger);
    match safe.finalize(TASK, RESULT) {
        Result::Ok(_) => core::panic_with_felt252('finalized'),
        Result::Err(panic_data) => assert_panic(panic_data, 'CALLER_IS_NOT_OPERATOR'),
    }
    match safe.schedule(TASK) {
        Result::Ok(_) => core::panic_with_felt252('scheduled'),
        Result::Err(panic_data) => assert_panic(panic_data, 'CALLER_IS_NOT_OPERATOR'),
    }
    match safe.set_operator(stranger, true) {
        Result::Ok(_) => core::panic_with_felt252('took over'),
        Result::Err(panic_data) => assert_panic(panic_data, 'MustBeContractOwner'),
    }
    stop_cheat_caller_address(address);
    expect_pending(address, TASK);
}

#[test]
#[feature("safe_dispatcher")]
fn the_owner_names_operators_and_dismisses_them() {
    let mock = deploy_execution_store();
    let address = mock.contract_address;
    let helper: ContractAddress = 'helper'.try_into().unwrap();
    mock.set_operator(helper, true);
    start_cheat_caller_address(address, helper);
    mock.finalize(TASK, RESULT);
    stop_cheat_caller_address(address);
    mock.set_operator(helper, false);
    start_cheat_caller_address(address, helper);
    let safe = IExecutionStoreMockSafeDispatcher { contract_address: address };
    match safe.finalize(1, RESULT) {
        Result::Ok(_) => core::panic_with_felt252('finalized'),
        Result::Err(panic_data) => assert_panic(panic_data, 'CALLER_IS_NOT_OPERATOR'),
    }
    stop_cheat_caller_address(address);
    assert(store_at(address).getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
}

fn deployed() -> ContractAddress {
    let mock: IExecutionStoreMockDispatcher = deploy_execution_store();
    mock.contract_address
}

fn store_at(contract_address: ContractAddress) -> IExecutionStoreDispatcher {
    IExecutionStoreDispatcher { contract_address }
}

fn aliases_at(contract_address: ContractAddress) -> IExecutionStoreAliasesDispatcher {
    IExecutionStoreAliasesDispatcher { contract_address }
}

fn assert_panic(panic_data: Array<felt252>, expected: felt252) {
    assert(*panic_data.at(0) == expected, *panic_data.at(0));
}
