// SPDX-License-Identifier: MIT
//! A component for contracts that read results of the data processor.

/// # ResultReader component
///
/// Checks values against results of the data processor in an execution store: somebody brings the
/// value, and the contract requires that it is the stored one of its task.
///
/// `initializer` belongs into the constructor, with the store's address. Neither a task's hash nor
/// its form ever comes from the caller, who could then choose the answer: pin the task in the
/// constructor, or derive its hash.
///
/// The word that is stored for a module is a root that does not fix the order of felts, so there is
/// a function for each form that does: `require_felt`, `require_marked`, `require_digest`.
#[starknet::component]
pub mod ResultReaderComponent {
    use core::num::traits::Zero;
    use starknet::ContractAddress;
    use starknet::storage::{
        Map, StorageMapReadAccess, StorageMapWriteAccess, StoragePointerReadAccess,
        StoragePointerWriteAccess,
    };
    use crate::interface::{
        IExecutionStoreAliasesSafeDispatcher, IExecutionStoreAliasesSafeDispatcherTrait,
        IExecutionStoreSafeDispatcher, IExecutionStoreSafeDispatcherTrait, IResultReader, StoreKind,
        TaskStatus,
    };
    use crate::output::digest_of;
    use crate::output_root::{
        root_of_digest, root_of_digest_of_bytes, root_of_felt, root_of_marked, word_of,
    };
    use crate::task::{HdpTask, module_task, module_task_hash};

    /// What the component keeps, in the contract's own storage.
    #[storage]
    pub struct Storage {
        /// Address of the execution store.
        pub ResultReader_store: ContractAddress,
        /// By which names it is read.
        pub ResultReader_kind: StoreKind,
        /// Tasks by name.
        pub ResultReader_tasks: Map<felt252, HdpTask>,
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

    /// Emitted when `name` means `task` from now on, and no longer `previous`.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct TaskPinned {
        /// The contract's own name for the task.
        #[key]
        pub name: felt252,
        /// Hash and form of the task.
        pub task: HdpTask,
        /// The task that the name had; nothing where it had none.
        pub previous: Option<HdpTask>,
    }

    /// What the component panics with.
    pub mod Errors {
        /// The store's address is 0.
        pub const ZERO_STORE: felt252 = 'ResultReader: store is zero';
        /// `initializer` was called before.
        pub const INITIALIZED: felt252 = 'ResultReader: initialized';
        /// `initializer` was not called.
        pub const NO_STORE: felt252 = 'ResultReader: no store';
        /// The task hash is 0.
        pub const ZERO_TASK: felt252 = 'ResultReader: task is zero';
        /// Nothing is pinned under the name.
        pub const NOT_PINNED: felt252 = 'ResultReader: task not pinned';
        /// Another task is pinned under the name.
        pub const ALREADY_PINNED: felt252 = 'ResultReader: already pinned';
        /// The store is not read by the names of its kind.
        pub const WRONG_KIND: felt252 = 'ResultReader: wrong store kind';
        /// The value is not the stored one, or its root is not. In tests `finalize_value`,
        /// `finalize_felt` and so on of `hardhat_hdp_testing` store the root of a value.
        pub const WRONG_VALUE: felt252 = 'ResultReader: wrong value';
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

        fn pinned_task(self: @ComponentState<TContractState>, name: felt252) -> HdpTask {
            self.task(name)
        }
    }

