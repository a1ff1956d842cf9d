//! A mock of the execution store: the entry points, panics, events and storage of the real one, and
//! results that its operators choose. Nothing is proved; never deploy it where results matter.

use starknet::ContractAddress;

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
    fn setOperator(ref self: TContractState, operator: ContractAddress, allowed: bool);

    /// The address that the constructor was given; always an operator.
    fn owner(self: @TContractState) -> ContractAddress;
}

/// The contract. Its constructor takes the owner.
#[starknet::contract]
pub mod ExecutionStoreMock {
    use hardhat_hdp::interface::{
        IExecutionStore, IExecutionStoreAliases, ModuleTask, TaskResult, TaskStatus,
    };
    use hardhat_hdp::task::request_key;
    use starknet::storage::{
        Map, StoragePathEntry, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use starknet::{ContractAddress, get_caller_address};
    use super::IExecutionStoreMock;

    #[storage]
    struct Storage {
        // The name and the types are those of the real store, so that results are at the same
        // storage addresses.
        cachedTasksResult: Map<u256, TaskResult>,
        mockOwner: ContractAddress,
        mockOperators: Map<ContractAddress, bool>,
        // Whether anyone may finalize and schedule. Nothing here sets it: helpers of tests do, in
        // the storage, so that they work whatever caller a test cheats.
        mockIsOpen: bool,
    }

    /// A request of a task that has a result already.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct TaskAlreadyStored {
        /// Key of the request, see `task::request_key`.
        pub task_commitment: u256,
    }

    /// A task was asked for.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct ModuleTaskScheduled {
        /// The task.
        pub module_task: ModuleTask,
    }

    /// A result was stored.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct TaskFinalized {
        /// Hash of the task.
        pub task_hash: u256,
        /// Its result.
        pub task_result: u256,
    }

    /// What the store announces; nothing of it is a key.
    #[event]
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub enum Event {
        /// A request of a task that has a result already.
        TaskAlreadyStored: TaskAlreadyStored,
        /// A task was asked for.
        ModuleTaskScheduled: ModuleTaskScheduled,
        /// A result was stored.
        TaskFinalized: TaskFinalized,
    }

    /// What the store panics with: the real store's words, and those of the mock's own rules.
    pub mod Errors {
        /// There is no result to read.
        pub const NOT_FINALIZED: felt252 = 'TASK_NOT_FINALIZED';
        /// The task is known already.
        pub const DOUBLE_REGISTRATION: felt252 = 'DOUBLE_REGISTRATION';
        /// The task has a result already.
        pub const ALREADY_FINALIZED: felt252 = 'TaskAlreadyFinalized';
        /// The caller may not finalize.
        pub const NOT_OPERATOR: felt252 = 'CALLER_IS_NOT_OPERATOR';
        /// The caller does not own the mock.
        pub const NOT_OWNER: felt252 = 'MustBeContractOwner';
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress) {
        self.mockOwner.write(owner);
    }

    #[abi(embed_v0)]
    impl ExecutionStoreImpl of IExecutionStore<ContractState> {
        fn requestDataProcessorExecutionOfTask(ref self: ContractState, module_task: ModuleTask) {
            let task_commitment = request_key(module_task);
            let status = self.cachedTasksResult.entry(task_commitment).status.read();
            if status == TaskStatus::FINALIZED {
                self.emit(TaskAlreadyStored { task_commitment });
            } else {
                self.mark_scheduled(task_commitment);
                self.emit(ModuleTaskScheduled { module_task });
            }
        }

        fn getDataProcessorTaskStatus(self: @ContractState, task_commitment: u256) -> TaskStatus {
            self.cachedTasksResult.entry(task_commitment).status.read()
        }

        fn getDataProcessorFinalizedTaskResult(
            self: @ContractState, task_commitment: u256,
        ) -> u256 {
            let stored = self.cachedTasksResult.entry(task_commitment).read();
            assert(stored.status == TaskStatus::FINALIZED, Errors::NOT_FINALIZED);
            stored.result
        }
    }

    #[abi(embed_v0)]
    impl ExecutionStoreAliasesImpl of IExecutionStoreAliases<ContractState> {
        fn getTaskStatus(self: @ContractState, task_commitment: u256) -> TaskStatus {
            ExecutionStoreImpl::getDataProcessorTaskStatus(self, task_commitment)
        }

        fn getFinalizedTaskResult(self: @ContractState, task_commitment: u256) -> u256 {
            ExecutionStoreImpl::getDataProcessorFinalizedTaskResult(self, task_commitment)
        }
    }

    #[abi(embed_v0)]
    impl ExecutionStoreMockImpl of IExecutionStoreMock<ContractState> {
        fn finalize(ref self: ContractState, task_hash: u256, task_result: u256) {
            self.assert_only_operator();
            let stored = self.cachedTasksResult.entry(task_hash);
            assert(stored.status.read() != TaskStatus::FINALIZED, Errors::ALREADY_FINALIZED);
            stored.write(TaskResult { status: TaskStatus::FINALIZED, result: task_result });
            self.emit(TaskFinalized { task_hash, task_result });
        }

        fn schedule(ref self: ContractState, task_hash: u256) {
            self.assert_only_operator();
            self.mark_scheduled(task_hash);
        }

        fn setOperator(ref self: ContractState, operator: ContractAddress, allowed: bool) {
            assert(get_caller_address() == self.mockOwner.read(), Errors::NOT_OWNER);
            self.mockOperators.entry(operator).write(allowed);
        }

        fn owner(self: @ContractState) -> ContractAddress {
            self.mockOwner.read()
        }
    }

    #[generate_trait]
    impl InternalImpl of InternalTrait {
        /// Marks a task as scheduled, whoever calls.
        ///
        /// Requirements:
        ///
        /// - The store does not know the task yet.
        fn mark_scheduled(ref self: ContractState, task_hash: u256) {
            let stored = self.cachedTasksResult.entry(task_hash);
            assert(stored.status.read() == TaskStatus::NONE, Errors::DOUBLE_REGISTRATION);
            stored.write(TaskResult { status: TaskStatus::SCHEDULED, result: 0 });
        }

        /// Panics unless an operator calls.
        fn assert_only_operator(self: @ContractState) {
            let caller = get_caller_address();
            let allowed = caller == self.mockOwner.read()
                || self.mockOperators.entry(caller).read()
                || self.mockIsOpen.read();
            assert(allowed, Errors::NOT_OPERATOR);
        }
    }
}
