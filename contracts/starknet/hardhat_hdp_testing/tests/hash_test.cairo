// SPDX-License-Identifier: MIT
//! Task hashes and output roots, each against a published figure.

use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::datalake::{
    AggregateFn, Compute, Datalake, IncludedTypes, Operator, SampledProperty, TransactionsInBlock,
    avg, block_sampled, count, datalake_task_hash, min,
};
use hardhat_hdp::fields::{header, transaction};
use hardhat_hdp::module_form::{in_form, module_form};
use hardhat_hdp::output_root::{EMPTY_OUTPUT_ROOT, root_of_felt, unordered_root};
use hardhat_hdp::programs::{BLOCKS_FORMAT, BLOCKS_PROGRAM};
use hardhat_hdp::task::{HdpForm, module_task_hash};

const PROGRAM_HASH: felt252 = 0xaf1333b8346c1ac941efe380f3122a71c1f7cbad19301543712e74f765bfca;

#[test]
fn module_task_hash_with_inputs() {
    let inputs = array![0x4F21E5, 0x4F21E8, 0x13cb6ae34a13a0977f4d7101ebc24b87bb23f0d5].span();
    let expected = 0x879869b6d237b92bfdd3f3f7b76baaa9ebb2a3ad5e8478d12cca258d3def05af;
    assert(module_task_hash(PROGRAM_HASH, inputs) == expected, 'hash');
}

#[test]
fn private_inputs_are_left_out_of_the_hash() {
    let expected = 0xd81ebd27b719967e1df4edf64c9e3ce87635089e3462306af340a393625d8726;
    assert(module_task_hash(PROGRAM_HASH, array![0x4F21E5, 0x4F21E8].span()) == expected, 'hash');
}

#[test]
fn average_of_a_header_field() {
    let datalake = block_sampled(
        ETHEREUM_SEPOLIA, 5858987, 5858997, SampledProperty::Header(header::NUMBER),
    );
    assert(
        avg(datalake) == 0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307, 'hash',
    );
}

#[test]
fn the_compute_is_part_of_the_hash() {
    let datalake = block_sampled(ETHEREUM_SEPOLIA, 0, 9, SampledProperty::Header(header::NUMBER));
    assert(count(datalake, Operator::Gt, 5) != count(datalake, Operator::Gt, 6), 'value');
    assert(count(datalake, Operator::Gt, 5) != count(datalake, Operator::Gteq, 5), 'operator');
    assert(avg(datalake) != min(datalake), 'function');
}

#[test]
fn smallest_gas_price_of_a_block() {
    let datalake = Datalake::TransactionsInBlock(
        TransactionsInBlock {
            chain_id: ETHEREUM_SEPOLIA,
            target_block: 5340342,
            start_index: 0,
            end_index: 45,
            increment: 4,
            included_types: IncludedTypes {
                legacy: true, eip2930: true, eip1559: false, eip4844: false,
            },
            sampled_property: SampledProperty::Tx(transaction::GAS_PRICE),
        },
    );
    assert(
        min(datalake) == 0x2d8073b7dba4065426cfc9969f60dd3f283db4591a46e4b8259712ffdfb45898, 'hash',
    );
}

#[test]
fn output_roots() {
    assert(unordered_root(array![].span()) == EMPTY_OUTPUT_ROOT, 'none');
    let one = 0xa5963aa610cb75ba273817bce5f8c48f587f7cc3722e9654ea3963d5fe8c0748;
    assert(unordered_root(array![1].span()) == one, 'one');
    assert(root_of_felt(1) == one, 'one felt');
    let number = 0xb3f5fbe9212ecbada27cfe0219ef43675f910c52d23ea6df0d151ecba3b7e270;
    assert(unordered_root(array![0x5966b0, 0].span()) == number, 'u256');
    let three = 0xea6434f6bc8d7d73cde857aa705b8b31da1bcfaf5f80a119a67fe973978b9abb;
    assert(unordered_root(array![1, 2, 3].span()) == three, 'three');
    let five = 0xdcc805bc69f1a3b0b4f4c47ee08d442229907065a8ca14ff628621715c8616c3;
    assert(unordered_root(array![4, 1, 2, 3, 4].span()) == five, 'array');
}

#[test]
fn a_task_in_both_forms() {
    let datalake = block_sampled(ETHEREUM_SEPOLIA, 1, 9, SampledProperty::Header(header::NUMBER));
    let compute = Compute {
        aggregate_fn: AggregateFn::Avg, operator: Operator::Gt, value_to_compare: 7,
    };
    let plain = in_form(HdpForm::Datalake, datalake, compute);
    assert(plain.hash == datalake_task_hash(datalake, compute), 'datalake form');
    assert(plain.form == HdpForm::Datalake, 'form');
    let (program_hash, inputs) = module_form(datalake, compute);
    assert(program_hash == BLOCKS_PROGRAM, 'program');
    let expected = array![BLOCKS_FORMAT, 11155111, 1, 9, 1, 1, 8, 0, 0, 0, 0, 0, 0, 0];
    assert(inputs == expected.span(), 'inputs');
    let task = in_form(HdpForm::Module, datalake, compute);
    assert(task.hash == module_task_hash(program_hash, inputs), 'module form');
    assert(task.form == HdpForm::Module, 'form');
}

#[test]
#[should_panic(expected: 'property of no block')]
fn sampled_blocks_have_no_transactions() {
    let property = SampledProperty::Tx(transaction::GAS_PRICE);
    let compute = Compute {
        aggregate_fn: AggregateFn::Avg, operator: Operator::None, value_to_compare: 0,
    };
    module_form(block_sampled(ETHEREUM_SEPOLIA, 1, 9, property), compute);
}