    /// What a contract calls on its component: nobody outside can.
    #[generate_trait]
    pub impl InternalImpl<
        TContractState, +HasComponent<TContractState>,
    > of InternalTrait<TContractState> {
        /// Sets the store that results are read from, once. It is read by the names of all
        /// published stores; `set_execution_store` sets one of another kind.
        ///
        /// Requirements:
        ///
        /// - `initializer` was not called before.
        /// - `execution_store` is not the zero address.
        ///
        /// Emits an `ExecutionStoreSet` event.
        fn initializer(ref self: ComponentState<TContractState>, execution_store: ContractAddress) {
            assert(self.ResultReader_store.read().is_zero(), Errors::INITIALIZED);
            self.set_execution_store(execution_store, StoreKind::Satellite);
        }

        /// Sets another store: who may choose it chooses all results.
        ///
        /// Requirements:
        ///
        /// - `execution_store` is not the zero address.
        ///
        /// Emits an `ExecutionStoreSet` event.
        fn set_execution_store(
            ref self: ComponentState<TContractState>,
            execution_store: ContractAddress,
            kind: StoreKind,
        ) {
            assert(execution_store.is_non_zero(), Errors::ZERO_STORE);
            self.ResultReader_store.write(execution_store);
            self.ResultReader_kind.write(kind);
            self.emit(ExecutionStoreSet { execution_store, kind });
        }

        /// Gives a task a name of the contract's own.
        ///
        /// Requirements:
        ///
        /// - The task's hash is not 0.
        /// - The name has no task.
        ///
        /// Emits a `TaskPinned` event.
        fn pin_task(ref self: ComponentState<TContractState>, name: felt252, task: HdpTask) {
            assert(self.ResultReader_tasks.read(name).hash.is_zero(), Errors::ALREADY_PINNED);
            self.write_task(name, task, Option::None);
        }

        /// Gives a name another task than it has.
        ///
        /// Requirements:
        ///
        /// - The task's hash is not 0.
        /// - A task is pinned under `name`.
        ///
        /// Emits a `TaskPinned` event.
        fn replace_task(ref self: ComponentState<TContractState>, name: felt252, task: HdpTask) {
            self.write_task(name, task, Option::Some(self.task(name)));
        }

        /// Returns the task that is pinned under a name.
        ///
        /// Requirements:
        ///
        /// - A task is pinned under `name`.
        fn task(self: @ComponentState<TContractState>, name: felt252) -> HdpTask {
            let task = self.ResultReader_tasks.read(name);
            assert(task.hash.is_non_zero(), Errors::NOT_PINNED);
            task
        }

        /// Returns whether the task that is pinned under a name has a result.
        ///
        /// Requirements:
        ///
        /// - A task is pinned under `name`.
        fn is_pinned_finalized(self: @ComponentState<TContractState>, name: felt252) -> bool {
            self.is_finalized(self.task(name).hash)
        }

        /// Panics unless `value` is the result of a task, in the task's form.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn require_value(self: @ComponentState<TContractState>, task: HdpTask, value: u256) {
            self.require_word(task.hash, word_of(task.form, value));
        }

        /// Returns whether `require_value` accepts, and nothing while the task is not finalized.
        fn try_value(
            self: @ComponentState<TContractState>, task: HdpTask, value: u256,
        ) -> Option<bool> {
            self.try_word(task.hash, word_of(task.form, value))
        }

