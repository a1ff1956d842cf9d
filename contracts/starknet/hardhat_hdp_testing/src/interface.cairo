// SPDX-License-Identifier: MIT
//! What only the mocks offer. Their names are in snake case; names in camel case are the published
//! satellite's, in `hardhat_hdp`.

use hardhat_hdp::satellite::{AccountField, GroupedTaskData, HeaderField, TaskData};
use starknet::{ContractAddress, EthAddress};

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
    fn set_operator(ref self: TContractState, operator: ContractAddress, allowed: bool);

    /// The address that the constructor was given; always an operator.
    fn owner(self: @TContractState) -> ContractAddress;
}

/// What only the mocks offer of facts: those of your choice, without a proof. Panics with
/// 'CALLER_IS_NOT_OPERATOR'.
#[starknet::interface]
pub trait ITaskProofsMock<TContractState> {
    /// Makes a fact valid.
    fn register_fact(ref self: TContractState, fact_hash: felt252);

    /// Sets the Poseidon root of an MMR, where a satellite would have grown it; 0 removes it.
    fn set_mmr_root(
        ref self: TContractState, chain_id: u256, mmr_id: u256, mmr_size: u256, mmr_root: u256,
    );
}

/// What only the mock of the development branch offers of roots.
#[starknet::interface]
pub trait IKeccakMmrMock<TContractState> {
    /// Sets the Keccak root of an MMR; 0 removes it.
    /// Panics with 'CALLER_IS_NOT_OPERATOR'.
    fn set_keccak_mmr_root(
        ref self: TContractState, chain_id: u256, mmr_id: u256, mmr_size: u256, mmr_root: u256,
    );
}

/// What only the mock of the published satellite offers.
#[starknet::interface]
pub trait ITaskFacts<TContractState> {
    /// The fact that the authentication of an execution looks up.
    /// Panics with 'InvalidMmrRoot' where the root of an MMR is not set.
    fn fact_hash_of(self: @TContractState, task_data: TaskData) -> felt252;
}

/// What only the mock of the development branch offers.
#[starknet::interface]
pub trait IGroupedTaskFacts<TContractState> {
    /// The fact that the authentication of an execution looks up.
    /// Panics with 'InvalidMmrRoot' where the root of an MMR is not set.
    fn fact_hash_of(self: @TContractState, task_data: GroupedTaskData) -> felt252;
}

/// What only the mocks offer of storage proofs: values of your choice, without a proof; the last
/// one stays. Panics with 'CALLER_IS_NOT_OPERATOR'.
#[starknet::interface]
pub trait IStorageProofsMock<TContractState> {
    /// Saves a field of a block header. As proofs do, panics with 'SP_LOGS_BLOOM_NOT_SUPPORTED' and
    /// 'SP_BLOCK_NUMBER_NOT_SUPPORTED'.
    fn set_header_field(
        ref self: TContractState,
        chain_id: u256,
        block_number: u256,
        field: HeaderField,
        value: u256,
    );

    /// Saves a field of an account after a block.
    fn set_account_field(
        ref self: TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        field: AccountField,
        value: u256,
    );

    /// Saves a storage slot after a block.
    fn set_storage_slot(
        ref self: TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        slot_index: u256,
        value: u256,
    );
}
