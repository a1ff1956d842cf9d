// SPDX-License-Identifier: MIT
//! What a satellite on Starknet offers besides requests and results: the authentication of
//! executions by facts, in the published shape and in that of its development branch, and the
//! values of EVM chains that storage proofs saved in it.

use starknet::EthAddress;

/// A Merkle mountain range (MMR) of block headers that an execution was proven against.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct MmrData {
    /// Chain whose headers it holds.
    pub chain_id: u256,
    /// Its id.
    pub mmr_id: u256,
    /// Its size.
    pub mmr_size: u256,
}

/// A proven execution of one task, as published satellites take it.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct TaskData {
    /// MMRs it was proven against, with Poseidon roots.
    pub mmr_data: Span<MmrData>,
    /// Low 128 bits of the result.
    pub task_result_low: u128,
    /// High 128 bits of the result.
    pub task_result_high: u128,
    /// Low 128 bits of the task hash.
    pub task_hash_low: u128,
    /// High 128 bits of the task hash.
    pub task_hash_high: u128,
    /// Not used: neither the fact nor the result depends on it.
    pub module_hash: u256,
    /// Hash of the proving program.
    pub program_hash: felt252,
}

/// The MMRs of an execution, by the hash function of their roots.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct MmrCollection {
    /// MMRs with a Poseidon root.
    pub poseidon_mmr: Span<MmrData>,
    /// MMRs with a Keccak root.
    pub keccak_mmr: Span<MmrData>,
}

/// A proven execution of one task, as the satellite's development branch takes it.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct GroupedTaskData {
    /// MMRs it was proven against.
    pub mmr_collection: MmrCollection,
    /// Low 128 bits of the result.
    pub task_result_low: u128,
    /// High 128 bits of the result.
    pub task_result_high: u128,
    /// Low 128 bits of the task hash.
    pub task_hash_low: u128,
    /// High 128 bits of the task hash.
    pub task_hash_high: u128,
    /// Hash of the proving program.
    pub program_hash: felt252,
}

/// Authentication of executions in a published satellite.
#[starknet::interface]
pub trait ITaskAuthentication<TContractState> {
    /// Finalizes a task whose execution is a known fact. Anyone may call; a request is not needed.
    /// Panics, in this order, with 'TaskAlreadyFinalized', 'UnauthorizedProgramHash',
    /// 'InvalidMmrRoot' and 'Invalid fact'.
    fn authenticateDataProcessorTaskExecution(ref self: TContractState, task_data: TaskData);
}

/// Authentication of executions in a satellite of the development branch.
#[starknet::interface]
pub trait IGroupedTaskAuthentication<TContractState> {
    /// Finalizes a task whose execution is a known fact, with the panics of `ITaskAuthentication`.
    fn authenticateDataProcessorTaskExecution(ref self: TContractState, task_data: GroupedTaskData);
}

/// What the authentication of executions relies on.
#[starknet::interface]
pub trait ITaskProofs<TContractState> {
    /// Authorizes a proving program. Panics with 'Caller is not the owner'.
    fn setDataProcessorProgramHash(ref self: TContractState, program_hash: felt252);

    /// Withdraws the authorization of proving programs. Panics with 'Caller is not the owner'.
    fn disableProgramHashes(ref self: TContractState, program_hashes: Span<felt252>);

    /// Whether a proving program is authorized.
    fn isProgramHashAuthorized(self: @TContractState, program_hash: felt252) -> bool;
}

/// Fields of a block header that satellites know, by the names and numbers of `fields::header`.
#[derive(Copy, Drop, Serde, PartialEq, Debug, Hash)]
pub enum HeaderField {
    /// `fields::header::PARENT_HASH`.
    PARENT_HASH,
    /// `fields::header::OMMERS_HASH`.
    OMMERS_HASH,
    /// `fields::header::BENEFICIARY`.
    BENEFICIARY,
    /// `fields::header::STATE_ROOT`.
    STATE_ROOT,
    /// `fields::header::TRANSACTIONS_ROOT`.
    TRANSACTIONS_ROOT,
    /// `fields::header::RECEIPTS_ROOT`.
    RECEIPTS_ROOT,
    /// `fields::header::LOGS_BLOOM`, never saved: it is no word.
    LOGS_BLOOM,
    /// `fields::header::DIFFICULTY`.
    DIFFICULTY,
    /// `fields::header::NUMBER`, never saved: values are saved under it.
    NUMBER,
    /// `fields::header::GAS_LIMIT`.
    GAS_LIMIT,
    /// `fields::header::GAS_USED`.
    GAS_USED,
    /// `fields::header::TIMESTAMP`.
    TIMESTAMP,
    /// `fields::header::EXTRA_DATA`.
    EXTRA_DATA,
    /// `fields::header::MIX_HASH`.
    MIX_HASH,
    /// `fields::header::NONCE`.
    NONCE,
}

/// Fields of an account, by the names and numbers of `fields::account`. The further ones of
/// ApeChain are left out.
#[derive(Copy, Drop, Serde, PartialEq, Debug, Hash)]
pub enum AccountField {
    /// `fields::account::NONCE`.
    NONCE,
    /// `fields::account::BALANCE`.
    BALANCE,
    /// `fields::account::STORAGE_ROOT`.
    STORAGE_ROOT,
    /// `fields::account::CODE_HASH`.
    CODE_HASH,
}

/// Values of EVM chains that storage proofs saved in a satellite. The functions whose names end
/// with `Safe` answer `None` where nothing was saved, the others panic.
///
/// A value is there once somebody has proven it: a contract that acts on an absent value as on 0
/// can be fooled.
#[starknet::interface]
pub trait IStorageProofs<TContractState> {
    /// A field of a block header, if it was saved.
    fn headerFieldSafe(
        self: @TContractState, chain_id: u256, block_number: u256, field: HeaderField,
    ) -> Option<u256>;

    /// A saved field of a block header. Panics with 'SP_HEADER_FIELD_NOT_SAVED'.
    fn headerField(
        self: @TContractState, chain_id: u256, block_number: u256, field: HeaderField,
    ) -> u256;

    /// A field of an account after a block, if it was saved.
    fn accountFieldSafe(
        self: @TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        field: AccountField,
    ) -> Option<u256>;

    /// A saved field of an account. Panics with 'SP_ACCOUNT_FIELD_NOT_SAVED'.
    fn accountField(
        self: @TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        field: AccountField,
    ) -> u256;

    /// A storage slot after a block, if it was saved.
    fn storageSlotSafe(
        self: @TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        slot_index: u256,
    ) -> Option<u256>;

    /// A saved storage slot. Panics with 'SP_SLOT_NOT_SAVED'.
    fn storageSlot(
        self: @TContractState,
        chain_id: u256,
        block_number: u256,
        account: EthAddress,
        slot_index: u256,
    ) -> u256;

    /// The last block whose timestamp is not later than a time in seconds, if it was saved.
    fn timestampSafe(self: @TContractState, chain_id: u256, timestamp: u256) -> Option<u256>;

    /// The saved block of a time. Panics with 'SP_TIMESTAMP_NOT_SAVED'.
    fn timestamp(self: @TContractState, chain_id: u256, timestamp: u256) -> u256;

    /// Saves the block of a time. Anyone may call. The `TIMESTAMP` of the block and of the next one
    /// must be saved. Panics with 'SP_HEADER_FIELD_NOT_SAVED' and
    /// 'SP_TIMESTAMP_NOT_BETWEEN_BLOCKS'.
    fn proveTimestamp(
        ref self: TContractState, chain_id: u256, timestamp: u256, block_number_low: u256,
    );
}
