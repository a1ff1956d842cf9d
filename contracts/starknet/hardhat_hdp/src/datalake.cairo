// SPDX-License-Identifier: MIT
//! Datalake tasks: what to sample on a source chain, how to aggregate it, and the hash of both.

use starknet::EthAddress;
use crate::keccak_words::keccak_words;

/// What to sample. Field ids are in `fields`.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub enum SampledProperty {
    /// A field of the block header.
    Header: u8,
    /// A field of an account.
    Account: (EthAddress, u8),
    /// A slot of an account's storage.
    Storage: (EthAddress, u256),
    /// A field of a transaction.
    Tx: u8,
    /// A field of a transaction's receipt.
    TxReceipt: u8,
}

/// Every `increment`-th block from start to end, the end included.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct BlockSampled {
    /// Source chain, see `chains`.
    pub chain_id: u256,
    /// First block.
    pub block_range_start: u256,
    /// Last block that may be sampled.
    pub block_range_end: u256,
    /// Distance between two sampled blocks, at least 1.
    pub increment: u256,
    /// What is read at each block.
    pub sampled_property: SampledProperty,
}

/// Transaction types that take part; an excluded one is dropped, not replaced.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct IncludedTypes {
    /// Type 0.
    pub legacy: bool,
    /// Type 1, with an access list.
    pub eip2930: bool,
    /// Type 2, with a base fee.
    pub eip1559: bool,
    /// Type 3, with blobs.
    pub eip4844: bool,
}

/// Every `increment`-th transaction of a block from start to end, the end excluded.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct TransactionsInBlock {
    /// Source chain, see `chains`.
    pub chain_id: u256,
    /// The block.
    pub target_block: u256,
    /// Position of the first transaction.
    pub start_index: u256,
    /// Position behind the last transaction that may be sampled.
    pub end_index: u256,
    /// Distance between two sampled positions, at least 1.
    pub increment: u256,
    /// Which transactions take part.
    pub included_types: IncludedTypes,
    /// What is read of each transaction.
    pub sampled_property: SampledProperty,
}

/// Where samples are taken.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub enum Datalake {
    /// One from each block of a range.
    BlockSampled: BlockSampled,
    /// One from each transaction of a block.
    TransactionsInBlock: TransactionsInBlock,
}

/// What becomes of the samples.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub enum AggregateFn {
    /// Their sum divided by their number, halves rounded up.
    Avg,
    /// Their sum, modulo 2^256.
    Sum,
    /// The smallest.
    Min,
    /// The greatest.
    Max,
    /// How many compare as asked.
    Count,
}

/// How `Count` compares a sample, on the left, with the value.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub enum Operator {
    /// No comparison: what all other functions have.
    None,
    /// Equal.
    Eq,
    /// Not equal.
    Nq,
    /// Greater.
    Gt,
    /// Greater or equal.
    Gteq,
    /// Less.
    Lt,
    /// Less or equal.
    Lteq,
}

/// What to do with the samples. Operator and value matter to `Count`, and are hashed for all.
#[derive(Copy, Drop, Serde, PartialEq, Debug)]
pub struct Compute {
    /// What becomes of the samples.
    pub aggregate_fn: AggregateFn,
    /// How `Count` compares.
    pub operator: Operator,
    /// What `Count` compares with.
    pub value_to_compare: u256,
}

/// Every block of a range, both ends included.
pub fn block_sampled(chain_id: u256, from: u256, to: u256, property: SampledProperty) -> Datalake {
    Datalake::BlockSampled(
        BlockSampled {
            chain_id,
            block_range_start: from,
            block_range_end: to,
            increment: 1,
            sampled_property: property,
        },
    )
}

/// Hash of an average over the datalake.
pub fn avg(datalake: Datalake) -> u256 {
    datalake_task_hash(datalake, compute_of(AggregateFn::Avg))
}

/// Hash of a sum over the datalake.
pub fn sum(datalake: Datalake) -> u256 {
    datalake_task_hash(datalake, compute_of(AggregateFn::Sum))
}

/// Hash of the datalake's smallest sample.
pub fn min(datalake: Datalake) -> u256 {
    datalake_task_hash(datalake, compute_of(AggregateFn::Min))
}

/// Hash of the datalake's greatest sample.
pub fn max(datalake: Datalake) -> u256 {
    datalake_task_hash(datalake, compute_of(AggregateFn::Max))
}

/// Hash of the number of samples for which "sample operator value" holds.
pub fn count(datalake: Datalake, operator: Operator, value_to_compare: u256) -> u256 {
    datalake_task_hash(
        datalake, Compute { aggregate_fn: AggregateFn::Count, operator, value_to_compare },
    )
}