        /// Panics unless a module returned this one felt.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn require_felt(self: @ComponentState<TContractState>, task_hash: u256, felt: felt252) {
            self.require_word(task_hash, root_of_felt(felt));
        }

        /// Returns whether `require_felt` accepts, and nothing while the task is not finalized.
        fn try_felt(
            self: @ComponentState<TContractState>, task_hash: u256, felt: felt252,
        ) -> Option<bool> {
            self.try_word(task_hash, root_of_felt(felt))
        }

        /// Panics unless a module returned these values, two or more, marked by
        /// their places.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn require_marked(
            self: @ComponentState<TContractState>, task_hash: u256, values: Span<u128>,
        ) {
            self.require_word(task_hash, root_of_marked(values));
        }

        /// Returns whether `require_marked` accepts, and nothing while the task is not finalized.
        fn try_marked(
            self: @ComponentState<TContractState>, task_hash: u256, values: Span<u128>,
        ) -> Option<bool> {
            self.try_word(task_hash, root_of_marked(values))
        }

        /// Panics unless a module returned the digest of these words.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn require_digest(
            self: @ComponentState<TContractState>, task_hash: u256, words: Span<u256>,
        ) {
            self.require_word(task_hash, root_of_digest(words));
        }

        /// Returns whether `require_digest` accepts, and nothing while the task is not finalized.
        fn try_digest(
            self: @ComponentState<TContractState>, task_hash: u256, words: Span<u256>,
        ) -> Option<bool> {
            self.try_word(task_hash, root_of_digest(words))
        }

        /// Panics unless a module returned the digest of these bytes: the answer of
        /// a view call.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn require_digest_of_bytes(
            self: @ComponentState<TContractState>, task_hash: u256, bytes: @ByteArray,
        ) {
            self.require_word(task_hash, root_of_digest_of_bytes(bytes));
        }

        /// Returns whether `require_digest_of_bytes` accepts, and nothing while the task is not
        /// finalized.
        fn try_digest_of_bytes(
            self: @ComponentState<TContractState>, task_hash: u256, bytes: @ByteArray,
        ) -> Option<bool> {
            self.try_word(task_hash, root_of_digest_of_bytes(bytes))
        }

        /// Panics unless a module returned the digest of this value, by its Serde form.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        fn require_digest_of<T, +Serde<T>>(
            self: @ComponentState<TContractState>, task_hash: u256, value: @T,
        ) {
            self.require_felt(task_hash, digest_of(value));
        }

        /// Returns whether `require_digest_of` accepts, and nothing while the task is not
        /// finalized.
        fn try_digest_of<T, +Serde<T>>(
            self: @ComponentState<TContractState>, task_hash: u256, value: @T,
        ) -> Option<bool> {
            self.try_felt(task_hash, digest_of(value))
        }

        /// Returns the word that is stored for a task, from either kind of store: the value of a
        /// task in the datalake form. A module's word is a root: compare it by the functions above
        /// alone.
        ///
        /// Requirements:
        ///
        /// - The task is finalized.
        #[feature("safe_dispatcher")]
        fn read_result(self: @ComponentState<TContractState>, task_hash: u256) -> u256 {
            assert(task_hash.is_non_zero(), Errors::ZERO_TASK);
            let contract_address = self.required_store();
            let answer = match self.ResultReader_kind.read() {
                StoreKind::Satellite => IExecutionStoreSafeDispatcher { contract_address }
                    .getDataProcessorFinalizedTaskResult(task_hash),
                StoreKind::ExecutionStore => IExecutionStoreAliasesSafeDispatcher {
                    contract_address,
                }
                    .getFinalizedTaskResult(task_hash),
            };
            self.answered(answer)
        }

        /// Returns what `read_result` does, and nothing while the task is not finalized.
        fn try_read_result(self: @ComponentState<TContractState>, task_hash: u256) -> Option<u256> {
            if !self.is_finalized(task_hash) {
                return Option::None;
            }
            Option::Some(self.read_result(task_hash))
        }

        /// Returns whether a task has a result.
        ///
        /// Requirements:
        ///
        /// - The hash is not 0, which no task has.
        #[feature("safe_dispatcher")]
        fn is_finalized(self: @ComponentState<TContractState>, task_hash: u256) -> bool {
            assert(task_hash.is_non_zero(), Errors::ZERO_TASK);
            let contract_address = self.required_store();
            let answer = match self.ResultReader_kind.read() {
                StoreKind::Satellite => IExecutionStoreSafeDispatcher { contract_address }
                    .getDataProcessorTaskStatus(task_hash),
                StoreKind::ExecutionStore => IExecutionStoreAliasesSafeDispatcher {
                    contract_address,
                }
                    .getTaskStatus(task_hash),
            };
            self.answered(answer) == TaskStatus::FINALIZED
        }

        /// Asks the store for a module task on chain, by its published name, and returns the hash
        /// that the result is read by. Where somebody has asked for the task before, there is
        /// nothing left to ask: otherwise anybody could stop the contract by asking first.
        #[feature("safe_dispatcher")]
        fn request_task(
            self: @ComponentState<TContractState>,
            program_hash: felt252,
            public_inputs: Span<felt252>,
        ) -> u256 {
            let asked = IExecutionStoreSafeDispatcher { contract_address: self.required_store() }
                .requestDataProcessorExecutionOfTask(module_task(program_hash, public_inputs));
            let is_asked_for = match @asked {
                Result::Ok(_) => true,
                Result::Err(words) => *words.at(0) == 'DOUBLE_REGISTRATION',
            };
            if !is_asked_for {
                self.answered(asked);
            }
            module_task_hash(program_hash, public_inputs)
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
    }

    #[generate_trait]
    impl PrivateImpl<
        TContractState, +HasComponent<TContractState>,
    > of PrivateTrait<TContractState> {
        fn write_task(
            ref self: ComponentState<TContractState>,
            name: felt252,
            task: HdpTask,
            previous: Option<HdpTask>,
        ) {
            assert(task.hash.is_non_zero(), Errors::ZERO_TASK);
            self.ResultReader_tasks.write(name, task);
            self.emit(TaskPinned { name, task, previous });
        }

        fn require_word(self: @ComponentState<TContractState>, task_hash: u256, word: u256) {
            assert(self.read_result(task_hash) == word, Errors::WRONG_VALUE);
        }

        fn try_word(
            self: @ComponentState<TContractState>, task_hash: u256, word: u256,
        ) -> Option<bool> {
            match self.try_read_result(task_hash) {
                Option::Some(stored) => Option::Some(stored == word),
                Option::None => Option::None,
            }
        }

        /// Returns what a store answered. Panics with its words, but where it has no such function.
        fn answered<T, +Drop<T>>(
            self: @ComponentState<TContractState>, answer: Result<T, Array<felt252>>,
        ) -> T {
            match answer {
                Result::Ok(value) => value,
                Result::Err(words) => {
                    assert(*words.at(0) != 'ENTRYPOINT_NOT_FOUND', Errors::WRONG_KIND);
                    panic(words)
                },
            }
        }
    }
}
