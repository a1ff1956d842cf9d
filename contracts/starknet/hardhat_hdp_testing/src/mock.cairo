// SPDX-License-Identifier: MIT
//! Mocks of the execution store: the entry points, panics, events and storage of a satellite, and
//! results, facts and values that their operators choose. Nothing is proved; never deploy them
//! where results matter.

use hardhat_hdp::satellite::{AccountField, GroupedTaskData, HeaderField, TaskData};
use starknet::{ContractAddress, EthAddress};

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

/// What only the mocks offer: results of your choice, without a proof.
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

/// What only the mocks offer of facts: those of your choice, without a proof. Panics with
/// 'CALLER_IS_NOT_OPERATOR'.
#[starknet::interface]
pub trait ITaskProofsMock<TContractState> {
    /// Makes a fact valid.
    fn registerFact(ref self: TContractState, fact_hash: felt252);

    /// Sets the Poseidon root of an MMR, where a satellite would have grown it; 0 removes it.
    fn setMmrRoot(
        ref self: TContractState, chain_id: u256, mmr_id: u256, mmr_size: u256, mmr_root: u256,
    );
}

/// What only the mock of the development branch offers of roots.
#[starknet::interface]
pub trait IKeccakMmrMock<TContractState> {
    /// Sets the Keccak root of an MMR; 0 removes it.
    /// Panics with 'CALLER_IS_NOT_OPERATOR'.
    fn setKeccakMmrRoot(
        ref self: TContractState, chain_id: u256, mmr_id: u256, mmr_size: u256, mmr_root: u256,
    );
}

/// What only the mock of the published satellite offers.
#[starknet::interface]
pub trait ITaskFacts<TContractState> {
    /// The fact that the authentication of an execution looks up.
    /// Panics with 'InvalidMmrRoot' where the root of an MMR is not set.
    fn factHashOf(self: @TContractState, task_data: TaskData) -> felt252;
}

/// What only the mock of the development branch offers.
#[starknet::interface]
pub trait IGroupedTaskFacts<TContractState> {
    /// The fact that the authentication of an execution looks up.
    /// Panics with 'InvalidMmrRoot' where the root of an MMR is not set.
    fn factHashOf(self: @TContractState, task_data: GroupedTaskData) -> felt252;
}

/// What only the mocks offer of storage proofs: values of your choice, without a proof; the last
/// one stays. Panics with 'CALLER_IS_NOT_OPERATOR'.
#[starknet::interface]
pub trait IStorageProofsMock<TContractState> {
    /// Saves a field of a block header. As proofs do, panics with 'SP_LOGS_BLOOM_NOT_SUPPORTED' and
    /// 'SP_BLOCK_NUMBER_NOT_SUPPORTED'.
    fn setHeaderField(
        ref self: TContractState,
        chain_id: u256,
        block_number: u256,
        field: HeaderField,
        value: u256,
    );

    /// Saves a field of an account after a block.
    fn setAccountField(
        ref self: TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        field: AccountField,
        value: u256,
    );

    /// Saves a storage slot after a block.
    fn setStorageSlot(
        ref self: TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        slot_index: u256,
        value: u256,
    );
}

/// The mock of the published satellite. Its constructor takes the owner.
#[starknet::contract]
pub mod ExecutionStoreMock {
    use hardhat_hdp::satellite::{ITaskAuthentication, TaskData};
    use starknet::ContractAddress;
    use super::ITaskFacts;
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
        fn factHashOf(self: @ContractState, task_data: TaskData) -> felt252 {
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
    use super::IGroupedTaskFacts;
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
        fn factHashOf(self: @ContractState, task_data: GroupedTaskData) -> felt252 {
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
