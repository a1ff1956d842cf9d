//! A component for contracts that read results of the data processor.

use starknet::ContractAddress;
use crate::interface::StoreKind;

/// What a contract with the component says of where its results come from.
#[starknet::interface]
pub trait IResultReader<TContractState> {
    /// Returns the address of the execution store.
    fn execution_store(self: @TContractState) -> ContractAddress;

    /// Returns by which names the store is read.
    fn store_kind(self: @TContractState) -> StoreKind;

    /// Returns the task hash that is pinned under a name; 0 where none is.
    fn pinned_task(self: @TContractState, name: felt252) -> u256;
}

/// # ResultReader component
///
/// Reads results of the data processor from an execution store: under a hash that was pinned
/// beforehand, or that the contract derives from what the task computes.
///
/// `initializer` belongs into the constructor, with the store's address. A hash never comes from
/// the caller, who could then choose the answer: pin it in the constructor, or derive it.
#[starknet::component]
pub mod ResultReaderComponent {
    use core::num::traits::Zero;
    use starknet::ContractAddress;
    use starknet::storage::{
        Map, StorageMapReadAccess, StorageMapWriteAccess, StoragePointerReadAccess,
        StoragePointerWriteAccess,
    };
    use crate::datalake::{Compute, Datalake, datalake_task_hash};
    use crate::interface::{
        IExecutionStoreAliasesDispatcher, IExecutionStoreAliasesDispatcherTrait,
        IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, StoreKind, TaskStatus,
    };
    use crate::output_root::assert_output;
    use crate::task::module_task_hash;
    use super::IResultReader;

    /// What the component keeps, in the contract's own storage.
    #[storage]
    pub struct Storage {
        /// Address of the execution store.
        pub ResultReader_store: ContractAddress,
        /// By which names it is read.
        pub ResultReader_kind: StoreKind,
        /// Task hashes by name.
        pub ResultReader_tasks: Map<felt252, u256>,
    }

    /// What the component announces.
    #[event]
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub enum Event {
        /// Another store is read from now on.
        ExecutionStoreSet: ExecutionStoreSet,
        /// A name has a task from now on.
        TaskPinned: TaskPinned,
    }

