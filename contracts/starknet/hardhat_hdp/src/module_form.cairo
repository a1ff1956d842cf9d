// SPDX-License-Identifier: MIT
//! The module form of datalake tasks: a standard program that has the task as public inputs.

use starknet::EthAddress;
use crate::datalake::{
    AggregateFn, Compute, Datalake, SampledProperty, aggregate_fn_id, datalake_task_hash,
    included_types_word, operator_id,
};
use crate::programs::{BLOCKS_FORMAT, BLOCKS_PROGRAM, TRANSACTIONS_FORMAT, TRANSACTIONS_PROGRAM};
use crate::task::{HdpForm, HdpTask, module_task_hash};

/// A datalake task in a form, for contracts that compute range or account. The form is fixed at
/// deployment: never take it from a caller. Panics as `module_form` in the form `Module`.
pub fn in_form(form: HdpForm, datalake: Datalake, compute: Compute) -> HdpTask {
    let hash = match form {
        HdpForm::Datalake => datalake_task_hash(datalake, compute),
        HdpForm::Module => {
            let (program_hash, inputs) = module_form(datalake, compute);
            module_task_hash(program_hash, inputs)
        },
    };
    HdpTask { hash, form }
}

/// Program hash and public inputs of a datalake task in the module form; unused inputs are 0.
/// Sampled blocks: format, chain id, first block, last block, step, kind (1 header, 2 account,
/// 3 storage), field, address, slot (low, high), function, operator, value to compare (low, high).
/// Transactions: format, chain id, block, start, end, step, included types, kind (1 transaction,
/// 2 receipt), field, function, operator, value to compare (low, high).
/// Panics for a property of the other kind of datalake, and for a number that no felt is.
pub fn module_form(datalake: Datalake, compute: Compute) -> (felt252, Span<felt252>) {
    match datalake {
        Datalake::BlockSampled(sampled) => {
            let mut inputs = array![
                BLOCKS_FORMAT, felt_of(sampled.chain_id), felt_of(sampled.block_range_start),
                felt_of(sampled.block_range_end), felt_of(sampled.increment),
            ];
            append_block_property(ref inputs, sampled.sampled_property);
            append_compute(ref inputs, compute);
            (BLOCKS_PROGRAM, inputs.span())
        },
        Datalake::TransactionsInBlock(transactions) => {
            let mut inputs = array![
                TRANSACTIONS_FORMAT, felt_of(transactions.chain_id),
                felt_of(transactions.target_block), felt_of(transactions.start_index),
                felt_of(transactions.end_index), felt_of(transactions.increment),
                felt_of(included_types_word(transactions.included_types)),
            ];
            append_transaction_property(ref inputs, transactions.sampled_property);
            append_compute(ref inputs, compute);
            (TRANSACTIONS_PROGRAM, inputs.span())
        },
    }
}

/// Kind, field, address, and the slot's halves.
fn append_block_property(ref inputs: Array<felt252>, property: SampledProperty) {
    let none: EthAddress = 0_felt252.try_into().unwrap();
    let (kind, field, account, slot): (felt252, u8, EthAddress, u256) = match property {
        SampledProperty::Header(field) => (1, field, none, 0),
        SampledProperty::Account((account, field)) => (2, field, account, 0),
        SampledProperty::Storage((account, slot)) => (3, 0, account, slot),
        SampledProperty::Tx(_) |
        SampledProperty::TxReceipt(_) => core::panic_with_felt252('property of no block'),
    };
    inputs.append(kind);
    inputs.append(field.into());
    inputs.append(account.into());
    inputs.append(slot.low.into());
    inputs.append(slot.high.into());
}

/// Kind and field.
fn append_transaction_property(ref inputs: Array<felt252>, property: SampledProperty) {
    let (kind, field): (felt252, u8) = match property {
        SampledProperty::Tx(field) => (1, field),
        SampledProperty::TxReceipt(field) => (2, field),
        SampledProperty::Header(_) | SampledProperty::Account(_) |
        SampledProperty::Storage(_) => core::panic_with_felt252('property of no transaction'),
    };
    inputs.append(kind);
    inputs.append(field.into());
}

/// Function, and of a count operator and value to compare: the others have no use for them.
fn append_compute(ref inputs: Array<felt252>, compute: Compute) {
    let is_count = compute.aggregate_fn == AggregateFn::Count;
    let (operator, value) = if is_count {
        (operator_id(compute.operator), compute.value_to_compare)
    } else {
        (0, 0)
    };
    inputs.append(felt_of(aggregate_fn_id(compute.aggregate_fn)));
    inputs.append(felt_of(operator));
    inputs.append(value.low.into());
    inputs.append(value.high.into());
}

fn felt_of(number: u256) -> felt252 {
    number.try_into().expect('number is no felt')
}
