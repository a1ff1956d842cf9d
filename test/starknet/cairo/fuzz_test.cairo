//! Hashes of what snforge's fuzzer makes up. Each is printed, and computed again in TypeScript.

use hardhat_hdp::chains::{ETHEREUM_SEPOLIA, STARKNET_SEPOLIA};
use hardhat_hdp::datalake::{
    AggregateFn, BlockSampled, Compute, Datalake, IncludedTypes, Operator, SampledProperty,
    TransactionsInBlock, datalake_task_hash,
};
use hardhat_hdp::module_form::in_form;
use hardhat_hdp::output::{digest, digest_of_bytes, marked_felts};
use hardhat_hdp::output_root::{root_of_marked, root_of_value, unordered_root};
use hardhat_hdp::storage::result_storage_address;
use hardhat_hdp::task::{HdpForm, module_task_hash};
use starknet::EthAddress;

#[test]
#[fuzzer(runs: 40)]
fn module_tasks(program_hash: felt252, first: felt252, second: felt252, count: u8) {
    let inputs = some_of(first, second, count);
    let hash = module_task_hash(program_hash, inputs);
    println!("module {:?}", felts((program_hash, inputs, hash)));
}

#[test]
#[fuzzer(runs: 20)]
fn output_roots(first: felt252, second: felt252, count: u8) {
    let returned = some_of(first, second, count);
    println!("root {:?}", felts((returned, unordered_root(returned))));
}

#[test]
#[fuzzer(runs: 20)]
fn output_forms(first: u256, second: u256) {
    let values = array![first.low, first.high, second.low, second.high].span();
    let marked = marked_felts(values).span();
    let words = digest(array![first, second].span());
    let mut bytes: ByteArray = "";
    bytes.append_word(first.high.into(), 16);
    bytes.append_word(first.low.into(), 16);
    let (value, list) = (root_of_value(first), root_of_marked(values));
    let forms = (first, second, marked, value, list, words, digest_of_bytes(@bytes));
    println!("forms {:?}", felts(forms));
}

#[test]
#[fuzzer(runs: 40)]
fn storage_addresses(task_hash: u256) {
    println!("storage {:?}", felts((task_hash, result_storage_address(task_hash))));
}

#[test]
#[fuzzer(runs: 60)]
fn sampled_blocks(from: u64, count: u32, address: u128, slot: u256, compared: u256, choice: u32) {
    let datalake = Datalake::BlockSampled(
        BlockSampled {
            chain_id: if choice % 2 == 0 {
                ETHEREUM_SEPOLIA
            } else {
                STARKNET_SEPOLIA
            },
            block_range_start: from.into(),
            block_range_end: from.into() + count.into(),
            increment: 1 + (choice % 7).into(),
            sampled_property: property(choice / 2, address, slot),
        },
    );
    let compute = compute(choice / 11, compared);
    let hash = datalake_task_hash(datalake, compute);
    let as_module = in_form(HdpForm::Module, datalake, compute);
    assert(in_form(HdpForm::Datalake, datalake, compute).hash == hash, 'datalake form');
    println!("datalake {:?}", felts((datalake, compute, hash, as_module.hash)));
}

#[test]
#[fuzzer(runs: 40)]
fn transactions_of_a_block(block: u64, start: u16, count: u16, compared: u256, choice: u32) {
    let datalake = Datalake::TransactionsInBlock(
        TransactionsInBlock {
            chain_id: ETHEREUM_SEPOLIA,
            target_block: block.into(),
            start_index: start.into(),
            end_index: start.into() + count.into() + 1,
            increment: 1 + (choice % 5).into(),
            included_types: IncludedTypes {
                legacy: choice & 1 != 0,
                eip2930: choice & 2 != 0,
                eip1559: choice & 4 != 0,
                eip4844: choice & 8 != 0,
            },
            sampled_property: if choice & 16 == 0 {
                SampledProperty::Tx((choice / 32 % 15).try_into().unwrap())
            } else {
                SampledProperty::TxReceipt((choice / 32 % 4).try_into().unwrap())
            },
        },
    );
    let compute = compute(choice / 64, compared);
    let hash = datalake_task_hash(datalake, compute);
    let as_module = in_form(HdpForm::Module, datalake, compute);
    println!("datalake {:?}", felts((datalake, compute, hash, as_module.hash)));
}

fn felts<T, +Serde<T>, +Drop<T>>(value: T) -> Array<felt252> {
    let mut felts: Array<felt252> = array![];
    value.serialize(ref felts);
    felts
}

/// Up to six felts.
fn some_of(first: felt252, second: felt252, count: u8) -> Span<felt252> {
    array![first, second, first + second, first * second, 0, first - second]
        .span()
        .slice(0, (count % 7).into())
}

fn property(choice: u32, address: u128, slot: u256) -> SampledProperty {
    let address: felt252 = address.into() * 0x100000001;
    let account: EthAddress = address.try_into().unwrap();
    match choice % 3 {
        0 => SampledProperty::Header((choice / 3 % 20).try_into().unwrap()),
        1 => SampledProperty::Account((account, (choice / 3 % 4).try_into().unwrap())),
        _ => SampledProperty::Storage((account, slot)),
    }
}

fn compute(choice: u32, value_to_compare: u256) -> Compute {
    let aggregate_fn = match choice % 5 {
        0 => AggregateFn::Avg,
        1 => AggregateFn::Sum,
        2 => AggregateFn::Min,
        3 => AggregateFn::Max,
        _ => AggregateFn::Count,
    };
    let operator = match choice / 5 % 7 {
        0 => Operator::None,
        1 => Operator::Eq,
        2 => Operator::Nq,
        3 => Operator::Gt,
        4 => Operator::Gteq,
        5 => Operator::Lt,
        _ => Operator::Lteq,
    };
    // TypeScript has no value to compare with where there is nothing to compare.
    let value_to_compare = match operator {
        Operator::None => 0,
        _ => value_to_compare,
    };
    Compute { aggregate_fn, operator, value_to_compare }
}