    /// Emitted when results are read from `execution_store` from now on.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct ExecutionStoreSet {
        /// Address of the store.
        #[key]
        pub execution_store: ContractAddress,
        /// By which names it is read.
        pub kind: StoreKind,
    }

    /// Emitted when `name` means the task of `task_hash` from now on.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct TaskPinned {
        /// The contract's own name for the task.
        #[key]
        pub name: felt252,
        /// Hash of the task.
        pub task_hash: u256,
    }

    /// What the component panics with.
    pub mod Errors {
        /// The store's address is 0.
        pub const ZERO_STORE: felt252 = 'ResultReader: store is zero';
        /// `initializer` was not called.
        pub const NO_STORE: felt252 = 'ResultReader: no store';
        /// The task hash is 0.
        pub const ZERO_TASK: felt252 = 'ResultReader: task is zero';
        /// Nothing is pinned under the name.
        pub const NOT_PINNED: felt252 = 'ResultReader: task not pinned';
    }

    #[embeddable_as(ResultReaderImpl)]
    impl ResultReader<
        TContractState, +HasComponent<TContractState>,
    > of IResultReader<ComponentState<TContractState>> {
        fn execution_store(self: @ComponentState<TContractState>) -> ContractAddress {
            self.ResultReader_store.read()
        }

        fn store_kind(self: @ComponentState<TContractState>) -> StoreKind {
            self.ResultReader_kind.read()
        }

        fn pinned_task(self: @ComponentState<TContractState>, name: felt252) -> u256 {
            self.ResultReader_tasks.read(name)
        }
    }

    /// What a contract calls on its component: nobody outside can.
    #[generate_trait]
    pub impl InternalImpl<
        TContractState, +HasComponent<TContractState>,
    > of InternalTrait<TContractState> {
        /// Sets the store that results are read from.
        ///
        /// Requirements:
        ///
        /// - `execution_store` is not the zero address.
        ///
        /// Emits an `ExecutionStoreSet` event.
        fn initializer(
            ref self: ComponentState<TContractState>,
            execution_store: ContractAddress,
            kind: StoreKind,
        ) {
            assert(execution_store.is_non_zero(), Errors::ZERO_STORE);
            self.ResultReader_store.write(execution_store);
            self.ResultReader_kind.write(kind);
            self.emit(ExecutionStoreSet { execution_store, kind });
        }

        /// Gives a task a name of the contract's own, in place of one that it had.
        ///
        /// Requirements:
        ///
        /// - `task_hash` is not 0.
        ///
        /// Emits a `TaskPinned` event.
        fn pin_task(ref self: ComponentState<TContractState>, name: felt252, task_hash: u256) {
            assert(task_hash.is_non_zero(), Errors::ZERO_TASK);
            self.ResultReader_tasks.write(name, task_hash);
            self.emit(TaskPinned { name, task_hash });
        }

        /// Returns the result of a pinned task.
        ///
        /// Requirements:
        ///
        /// - A task is pinned under `name`, and it is finalized.
        fn read_pinned(self: @ComponentState<TContractState>, name: felt252) -> u256 {
            self.read_result(self.required_task(name))
        }

        /// Returns the result of a datalake task.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn read_datalake(
            self: @ComponentState<TContractState>, datalake: Datalake, compute: Compute,
        ) -> u256 {
            self.read_result(datalake_task_hash(datalake, compute))
        }

        /// Returns what the store keeps for a module task: the root over the felts that it
        /// returned.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn read_module(
            self: @ComponentState<TContractState>,
            program_hash: felt252,
            public_inputs: Span<felt252>,
        ) -> u256 {
            self.read_result(module_task_hash(program_hash, public_inputs))
        }

        /// Panics unless a module task returned these felts.
        ///
        /// Requirements:
        ///
        /// - The task is finalized, and `felts` are its output.
        fn assert_module_output(
            self: @ComponentState<TContractState>,
            program_hash: felt252,
            public_inputs: Span<felt252>,
            felts: Span<felt252>,
        ) {
            assert_output(self.read_module(program_hash, public_inputs), felts);
        }

        /// Panics unless the module task that is pinned under `name` returned these felts.
        ///
        /// Requirements:
        ///
        /// - A task is pinned under `name`, it is finalized, and `felts` are its output.
        fn assert_pinned_output(
            self: @ComponentState<TContractState>, name: felt252, felts: Span<felt252>,
        ) {
            assert_output(self.read_pinned(name), felts);
        }

        /// Returns the result of a task by its hash, from either kind of store.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn read_result(self: @ComponentState<TContractState>, task_hash: u256) -> u256 {
            let contract_address = self.required_store();
            match self.ResultReader_kind.read() {
                StoreKind::Satellite => IExecutionStoreDispatcher { contract_address }
                    .getDataProcessorFinalizedTaskResult(task_hash),
                StoreKind::ExecutionStore => IExecutionStoreAliasesDispatcher { contract_address }
                    .getFinalizedTaskResult(task_hash),
            }
        }

        /// Returns whether a task has a result.
        fn is_finalized(self: @ComponentState<TContractState>, task_hash: u256) -> bool {
            let contract_address = self.required_store();
            let status = match self.ResultReader_kind.read() {
                StoreKind::Satellite => IExecutionStoreDispatcher { contract_address }
                    .getDataProcessorTaskStatus(task_hash),
                StoreKind::ExecutionStore => IExecutionStoreAliasesDispatcher { contract_address }
                    .getTaskStatus(task_hash),
            };
            status == TaskStatus::FINALIZED
        }

        /// Returns the store's address.
        ///
        /// Requirements:
        ///
        /// - `initializer` was called.
        fn required_store(self: @ComponentState<TContractState>) -> ContractAddress {
            let store = self.ResultReader_store.read();
            assert(store.is_non_zero(), Errors::NO_STORE);
            store
        }

        /// Returns the task hash that is pinned under a name.
        ///
        /// Requirements:
        ///
        /// - A task is pinned under `name`.
        fn required_task(self: @ComponentState<TContractState>, name: felt252) -> u256 {
            let task_hash = self.ResultReader_tasks.read(name);
            assert(task_hash.is_non_zero(), Errors::NOT_PINNED);
            task_hash
        }
    }
}
