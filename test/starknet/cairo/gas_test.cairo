//! What public functions cost: TypeScript compares the gas of these tests with the table of the
//! page. A test whose name ends with `_setup` makes what the one without makes, and leaves out the
//! call; `reader_setup` makes what all tests of the component make.

use hardhat_hdp::datalake::{AggregateFn, Compute, Operator, SampledProperty, avg, block_sampled};
use hardhat_hdp::fields::header;
use hardhat_hdp::injected_state::{
    StateNode, state_node_hash, verify_state_exclusion, verify_state_inclusion, verify_state_update,
};
use hardhat_hdp::module_form::{in_form, module_form};
use hardhat_hdp::output_root::{root_of_digest, root_of_felt, root_of_marked, root_of_value};
use hardhat_hdp::reader::ResultReaderComponent;
use hardhat_hdp::reader::ResultReaderComponent::InternalTrait;
use hardhat_hdp::storage::result_storage_address;
use hardhat_hdp::task::{HdpForm, HdpTask, module_task, module_task_hash, request_key};
use hardhat_hdp_testing::{deploy_execution_store, write_finalized_result};
use super::reader_test::Reading;

const KEY: felt252 = 0x6d795f6b6579;
/// Part from `KEY` at the highest and at the lowest bit.
const TOP: felt252 = 0x4000000000000000000000000000000000000000000000000006d795f6b6579;
const BOTTOM: felt252 = 0x6d795f6b6578;

/// The trie of one key: an edge of 251 bits.
fn only(key: felt252, value: felt252) -> StateNode {
    StateNode { child: value, right_or_path: key, length: 251 }
}

const AVG: Compute = Compute {
    aggregate_fn: AggregateFn::Avg, operator: Operator::None, value_to_compare: 0,
};

fn three() -> Span<felt252> {
    array![1, 2, 3].span()
}

#[test]
fn nothing() {}

#[test]
fn module_task_hash_of_3_inputs() {
    assert(module_task_hash(0xabc, three()) != 0, 'hash');
}

#[test]
fn request_key_of_3_inputs() {
    assert(request_key(module_task(0xabc, three())) != 0, 'key');
}

#[test]
fn datalake_task_hash_of_a_header_field() {
    let datalake = block_sampled(1, 0, 9, SampledProperty::Header(header::NUMBER));
    assert(avg(datalake) != 0, 'hash');
}

#[test]
fn datalake_task_hash_of_a_slot() {
    let property = SampledProperty::Storage((0x1234.try_into().unwrap(), 7));
    assert(avg(block_sampled(1, 0, 9, property)) != 0, 'hash');
}

#[test]
fn module_form_of_a_header_field() {
    let datalake = block_sampled(1, 0, 9, SampledProperty::Header(header::NUMBER));
    let (program, _) = module_form(datalake, AVG);
    assert(program != 0, 'program');
}

#[test]
fn in_form_of_a_header_field() {
    let datalake = block_sampled(1, 0, 9, SampledProperty::Header(header::NUMBER));
    assert(in_form(HdpForm::Module, datalake, AVG).hash != 0, 'hash');
}

#[test]
fn in_form_of_a_slot() {
    let property = SampledProperty::Storage((0x1234.try_into().unwrap(), 7));
    assert(in_form(HdpForm::Module, block_sampled(1, 0, 9, property), AVG).hash != 0, 'hash');
}

#[test]
fn root_of_a_felt() {
    assert(root_of_felt(1) != 0, 'root');
}

#[test]
fn root_of_a_value() {
    assert(root_of_value(1) != 0, 'root');
}

#[test]
fn root_of_8_marked() {
    assert(root_of_marked(array![1, 2, 3, 4, 5, 6, 7, 8].span()) != 0, 'root');
}

#[test]
fn root_of_a_digest_of_8_words() {
    assert(root_of_digest(eight()) != 0, 'root');
}

#[test]
fn result_storage_address_of_a_task() {
    assert(result_storage_address(0x1234) != 0, 'address');
}

#[test]
fn state_node_hash_of_an_edge() {
    assert(state_node_hash(only(KEY, 1)) != 0, 'hash');
}

#[test]
fn verify_state_inclusion_of_1_node_setup() {
    assert(state_node_hash(only(KEY, 1)) != 0, 'hash');
}

#[test]
fn verify_state_inclusion_of_1_node() {
    let root = state_node_hash(only(KEY, 1));
    assert(verify_state_inclusion(root, KEY, 1, array![only(KEY, 1)].span()), 'inclusion');
}

