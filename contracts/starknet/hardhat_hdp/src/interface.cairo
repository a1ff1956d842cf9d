// SPDX-License-Identifier: MIT
//! Interface of the execution store on Starknet: where finalized results of the data processor are
//! read, and of contracts that read them.

use starknet::ContractAddress;
use crate::task::HdpTask;

/// By which names a store is read.
#[derive(Copy, Drop, Serde, PartialEq, Debug, starknet::Store)]
pub enum StoreKind {
    /// `getDataProcessorFinalizedTaskResult`: all published stores.
    #[default]
    Satellite,
    /// `getFinalizedTaskResult`: no published store on Starknet.
    ExecutionStore,
}

/// Where a task stands. `NONE` is the answer for a hash the store has never seen.
#[derive(Copy, Drop, Serde, PartialEq, Debug, starknet::Store)]
pub enum TaskStatus {
    /// Never seen.
    #[default]
    NONE,
    /// Asked for, without a result yet.
    SCHEDULED,
    /// There is a result.
    FINALIZED,
}

/// What the store keeps for a task: three felts, in this order.
#[derive(Copy, Drop, Serde, PartialEq, Debug, starknet::Store)]
pub struct TaskResult {
    /// Where the task stands.
    pub status: TaskStatus,
    /// The result; 0 until the task is finalized.
    pub result: u256,
}

/// A module task as it is requested: the hash of its program and its public inputs, one felt each.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct ModuleTask {
    /// Hash of the compiled program.
    pub program_hash: u256,
    /// Public inputs, a felt in each word.
    pub inputs: Span<u256>,
}

/// What every execution store on Starknet offers to the contracts that use it.
#[starknet::interface]
pub trait IExecutionStore<TContractState> {
    /// Asks for the execution of a module task. Anyone may ask.
    /// Panics with 'DOUBLE_REGISTRATION' when the same task is already scheduled.
    ///
    /// The store keeps the request under `task::request_key`, the result under
    /// `task::module_task_hash`: two different numbers. Read by the latter.
    fn requestDataProcessorExecutionOfTask(ref self: TContractState, module_task: ModuleTask);

    /// Where the task stands.
    fn getDataProcessorTaskStatus(self: @TContractState, task_commitment: u256) -> TaskStatus;

    /// The finalized result. Panics with 'TASK_NOT_FINALIZED' when there is none.
    fn getDataProcessorFinalizedTaskResult(self: @TContractState, task_commitment: u256) -> u256;
}

/// The same two readings under the names that execution stores on EVM chains use.
#[starknet::interface]
pub trait IExecutionStoreAliases<TContractState> {
    /// `getDataProcessorTaskStatus`.
    fn getTaskStatus(self: @TContractState, task_commitment: u256) -> TaskStatus;

    /// `getDataProcessorFinalizedTaskResult`.
    fn getFinalizedTaskResult(self: @TContractState, task_commitment: u256) -> u256;
}

/// What a contract with the component says of where its results come from.
#[starknet::interface]
pub trait IResultReader<TContractState> {
    /// Returns the address of the execution store.
    fn execution_store(self: @TContractState) -> ContractAddress;

    /// Returns by which names the store is read.
    fn store_kind(self: @TContractState) -> StoreKind;

    /// Returns the task that is pinned under a name. Panics where none is.
    fn pinned_task(self: @TContractState, name: felt252) -> HdpTask;
}
