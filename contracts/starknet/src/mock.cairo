//! A mock of the execution store: the entry points, panics, events and storage of the real one, and
//! results that its operators choose. Nothing is proved; never deploy it where results matter.

/// The contract. Its constructor takes the owner.
#[starknet::contract]
pub mod ExecutionStoreMock {
    use starknet::storage::{
        Map, StoragePathEntry, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use starknet::{ContractAddress, get_caller_address};
    use crate::interface::{
        IExecutionStore, IExecutionStoreAliases, IExecutionStoreMock, ModuleTask, TaskResult,
        TaskStatus,
    };
    use crate::task::request_key;

    #[storage]
    struct Storage {
        // The name and the types are those of the real store, so that results are at the same
        // storage addresses.
        cachedTasksResult: Map<u256, TaskResult>,
        mockOwner: ContractAddress,
        mockOperators: Map<ContractAddress, bool>,
    }

    /// A request of a task that has a result already.
    #[derive(Drop, starknet::Event)]
    pub struct TaskAlreadyStored {
        /// Key of the request, see `task::request_key`.
        pub task_commitment: u256,
    }

    /// A task was asked for.
    #[derive(Drop, starknet::Event)]
    pub struct ModuleTaskScheduled {
        /// The task.
        pub module_task: ModuleTask,
    }

    /// A result was stored.
    #[derive(Drop, starknet::Event)]
    pub struct TaskFinalized {
        /// Hash of the task.
        pub task_hash: u256,
        /// Its result.
        pub task_result: u256,
    }

    /// What the store announces; nothing of it is a key.
    #[event]
    #[derive(Drop, starknet::Event)]
    pub enum Event {
        /// A request of a task that has a result already.
        TaskAlreadyStored: TaskAlreadyStored,
        /// A task was asked for.
        ModuleTaskScheduled: ModuleTaskScheduled,
        /// A result was stored.
        TaskFinalized: TaskFinalized,
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
                self.emit(Event::TaskAlreadyStored(TaskAlreadyStored { task_commitment }));
            } else {
                mark_scheduled(ref self, task_commitment);
                self.emit(Event::ModuleTaskScheduled(ModuleTaskScheduled { module_task }));
            }
        }

        fn getDataProcessorTaskStatus(self: @ContractState, task_commitment: u256) -> TaskStatus {
            self.cachedTasksResult.entry(task_commitment).status.read()
        }

        fn getDataProcessorFinalizedTaskResult(
            self: @ContractState, task_commitment: u256,
        ) -> u256 {
            let stored = self.cachedTasksResult.entry(task_commitment).read();
            assert(stored.status == TaskStatus::FINALIZED, 'TASK_NOT_FINALIZED');
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
            assert_operator(@self);
            let stored = self.cachedTasksResult.entry(task_hash);
            assert(stored.status.read() != TaskStatus::FINALIZED, 'TaskAlreadyFinalized');
            stored.write(TaskResult { status: TaskStatus::FINALIZED, result: task_result });
            self.emit(Event::TaskFinalized(TaskFinalized { task_hash, task_result }));
        }

        fn schedule(ref self: ContractState, task_hash: u256) {
            assert_operator(@self);
            mark_scheduled(ref self, task_hash);
        }

        fn setOperator(ref self: ContractState, operator: ContractAddress, allowed: bool) {
            assert(get_caller_address() == self.mockOwner.read(), 'MustBeContractOwner');
            self.mockOperators.entry(operator).write(allowed);
        }

        fn owner(self: @ContractState) -> ContractAddress {
            self.mockOwner.read()
        }
    }

    fn assert_operator(self: @ContractState) {
        let caller = get_caller_address();
        let allowed = caller == self.mockOwner.read() || self.mockOperators.entry(caller).read();
        assert(allowed, 'CALLER_IS_NOT_OPERATOR');
    }

    fn mark_scheduled(ref self: ContractState, task_hash: u256) {
        let stored = self.cachedTasksResult.entry(task_hash);
        assert(stored.status.read() == TaskStatus::NONE, 'DOUBLE_REGISTRATION');
        stored.write(TaskResult { status: TaskStatus::SCHEDULED, result: 0 });
    }
}