#[test]
fn verify_state_exclusion_of_1_node_setup() {
    assert(state_node_hash(only(KEY, 1)) != 0, 'hash');
}

#[test]
fn verify_state_exclusion_of_1_node() {
    let root = state_node_hash(only(KEY, 1));
    assert(verify_state_exclusion(root, TOP, array![only(KEY, 1)].span()), 'exclusion');
}

fn at_the_top() -> (felt252, felt252) {
    let left = state_node_hash(StateNode { child: 1, right_or_path: KEY, length: 250 });
    let right = state_node_hash(StateNode { child: 2, right_or_path: KEY, length: 250 });
    let both = StateNode { child: left, right_or_path: right, length: 0 };
    (state_node_hash(only(KEY, 1)), state_node_hash(both))
}

#[test]
fn verify_state_update_that_splits_an_edge_at_the_top_setup() {
    let (before, after) = at_the_top();
    assert(before != after, 'roots');
}

#[test]
fn verify_state_update_that_splits_an_edge_at_the_top() {
    let (before, after) = at_the_top();
    assert(verify_state_update(before, after, TOP, 2, array![only(KEY, 1)].span()), 'update');
}

fn at_the_bottom() -> (felt252, felt252) {
    let both = state_node_hash(StateNode { child: 2, right_or_path: 1, length: 0 });
    let shared = StateNode { child: both, right_or_path: 0x36bcafb5b2bc, length: 250 };
    (state_node_hash(only(KEY, 1)), state_node_hash(shared))
}

#[test]
fn verify_state_update_that_splits_an_edge_at_the_bottom_setup() {
    let (before, after) = at_the_bottom();
    assert(before != after, 'roots');
}

#[test]
fn verify_state_update_that_splits_an_edge_at_the_bottom() {
    let (before, after) = at_the_bottom();
    assert(verify_state_update(before, after, BOTTOM, 2, array![only(KEY, 1)].span()), 'update');
}

type Reader = ResultReaderComponent::ComponentState<Reading::ContractState>;

const DATALAKE: HdpTask = HdpTask { hash: 1, form: HdpForm::Datalake };
const MODULE: HdpTask = HdpTask { hash: 2, form: HdpForm::Module };

fn eight() -> Span<u256> {
    array![1, 2, 3, 4, 5, 6, 7, 8].span()
}

/// A component whose store has the results of the tasks below.
fn reader() -> Reader {
    let store = deploy_execution_store().contract_address;
    write_finalized_result(store, DATALAKE.hash, 7);
    write_finalized_result(store, MODULE.hash, root_of_value(7));
    write_finalized_result(store, 3, root_of_felt(7));
    write_finalized_result(store, 4, root_of_digest(eight()));
    let mut reader = ResultReaderComponent::component_state_for_testing();
    reader.initializer(store);
    reader.pin_task('module', MODULE);
    reader
}

#[test]
fn reader_setup() {
    reader();
}

#[test]
fn initializer_of_a_reader_setup() {
    let _: Reader = ResultReaderComponent::component_state_for_testing();
}

#[test]
fn initializer_of_a_reader() {
    let mut reader: Reader = ResultReaderComponent::component_state_for_testing();
    reader.initializer(1.try_into().unwrap());
}

#[test]
fn pin_task() {
    let mut reader = reader();
    reader.pin_task('fee', DATALAKE);
}

#[test]
fn task_of_a_name() {
    assert(reader().task('module') == MODULE, 'task');
}

#[test]
fn read_result() {
    assert(reader().read_result(DATALAKE.hash) == 7, 'result');
}

#[test]
fn is_finalized() {
    assert(!reader().is_finalized(7), 'finalized');
}

#[test]
fn require_value_of_a_datalake() {
    reader().require_value(DATALAKE, 7);
}

#[test]
fn require_value_of_a_module() {
    reader().require_value(MODULE, 7);
}

#[test]
fn try_value_of_a_datalake() {
    assert(reader().try_value(DATALAKE, 7) == Option::Some(true), 'value');
}

#[test]
fn try_value_of_a_module() {
    assert(reader().try_value(MODULE, 7) == Option::Some(true), 'value');
}

#[test]
fn require_a_felt() {
    reader().require_felt(3, 7);
}

#[test]
fn require_2_marked() {
    reader().require_marked(MODULE.hash, array![7, 0].span());
}

#[test]
fn require_a_digest_of_8_words() {
    reader().require_digest(4, eight());
}
