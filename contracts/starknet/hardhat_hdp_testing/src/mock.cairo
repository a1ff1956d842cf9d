// SPDX-License-Identifier: MIT
//! Mocks of the execution store: the entry points, panics, events and storage of a satellite, and
//! results, facts and values that their operators choose. Nothing is proved; never deploy them
//! where results matter.

pub mod proofs;
pub mod storage_proofs;
pub mod tasks;

/// Which store a mock stands for. They differ in how executions are authenticated, and in the names
/// that results are read by.
#[derive(Copy, Drop, PartialEq, Debug)]
pub enum MockKind {
    /// The published satellite: `ExecutionStoreMock`.
    Satellite,
    /// The satellite of the development branch: `SatelliteDevelopMock`.
    SatelliteDevelop,
    /// A store for `StoreKind::ExecutionStore`, which no published one is:
    /// `ExecutionStoreAliasesMock`.
    ExecutionStore,
}

/// The mock of the published satellite. Its constructor takes the owner.
#[starknet::contract]
pub mod ExecutionStoreMock {
    use hardhat_hdp::satellite::{ITaskAuthentication, TaskData};
    use starknet::ContractAddress;
    use crate::interface::ITaskFacts;
    use super::proofs::TaskProofsComponent;
    use super::storage_proofs::StorageProofsComponent;
    use super::tasks::TaskStoreComponent;

    component!(path: TaskStoreComponent, storage: tasks, event: TaskStoreEvent);
    component!(path: TaskProofsComponent, storage: proofs, event: TaskProofsEvent);
    component!(path: StorageProofsComponent, storage: storage_proofs, event: StorageProofsEvent);

    #[abi(embed_v0)]
    impl ExecutionStoreImpl = TaskStoreComponent::ExecutionStoreImpl<ContractState>;
    #[abi(embed_v0)]
    impl ExecutionStoreMockImpl =
        TaskStoreComponent::ExecutionStoreMockImpl<ContractState>;
    #[abi(embed_v0)]
    impl TaskProofsImpl = TaskProofsComponent::TaskProofsImpl<ContractState>;
    #[abi(embed_v0)]
    impl TaskProofsMockImpl =
        TaskProofsComponent::TaskProofsMockImpl<ContractState>;
    #[abi(embed_v0)]
    impl StorageProofsImpl =
        StorageProofsComponent::StorageProofsImpl<ContractState>;
    #[abi(embed_v0)]
    impl StorageProofsMockImpl =
        StorageProofsComponent::StorageProofsMockImpl<ContractState>;
    impl TaskStoreInternalImpl = TaskStoreComponent::InternalImpl<ContractState>;
    impl TaskProofsInternalImpl = TaskProofsComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        tasks: TaskStoreComponent::Storage,
        #[substorage(v0)]
        proofs: TaskProofsComponent::Storage,
        #[substorage(v0)]
        storage_proofs: StorageProofsComponent::Storage,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        TaskStoreEvent: TaskStoreComponent::Event,
        #[flat]
        TaskProofsEvent: TaskProofsComponent::Event,
        #[flat]
        StorageProofsEvent: StorageProofsComponent::Event,
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress) {
        self.tasks.initializer(owner);
    }

    #[abi(embed_v0)]
    impl TaskAuthenticationImpl of ITaskAuthentication<ContractState> {
        fn authenticateDataProcessorTaskExecution(ref self: ContractState, task_data: TaskData) {
            self.proofs.authenticate(task_data);
        }
    }

    #[abi(embed_v0)]
    impl TaskFactsImpl of ITaskFacts<ContractState> {
        fn fact_hash_of(self: @ContractState, task_data: TaskData) -> felt252 {
            self.proofs.fact(task_data)
        }
    }
}

/// The mock of the satellite's development branch, which takes executions whose MMRs are grouped by
/// hash function. Its constructor takes the owner.
#[starknet::contract]
pub mod SatelliteDevelopMock {
    use hardhat_hdp::satellite::{GroupedTaskData, IGroupedTaskAuthentication};
    use starknet::ContractAddress;
    use crate::interface::IGroupedTaskFacts;
    use super::proofs::TaskProofsComponent;
    use super::storage_proofs::StorageProofsComponent;
    use super::tasks::TaskStoreComponent;

