//! Interface of the execution store on Starknet: where finalized results of the data processor are
//! read.

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

/// What only the mock offers: results of your choice, without a proof.
#[starknet::interface]
pub trait IExecutionStoreMock<TContractState> {
    /// Stores a result, as the verification of a proof does on a real store.
    /// Panics with 'CALLER_IS_NOT_OPERATOR' and with 'TaskAlreadyFinalized'.
    fn finalize(ref self: TContractState, task_hash: u256, task_result: u256);

    /// Marks a task as scheduled under the hash it is read by.
    /// Panics with 'CALLER_IS_NOT_OPERATOR' and with 'DOUBLE_REGISTRATION'.
    fn schedule(ref self: TContractState, task_hash: u256);

    /// Allows or forbids an address to finalize and schedule. The owner always may.
    /// Panics with 'MustBeContractOwner'.
    fn setOperator(ref self: TContractState, operator: starknet::ContractAddress, allowed: bool);

    /// The address that the constructor was given; always an operator.
    fn owner(self: @TContractState) -> starknet::ContractAddress;
}