/// keccak256(datalakeCommitment ‖ abi.encode(uint8 fn, uint8 operator, uint256 value)): the key
/// of the result.
pub fn datalake_task_hash(datalake: Datalake, compute: Compute) -> u256 {
    keccak_words(
        array![
            datalake_commitment(datalake), aggregate_fn_id(compute.aggregate_fn),
            operator_id(compute.operator), compute.value_to_compare,
        ]
            .span(),
    )
}

/// keccak256 of the encoded datalake, in the encoding that names the source chain.
pub fn datalake_commitment(datalake: Datalake) -> u256 {
    let mut words: Array<u256> = array![];
    match datalake {
        Datalake::BlockSampled(sampled) => {
            words.append(0);
            words.append(sampled.chain_id);
            words.append(sampled.block_range_start);
            words.append(sampled.block_range_end);
            words.append(sampled.increment);
            words.append(0xc0);
            append_property(ref words, sampled.sampled_property);
        },
        Datalake::TransactionsInBlock(transactions) => {
            words.append(1);
            words.append(transactions.chain_id);
            words.append(transactions.target_block);
            words.append(transactions.start_index);
            words.append(transactions.end_index);
            words.append(transactions.increment);
            words.append(included_types_word(transactions.included_types));
            words.append(0x100);
            append_property(ref words, transactions.sampled_property);
        },
    }
    keccak_words(words.span())
}

/// The property as a Solidity `bytes` tail: its length, then its bytes, padded on the right.
fn append_property(ref words: Array<u256>, property: SampledProperty) {
    match property {
        SampledProperty::Header(field) => append_two_bytes(ref words, 1, field),
        SampledProperty::Tx(field) => append_two_bytes(ref words, 1, field),
        SampledProperty::TxReceipt(field) => append_two_bytes(ref words, 2, field),
        SampledProperty::Account((
            account, field,
        )) => {
            // 02, address, field: 22 bytes, then 10 of padding.
            let bytes = (0x2_u256 * TWO_POW_160 + address_number(account)) * 0x100 + field.into();
            words.append(22);
            words.append(bytes * TWO_POW_80);
        },
        SampledProperty::Storage((
            account, slot,
        )) => {
            // 03, address, slot: 53 bytes. The first word ends with the slot's first 11 bytes.
            let head = 0x3_u256 * TWO_POW_160 + address_number(account);
            words.append(53);
            words.append(head * TWO_POW_88 + slot / TWO_POW_168);
            words.append((slot % TWO_POW_168) * TWO_POW_88);
        },
    }
}

fn append_two_bytes(ref words: Array<u256>, kind: u256, field: u8) {
    words.append(2);
    words.append((kind * 0x100 + field.into()) * TWO_POW_240);
}

fn address_number(address: EthAddress) -> u256 {
    let felt: felt252 = address.into();
    felt.into()
}

/// Four bytes, legacy first, each 0 or 1.
pub(crate) fn included_types_word(types: IncludedTypes) -> u256 {
    let mut word: u256 = 0;
    if types.legacy {
        word += 0x1000000;
    }
    if types.eip2930 {
        word += 0x10000;
    }
    if types.eip1559 {
        word += 0x100;
    }
    if types.eip4844 {
        word += 0x1;
    }
    word
}

fn compute_of(aggregate_fn: AggregateFn) -> Compute {
    Compute { aggregate_fn, operator: Operator::None, value_to_compare: 0 }
}

pub(crate) fn aggregate_fn_id(aggregate_fn: AggregateFn) -> u256 {
    match aggregate_fn {
        AggregateFn::Avg => 0,
        AggregateFn::Sum => 1,
        AggregateFn::Min => 2,
        AggregateFn::Max => 3,
        AggregateFn::Count => 4,
    }
}

pub(crate) fn operator_id(operator: Operator) -> u256 {
    match operator {
        Operator::None => 0,
        Operator::Eq => 1,
        Operator::Nq => 2,
        Operator::Gt => 3,
        Operator::Gteq => 4,
        Operator::Lt => 5,
        Operator::Lteq => 6,
    }
}

const TWO_POW_80: u256 = 0x100000000000000000000;
const TWO_POW_88: u256 = 0x10000000000000000000000;
const TWO_POW_160: u256 = 0x10000000000000000000000000000000000000000;
const TWO_POW_168: u256 = 0x1000000000000000000000000000000000000000000;
const TWO_POW_240: u256 = 0x1000000000000000000000000000000000000000000000000000000000000;
