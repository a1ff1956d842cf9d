// SPDX-License-Identifier: MIT
//! The part of the mocks that keeps tasks: requests, statuses, results, and who may finalize.

/// # TaskStore component
///
/// Has the entry points, panics, events and storage of a satellite for what contracts request and
/// read, and stores results that its operators choose. `initializer` belongs into the constructor.
#[starknet::component]
pub mod TaskStoreComponent {
    use hardhat_hdp::interface::{
        IExecutionStore, IExecutionStoreAliases, ModuleTask, TaskResult, TaskStatus,
    };
    use hardhat_hdp::task::request_key;
    use starknet::storage::{
        Map, StoragePathEntry, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use starknet::{ContractAddress, get_caller_address};
    use crate::interface::IExecutionStoreMock;

    /// What the component keeps.
    #[storage]
    pub struct Storage {
        /// Results by task hash. The name and the types are those of the real store, so that
        /// results are at the same storage addresses.
        pub cachedTasksResult: Map<u256, TaskResult>,
        /// The owner.
        pub mock_owner: ContractAddress,
        /// Operators besides the owner.
        pub mock_operators: Map<ContractAddress, bool>,
        /// Whether everyone is an operator. Nothing here sets it: helpers of tests do, in the
        /// storage, so that they work whatever caller a test cheats.
        pub mock_is_open: bool,
    }

    /// What the component announces; nothing of it is a key.
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

    /// What the component panics with: the real store's words, and those of the mock's own rules.
    pub mod Errors {
        /// There is no result to read. The mock panics with the task hash after it.
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

    /// Panics with the real store's word, and after it with the hash, so that a failed test shows
    /// which task was asked for: first its upper, then its lower half, as the digits of the hash.
    fn panic_not_finalized(task_hash: u256) {
        panic(array![Errors::NOT_FINALIZED, task_hash.high.into(), task_hash.low.into()])
    }

    #[embeddable_as(ExecutionStoreImpl)]
    pub impl ExecutionStore<
        TContractState, +HasComponent<TContractState>, +Drop<TContractState>,
    > of IExecutionStore<ComponentState<TContractState>> {
        fn requestDataProcessorExecutionOfTask(
            ref self: ComponentState<TContractState>, module_task: ModuleTask,
        ) {
            let task_commitment = request_key(module_task);
            let status = self.cachedTasksResult.entry(task_commitment).status.read();
            if status == TaskStatus::FINALIZED {
                self.emit(TaskAlreadyStored { task_commitment });
            } else {
                self.mark_scheduled(task_commitment);
                self.emit(ModuleTaskScheduled { module_task });
            }
        }

        fn getDataProcessorTaskStatus(
            self: @ComponentState<TContractState>, task_commitment: u256,
        ) -> TaskStatus {
            self.cachedTasksResult.entry(task_commitment).status.read()
        }

        fn getDataProcessorFinalizedTaskResult(
            self: @ComponentState<TContractState>, task_commitment: u256,
        ) -> u256 {
            let stored = self.cachedTasksResult.entry(task_commitment).read();
            if stored.status != TaskStatus::FINALIZED {
                panic_not_finalized(task_commitment);
            }
            stored.result
        }
    }

    #[embeddable_as(ExecutionStoreAliasesImpl)]
    pub impl ExecutionStoreAliases<
        TContractState, +HasComponent<TContractState>, +Drop<TContractState>,
    > of IExecutionStoreAliases<ComponentState<TContractState>> {
        fn getTaskStatus(
            self: @ComponentState<TContractState>, task_commitment: u256,
        ) -> TaskStatus {
            ExecutionStore::getDataProcessorTaskStatus(self, task_commitment)
        }

        fn getFinalizedTaskResult(
            self: @ComponentState<TContractState>, task_commitment: u256,
        ) -> u256 {
            ExecutionStore::getDataProcessorFinalizedTaskResult(self, task_commitment)
        }
    }

    #[embeddable_as(ExecutionStoreMockImpl)]
    pub impl ExecutionStoreMock<
        TContractState, +HasComponent<TContractState>, +Drop<TContractState>,
    > of IExecutionStoreMock<ComponentState<TContractState>> {
        fn finalize(ref self: ComponentState<TContractState>, task_hash: u256, task_result: u256) {
            self.assert_only_operator();
            self.assert_not_finalized(task_hash);
            self.write_result(task_hash, task_result);
        }

        fn schedule(ref self: ComponentState<TContractState>, task_hash: u256) {
            self.assert_only_operator();
            self.mark_scheduled(task_hash);
        }

        fn set_operator(
            ref self: ComponentState<TContractState>, operator: ContractAddress, allowed: bool,
        ) {
            assert(get_caller_address() == self.mock_owner.read(), Errors::NOT_OWNER);
            self.mock_operators.entry(operator).write(allowed);
        }

        fn owner(self: @ComponentState<TContractState>) -> ContractAddress {
            self.mock_owner.read()
        }
    }

    /// For the contract and its other components.
    #[generate_trait]
    pub impl InternalImpl<
        TContractState, +HasComponent<TContractState>, +Drop<TContractState>,
    > of InternalTrait<TContractState> {
        /// Sets the owner.
        fn initializer(ref self: ComponentState<TContractState>, owner: ContractAddress) {
            self.mock_owner.write(owner);
        }

        /// Panics with 'TaskAlreadyFinalized' if the task has a result.
        #[inline(never)]
        fn assert_not_finalized(self: @ComponentState<TContractState>, task_hash: u256) {
            let status = self.cachedTasksResult.entry(task_hash).status.read();
            assert(status != TaskStatus::FINALIZED, Errors::ALREADY_FINALIZED);
        }

        /// Stores a result and announces it, whoever calls.
        #[inline(never)]
        fn write_result(
            ref self: ComponentState<TContractState>, task_hash: u256, task_result: u256,
        ) {
            let result = TaskResult { status: TaskStatus::FINALIZED, result: task_result };
            self.cachedTasksResult.entry(task_hash).write(result);
            self.emit(TaskFinalized { task_hash, task_result });
        }

        /// Marks a task as scheduled, whoever calls. Panics with 'DOUBLE_REGISTRATION' if the store
        /// knows the task already.
        fn mark_scheduled(ref self: ComponentState<TContractState>, task_hash: u256) {
            let stored = self.cachedTasksResult.entry(task_hash);
            assert(stored.status.read() == TaskStatus::NONE, Errors::DOUBLE_REGISTRATION);
            stored.write(TaskResult { status: TaskStatus::SCHEDULED, result: 0 });
        }

        /// Panics with 'CALLER_IS_NOT_OPERATOR' unless an operator calls.
        #[inline(never)]
        fn assert_only_operator(self: @ComponentState<TContractState>) {
            let caller = get_caller_address();
            let allowed = caller == self.mock_owner.read()
                || self.mock_operators.entry(caller).read()
                || self.mock_is_open.read();
            assert(allowed, Errors::NOT_OPERATOR);
        }
    }
}
