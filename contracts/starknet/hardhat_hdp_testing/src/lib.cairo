// SPDX-License-Identifier: MIT
//! Starknet Foundry helpers for contracts that read results of the data processor.

use core::num::traits::Zero;
use hardhat_hdp::interface::{
    IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, IExecutionStoreSafeDispatcher,
    IExecutionStoreSafeDispatcherTrait, TaskStatus,
};
use hardhat_hdp::output::digest_of;
use hardhat_hdp::output_root::{
    root_of_digest, root_of_digest_of_bytes, root_of_felt, root_of_marked, unordered_root, word_of,
};
use hardhat_hdp::satellite::{GroupedTaskData, TaskData};
use hardhat_hdp::storage::result_storage_address;
use hardhat_hdp::task::HdpTask;
use snforge_std::{
    ContractClass, ContractClassTrait, DeclareResultTrait, EventSpy, EventSpyAssertionsTrait,
    declare, get_class_hash, map_entry_address, store,
};
use starknet::{ContractAddress, SyscallResultTrait, get_contract_address};
use crate::interface::{
    IExecutionStoreMockDispatcher, IExecutionStoreMockDispatcherTrait, IGroupedTaskFactsDispatcher,
    IGroupedTaskFactsDispatcherTrait, ITaskFactsDispatcher, ITaskFactsDispatcherTrait,
    ITaskProofsMockDispatcher, ITaskProofsMockDispatcherTrait,
};
use crate::mock::MockKind;
use crate::mock::tasks::TaskStoreComponent;
use crate::mock::tasks::TaskStoreComponent::TaskFinalized;

pub mod fact;
pub mod interface;
pub mod mock;

/// Deploys the mock of the execution store, which answers by the names of the published stores
/// alone. The test itself is its owner.
/// The project's Scarb.toml must build it: `build-external-contracts =
/// ["hardhat_hdp_testing::mock::ExecutionStoreMock"]` under `[[target.starknet-contract]]`.
pub fn deploy_execution_store() -> IExecutionStoreMockDispatcher {
    deploy_execution_store_of(MockKind::Satellite)
}

/// Deploys the mock of a kind. The test itself is its owner. The project's Scarb.toml must build
/// the contract that `MockKind` names, as `hardhat_hdp_testing::mock::SatelliteDevelopMock`.
pub fn deploy_execution_store_of(kind: MockKind) -> IExecutionStoreMockDispatcher {
    // By path: a contract of the project may have the same name.
    let path = match kind {
        MockKind::Satellite => "hardhat_hdp_testing::mock::ExecutionStoreMock",
        MockKind::SatelliteDevelop => "hardhat_hdp_testing::mock::SatelliteDevelopMock",
        MockKind::ExecutionStore => "hardhat_hdp_testing::mock::ExecutionStoreAliasesMock",
    };
    deploy_execution_store_class(declare(path).unwrap_syscall().contract_class())
}

/// Deploys the mock from a class that was declared. The test itself is its owner.
pub fn deploy_execution_store_class(class: @ContractClass) -> IExecutionStoreMockDispatcher {
    let (contract_address, _) = class
        .deploy(@array![get_contract_address().into()])
        .unwrap_syscall();
    IExecutionStoreMockDispatcher { contract_address }
}

/// Stores a result of your choice in a mock, whoever owns it and whatever caller is cheated.
pub fn finalize_result(execution_store: ContractAddress, task_hash: u256, result: u256) {
    set_open(execution_store, true);
    IExecutionStoreMockDispatcher { contract_address: execution_store }.finalize(task_hash, result);
    set_open(execution_store, false);
}

/// Stores in a mock a value of your choice as the result of a task, in the task's form.
pub fn finalize_value(execution_store: ContractAddress, task: HdpTask, value: u256) {
    finalize_result(execution_store, task.hash, word_of(task.form, value));
}

/// Stores in a mock that a module returned one felt.
pub fn finalize_felt(execution_store: ContractAddress, task_hash: u256, felt: felt252) {
    finalize_result(execution_store, task_hash, root_of_felt(felt));
}

/// Stores in a mock that a module returned values marked by their places.
pub fn finalize_marked(execution_store: ContractAddress, task_hash: u256, values: Span<u128>) {
    finalize_result(execution_store, task_hash, root_of_marked(values));
}

/// Stores in a mock that a module returned the digest of these words.
pub fn finalize_digest(execution_store: ContractAddress, task_hash: u256, words: Span<u256>) {
    finalize_result(execution_store, task_hash, root_of_digest(words));
}

/// Stores in a mock that a module returned the digest of these bytes: the answer of a view call.
pub fn finalize_digest_of_bytes(
    execution_store: ContractAddress, task_hash: u256, bytes: @ByteArray,
) {
    finalize_result(execution_store, task_hash, root_of_digest_of_bytes(bytes));
}