    component!(path: TaskStoreComponent, storage: tasks, event: TaskStoreEvent);
    component!(path: TaskProofsComponent, storage: proofs, event: TaskProofsEvent);
    component!(path: StorageProofsComponent, storage: storage_proofs, event: StorageProofsEvent);

    #[abi(embed_v0)]
    impl ExecutionStoreImpl = TaskStoreComponent::ExecutionStoreImpl<ContractState>;
    #[abi(embed_v0)]
    impl ExecutionStoreMockImpl =
        TaskStoreComponent::ExecutionStoreMockImpl<ContractState>;
    #[abi(embed_v0)]
    impl TaskProofsImpl = TaskProofsComponent::TaskProofsImpl<ContractState>;
    #[abi(embed_v0)]
    impl TaskProofsMockImpl =
        TaskProofsComponent::TaskProofsMockImpl<ContractState>;
    #[abi(embed_v0)]
    impl KeccakMmrMockImpl = TaskProofsComponent::KeccakMmrMockImpl<ContractState>;
    #[abi(embed_v0)]
    impl StorageProofsImpl =
        StorageProofsComponent::StorageProofsImpl<ContractState>;
    #[abi(embed_v0)]
    impl StorageProofsMockImpl =
        StorageProofsComponent::StorageProofsMockImpl<ContractState>;
    impl TaskStoreInternalImpl = TaskStoreComponent::InternalImpl<ContractState>;
    impl TaskProofsInternalImpl = TaskProofsComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        tasks: TaskStoreComponent::Storage,
        #[substorage(v0)]
        proofs: TaskProofsComponent::Storage,
        #[substorage(v0)]
        storage_proofs: StorageProofsComponent::Storage,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        TaskStoreEvent: TaskStoreComponent::Event,
        #[flat]
        TaskProofsEvent: TaskProofsComponent::Event,
        #[flat]
        StorageProofsEvent: StorageProofsComponent::Event,
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress) {
        self.tasks.initializer(owner);
    }

    #[abi(embed_v0)]
    impl TaskAuthenticationImpl of IGroupedTaskAuthentication<ContractState> {
        fn authenticateDataProcessorTaskExecution(
            ref self: ContractState, task_data: GroupedTaskData,
        ) {
            self.proofs.authenticate_grouped(task_data);
        }
    }

    #[abi(embed_v0)]
    impl TaskFactsImpl of IGroupedTaskFacts<ContractState> {
        fn fact_hash_of(self: @ContractState, task_data: GroupedTaskData) -> felt252 {
            self.proofs.grouped_fact(task_data)
        }
    }
}

/// The mock of a store that is read by `getFinalizedTaskResult`. No published store on Starknet is:
/// a contract that passes its tests with this one alone fails at all of them. The names of the
/// published stores answer too, for the helpers of tests. Its constructor takes the owner.
#[starknet::contract]
pub mod ExecutionStoreAliasesMock {
    use starknet::ContractAddress;
    use super::tasks::TaskStoreComponent;

    component!(path: TaskStoreComponent, storage: tasks, event: TaskStoreEvent);

    #[abi(embed_v0)]
    impl ExecutionStoreImpl = TaskStoreComponent::ExecutionStoreImpl<ContractState>;
    #[abi(embed_v0)]
    impl AliasesImpl = TaskStoreComponent::ExecutionStoreAliasesImpl<ContractState>;
    #[abi(embed_v0)]
    impl ExecutionStoreMockImpl =
        TaskStoreComponent::ExecutionStoreMockImpl<ContractState>;
    impl TaskStoreInternalImpl = TaskStoreComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        tasks: TaskStoreComponent::Storage,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        TaskStoreEvent: TaskStoreComponent::Event,
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: ContractAddress) {
        self.tasks.initializer(owner);
    }
}