/// Stores in a mock that a module returned the digest of a value of any type, by its Serde form.
pub fn finalize_digest_of<T, +Serde<T>>(
    execution_store: ContractAddress, task_hash: u256, value: @T,
) {
    finalize_felt(execution_store, task_hash, digest_of(value));
}

/// Stores in a mock what a module returned, felt by felt: the root over them, which does not fix
/// their order.
pub fn finalize_output(execution_store: ContractAddress, task_hash: u256, felts: Span<felt252>) {
    finalize_result(execution_store, task_hash, unordered_root(felts));
}

/// Makes an execution a fact in a mock and authorizes its program, so that
/// `authenticateDataProcessorTaskExecution` accepts it. The roots of its MMRs must be set: see
/// `ITaskProofsMock`.
pub fn prove_execution(execution_store: ContractAddress, task_data: TaskData) {
    let facts = ITaskFactsDispatcher { contract_address: execution_store };
    register(execution_store, task_data.program_hash, facts.fact_hash_of(task_data));
}

/// Makes an execution a fact in a mock of the development branch and authorizes its program.
pub fn prove_grouped_execution(execution_store: ContractAddress, task_data: GroupedTaskData) {
    let facts = IGroupedTaskFactsDispatcher { contract_address: execution_store };
    register(execution_store, task_data.program_hash, facts.fact_hash_of(task_data));
}

/// Marks a task as scheduled in a mock: known to the store, and not yet readable.
pub fn schedule_task(execution_store: ContractAddress, task_hash: u256) {
    set_open(execution_store, true);
    IExecutionStoreMockDispatcher { contract_address: execution_store }.schedule(task_hash);
    set_open(execution_store, false);
}

/// Fails the test unless the store has no result of this task yet, in its status and in its answer.
#[feature("safe_dispatcher")]
pub fn expect_pending(execution_store: ContractAddress, task_hash: u256) {
    let status = IExecutionStoreDispatcher { contract_address: execution_store }
        .getDataProcessorTaskStatus(task_hash);
    assert!(status != TaskStatus::FINALIZED, "task 0x{task_hash:x} is finalized");
    let safe = IExecutionStoreSafeDispatcher { contract_address: execution_store };
    match safe.getDataProcessorFinalizedTaskResult(task_hash) {
        Result::Ok(word) => panic!("task 0x{task_hash:x} is not finalized, and reads as {word}"),
        Result::Err(panic_data) => assert(
            *panic_data.at(0) == TaskStoreComponent::Errors::NOT_FINALIZED, *panic_data.at(0),
        ),
    }
}

/// Fails the test unless the store has this result of the task.
pub fn expect_finalized(execution_store: ContractAddress, task_hash: u256, result: u256) {
    let store = IExecutionStoreDispatcher { contract_address: execution_store };
    let status = store.getDataProcessorTaskStatus(task_hash);
    assert!(status == TaskStatus::FINALIZED, "task 0x{task_hash:x} is not finalized");
    let kept = store.getDataProcessorFinalizedTaskResult(task_hash);
    assert!(kept == result, "the result of task 0x{task_hash:x} is {kept}, not {result}");
}

/// Fails the test unless the store has emitted `TaskFinalized` with this result since the spy
/// began.
pub fn expect_finalized_event(
    ref spy: EventSpy, execution_store: ContractAddress, task_hash: u256, task_result: u256,
) {
    let event = TaskStoreComponent::Event::TaskFinalized(TaskFinalized { task_hash, task_result });
    spy.assert_emitted(@array![(execution_store, event)]);
}

/// Lets an address answer for one task with `result`, as often as it is asked. Where there is no
/// contract, the mock is deployed there; into another store, such as the real one on a fork, the
/// result is written.
pub fn mock_result(execution_store: ContractAddress, task_hash: u256, result: u256) {
    if get_class_hash(execution_store).is_zero() {
        let class = declare("hardhat_hdp_testing::mock::ExecutionStoreMock").unwrap_syscall();
        let owner = array![get_contract_address().into()];
        class.contract_class().deploy_at(@owner, execution_store).unwrap_syscall();
    }
    write_finalized_result(execution_store, task_hash, result);
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

/// Registers a fact and authorizes a program, whoever owns the mock and whatever caller is cheated.
fn register(execution_store: ContractAddress, program_hash: felt252, fact_hash: felt252) {
    let program = map_entry_address(
        selector!("authorizedProgramHashes"), array![program_hash].span(),
    );
    store(execution_store, program, array![1].span());
    set_open(execution_store, true);
    ITaskProofsMockDispatcher { contract_address: execution_store }.register_fact(fact_hash);
    set_open(execution_store, false);
}

/// Lets anyone finalize in a mock, or its operators alone.
fn set_open(execution_store: ContractAddress, is_open: bool) {
    store(execution_store, selector!("mock_is_open"), array![is_open.into()].span());
}
