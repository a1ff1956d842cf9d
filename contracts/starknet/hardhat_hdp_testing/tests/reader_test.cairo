// SPDX-License-Identifier: MIT
//! The component that reads results, in a contract that has it.

use hardhat_hdp::interface::{
    IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, IResultReaderDispatcher,
    IResultReaderDispatcherTrait, StoreKind, TaskStatus,
};
use hardhat_hdp::output_root::root_of_felt;
use hardhat_hdp::reader::ResultReaderComponent::{Event, ExecutionStoreSet, TaskPinned};
use hardhat_hdp::task::{HdpForm, HdpTask, module_task, module_task_hash, request_key};
use hardhat_hdp_testing::mock::MockKind;
use hardhat_hdp_testing::{
    deploy_execution_store, deploy_execution_store_of, finalize_digest, finalize_digest_of,
    finalize_digest_of_bytes, finalize_felt, finalize_marked, finalize_result, finalize_value,
    schedule_task,
};
use snforge_std::{
    ContractClassTrait, DeclareResultTrait, EventSpyAssertionsTrait, declare, spy_events,
};
use starknet::{ContractAddress, SyscallResultTrait};

/// What a module could return: of a type of its own.
#[derive(Copy, Drop, Serde)]
pub struct Price {
    pub amount: u256,
    pub is_final: bool,
}

#[starknet::interface]
pub trait IReading<TContractState> {
    fn initialize(ref self: TContractState, store: ContractAddress, kind: StoreKind);
    fn set_store(ref self: TContractState, store: ContractAddress, kind: StoreKind);
    fn replace(ref self: TContractState, name: felt252, task: HdpTask);
    fn finalized_by_name(self: @TContractState, name: felt252) -> bool;
    fn pin(ref self: TContractState, name: felt252, task: HdpTask);
    fn task(self: @TContractState, name: felt252) -> HdpTask;
    fn result(self: @TContractState, task_hash: u256) -> u256;
    fn try_result(self: @TContractState, task_hash: u256) -> Option<u256>;
    fn require_price(self: @TContractState, hash: u256, price: Price);
    fn try_price(self: @TContractState, hash: u256, price: Price) -> Option<bool>;
    fn request(ref self: TContractState, program_hash: felt252, inputs: Span<felt252>) -> u256;
    fn finalized(self: @TContractState, task_hash: u256) -> bool;
    fn require_value(self: @TContractState, task: HdpTask, value: u256);
    fn try_value(self: @TContractState, task: HdpTask, value: u256) -> Option<bool>;
    fn require_felt(self: @TContractState, hash: u256, felt: felt252);
    fn try_felt(self: @TContractState, hash: u256, felt: felt252) -> Option<bool>;
    fn require_marked(self: @TContractState, hash: u256, values: Span<u128>);
    fn try_marked(self: @TContractState, hash: u256, values: Span<u128>) -> Option<bool>;
    fn require_digest(self: @TContractState, hash: u256, words: Span<u256>);
    fn try_digest(self: @TContractState, hash: u256, words: Span<u256>) -> Option<bool>;
    fn require_bytes(self: @TContractState, hash: u256, bytes: ByteArray);
    fn try_bytes(self: @TContractState, hash: u256, bytes: ByteArray) -> Option<bool>;
}

#[starknet::contract]
pub mod Reading {
    use hardhat_hdp::interface::StoreKind;
    use hardhat_hdp::reader::ResultReaderComponent;
    use hardhat_hdp::task::HdpTask;
    use starknet::ContractAddress;

    component!(path: ResultReaderComponent, storage: reader, event: ReaderEvent);

    #[abi(embed_v0)]
    impl ResultReaderImpl = ResultReaderComponent::ResultReaderImpl<ContractState>;
    impl ReaderInternalImpl = ResultReaderComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        reader: ResultReaderComponent::Storage,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        ReaderEvent: ResultReaderComponent::Event,
    }

    #[abi(embed_v0)]
    impl ReadingImpl of super::IReading<ContractState> {
        fn initialize(ref self: ContractState, store: ContractAddress, kind: StoreKind) {
            self.reader.initializer(store);
            if kind != StoreKind::Satellite {
                self.reader.set_execution_store(store, kind);
            }
        }
        fn set_store(ref self: ContractState, store: ContractAddress, kind: StoreKind) {
            self.reader.set_execution_store(store, kind);
        }
        fn replace(ref self: ContractState, name: felt252, task: HdpTask) {
            self.reader.replace_task(name, task);
        }
        fn finalized_by_name(self: @ContractState, name: felt252) -> bool {
            self.reader.is_pinned_finalized(name)
        }
        fn pin(ref self: ContractState, name: felt252, task: HdpTask) {
            self.reader.pin_task(name, task);
        }
        fn task(self: @ContractState, name: felt252) -> HdpTask {
            self.reader.task(name)
        }
        fn result(self: @ContractState, task_hash: u256) -> u256 {
            self.reader.read_result(task_hash)
        }
        fn try_result(self: @ContractState, task_hash: u256) -> Option<u256> {
            self.reader.try_read_result(task_hash)
        }
        fn require_price(self: @ContractState, hash: u256, price: super::Price) {
            self.reader.require_digest_of(hash, @price);
        }
        fn try_price(self: @ContractState, hash: u256, price: super::Price) -> Option<bool> {
            self.reader.try_digest_of(hash, @price)
        }
        fn request(ref self: ContractState, program_hash: felt252, inputs: Span<felt252>) -> u256 {
            self.reader.request_task(program_hash, inputs)
        }
        fn finalized(self: @ContractState, task_hash: u256) -> bool {
            self.reader.is_finalized(task_hash)
        }
        fn require_value(self: @ContractState, task: HdpTask, value: u256) {
            self.reader.require_value(task, value);
        }
        fn try_value(self: @ContractState, task: HdpTask, value: u256) -> Option<bool> {
            self.reader.try_value(task, value)
        }
        fn require_felt(self: @ContractState, hash: u256, felt: felt252) {
            self.reader.require_felt(hash, felt);
        }
        fn try_felt(self: @ContractState, hash: u256, felt: felt252) -> Option<bool> {
            self.reader.try_felt(hash, felt)
        }
        fn require_marked(self: @ContractState, hash: u256, values: Span<u128>) {
            self.reader.require_marked(hash, values);
        }
        fn try_marked(self: @ContractState, hash: u256, values: Span<u128>) -> Option<bool> {
            self.reader.try_marked(hash, values)
        }
        fn require_digest(self: @ContractState, hash: u256, words: Span<u256>) {
            self.reader.require_digest(hash, words);
        }
        fn try_digest(self: @ContractState, hash: u256, words: Span<u256>) -> Option<bool> {
            self.reader.try_digest(hash, words)
        }
        fn require_bytes(self: @ContractState, hash: u256, bytes: ByteArray) {
            self.reader.require_digest_of_bytes(hash, @bytes);
        }
        fn try_bytes(self: @ContractState, hash: u256, bytes: ByteArray) -> Option<bool> {
            self.reader.try_digest_of_bytes(hash, @bytes)
        }
    }
}

const DATALAKE: HdpTask = HdpTask { hash: 1, form: HdpForm::Datalake };
const MODULE: HdpTask = HdpTask { hash: 2, form: HdpForm::Module };
const VALUE: u256 = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f;

fn reading() -> IReadingDispatcher {
    let class = declare("Reading").unwrap_syscall();
    let (contract_address, _) = class.contract_class().deploy(@array![]).unwrap_syscall();
    IReadingDispatcher { contract_address }
}

fn reading_from(kind: StoreKind) -> (IReadingDispatcher, ContractAddress) {
    let mock = match kind {
        StoreKind::Satellite => MockKind::Satellite,
        StoreKind::ExecutionStore => MockKind::ExecutionStore,
    };
    let store = deploy_execution_store_of(mock).contract_address;
    let contract = reading();
    contract.initialize(store, kind);
    (contract, store)
}

#[test]
#[test_case(StoreKind::Satellite)]
#[test_case(StoreKind::ExecutionStore)]
fn a_result_is_read_by_its_hash(kind: StoreKind) {
    let (contract, store) = reading_from(kind);
    assert(!contract.finalized(1), 'finalized');
    schedule_task(store, 1);
    assert(!contract.finalized(1), 'finalized too early');
    finalize_result(store, 1, 7);
    assert(contract.finalized(1), 'pending');
    assert(contract.result(1) == 7, 'result');
}

#[test]
#[test_case(StoreKind::Satellite)]
#[test_case(StoreKind::ExecutionStore)]
fn a_value_is_accepted_in_the_form_of_its_task(kind: StoreKind) {
    let (contract, store) = reading_from(kind);
    for task in array![DATALAKE, MODULE] {
        assert(contract.try_value(task, VALUE) == Option::None, 'pending');
        finalize_value(store, task, VALUE);
        contract.require_value(task, VALUE);
        assert(contract.try_value(task, VALUE) == Option::Some(true), 'value');
        assert(contract.try_value(task, VALUE + 1) == Option::Some(false), 'another value');
    }
}

#[test]
fn a_word_is_no_value_in_the_other_form() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_value(store, DATALAKE, VALUE);
    finalize_value(store, MODULE, VALUE);
    let read_as_module = HdpTask { hash: DATALAKE.hash, form: HdpForm::Module };
    assert(contract.try_value(read_as_module, VALUE) == Option::Some(false), 'a value as root');
    // Whoever could choose the form would have the root itself accepted.
    let root = contract.result(MODULE.hash);
    let read_as_datalake = HdpTask { hash: MODULE.hash, form: HdpForm::Datalake };
    assert(contract.try_value(read_as_datalake, root) == Option::Some(true), 'the root as value');
    assert(contract.try_value(MODULE, root) == Option::Some(false), 'the root');
}

#[test]
fn what_a_module_returned_is_accepted_in_each_form() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    let (values, words) = (array![5, 6, 7].span(), array![VALUE, 8].span());
    assert(contract.try_felt(1, 9) == Option::None, 'pending felt');
    assert(contract.try_marked(2, values) == Option::None, 'pending values');
    assert(contract.try_digest(3, words) == Option::None, 'pending digest');
    assert(contract.try_bytes(4, "answer") == Option::None, 'pending bytes');
    finalize_felt(store, 1, 9);
    finalize_marked(store, 2, values);
    finalize_digest(store, 3, words);
    finalize_digest_of_bytes(store, 4, @"answer");
    contract.require_felt(1, 9);
    contract.require_marked(2, values);
    contract.require_digest(3, words);
    contract.require_bytes(4, "answer");
    assert(contract.try_felt(1, 9) == Option::Some(true), 'felt');
    assert(contract.try_felt(1, 8) == Option::Some(false), 'another felt');
    assert(contract.try_marked(2, values) == Option::Some(true), 'values');
    assert(contract.try_marked(2, array![5, 7, 6].span()) == Option::Some(false), 'order');
    assert(contract.try_digest(3, words) == Option::Some(true), 'digest');
    assert(
        contract.try_digest(3, array![8, VALUE].span()) == Option::Some(false), 'order of words',
    );
    assert(contract.try_bytes(4, "answer") == Option::Some(true), 'bytes');
    assert(contract.try_bytes(4, "anwser") == Option::Some(false), 'order of bytes');
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_value_is_refused() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_result(store, MODULE.hash, root_of_felt(1));
    contract.require_value(MODULE, VALUE);
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_felt_is_refused() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_result(store, 1, root_of_felt(1));
    contract.require_felt(1, 9);
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_marked_list_is_refused() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_result(store, 1, root_of_felt(1));
    contract.require_marked(1, array![5, 6].span());
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_digest_is_refused() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_result(store, 1, root_of_felt(1));
    contract.require_digest(1, array![5, 6].span());
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_answer_is_refused() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_result(store, 1, root_of_felt(1));
    contract.require_bytes(1, "answer");
}

#[test]
#[should_panic(expected: ('fewer than two marked values', 'ENTRYPOINT_FAILED'))]
fn one_value_is_no_marked_list() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_felt(store, 1, 9);
    contract.require_marked(1, array![9].span());
}

#[test]
fn a_task_is_found_by_its_pinned_name() {
    let (contract, _) = reading_from(StoreKind::Satellite);
    contract.pin('fee', DATALAKE);
    contract.pin('balance', MODULE);
    assert(contract.task('fee') == DATALAKE, 'fee');
    assert(contract.task('balance') == MODULE, 'balance');
}

#[test]
#[should_panic(expected: ('TASK_NOT_FINALIZED', 1, 2, 'ENTRYPOINT_FAILED', 'ENTRYPOINT_FAILED'))]
fn a_pending_task_has_no_result_and_the_mock_names_its_hash() {
    let (contract, _) = reading_from(StoreKind::ExecutionStore);
    contract.result(u256 { high: 1, low: 2 });
}

#[test]
#[should_panic(expected: ('ResultReader: wrong store kind', 'ENTRYPOINT_FAILED'))]
fn names_that_no_published_store_has_fail_at_the_default_mock() {
    let store = deploy_execution_store().contract_address;
    let contract = reading();
    contract.set_store(store, StoreKind::ExecutionStore);
    finalize_result(store, 1, 7);
    contract.result(1);
}

#[test]
#[should_panic(expected: ('ResultReader: task not pinned', 'ENTRYPOINT_FAILED'))]
fn a_name_without_a_task_is_refused() {
    let (contract, _) = reading_from(StoreKind::Satellite);
    contract.task('fee');
}

#[test]
#[should_panic(expected: ('ResultReader: no store', 'ENTRYPOINT_FAILED'))]
fn nothing_is_read_before_there_is_a_store() {
    reading().result(1);
}

#[test]
#[should_panic(expected: ('ResultReader: store is zero', 'ENTRYPOINT_FAILED'))]
fn the_store_is_not_the_zero_address() {
    reading().initialize(0.try_into().unwrap(), StoreKind::Satellite);
}

#[test]
#[should_panic(expected: ('ResultReader: task is zero', 'ENTRYPOINT_FAILED'))]
fn a_task_hash_is_not_zero() {
    reading().pin('fee', HdpTask { hash: 0, form: HdpForm::Module });
}

#[test]
fn what_is_read_can_be_looked_up_and_is_announced() {
    let store: ContractAddress = 0x1234.try_into().unwrap();
    let contract = reading();
    let mut spy = spy_events();
    contract.initialize(store, StoreKind::ExecutionStore);
    contract.pin('fee', DATALAKE);
    contract.replace('fee', MODULE);
    let address = contract.contract_address;
    let reader = IResultReaderDispatcher { contract_address: address };
    assert(reader.execution_store() == store, 'store');
    assert(reader.store_kind() == StoreKind::ExecutionStore, 'kind');
    assert(reader.pinned_task('fee') == MODULE, 'task');
    let set = ExecutionStoreSet { execution_store: store, kind: StoreKind::ExecutionStore };
    let pinned = TaskPinned { name: 'fee', task: DATALAKE, previous: Option::None };
    let replaced = TaskPinned { name: 'fee', task: MODULE, previous: Option::Some(DATALAKE) };
    spy
        .assert_emitted(
            @array![
                (address, Event::ExecutionStoreSet(set)), (address, Event::TaskPinned(pinned)),
                (address, Event::TaskPinned(replaced)),
            ],
        );
}

#[test]
#[should_panic(expected: ('ResultReader: initialized', 'ENTRYPOINT_FAILED'))]
fn the_store_is_initialized_once() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    contract.initialize(store, StoreKind::Satellite);
}

#[test]
fn another_store_is_set_by_its_own_function() {
    let (contract, _) = reading_from(StoreKind::Satellite);
    let store = deploy_execution_store().contract_address;
    contract.set_store(store, StoreKind::Satellite);
    let reader = IResultReaderDispatcher { contract_address: contract.contract_address };
    assert(reader.execution_store() == store, 'store');
}

#[test]
#[should_panic(expected: ('ResultReader: already pinned', 'ENTRYPOINT_FAILED'))]
fn a_pinned_task_is_not_replaced_in_passing() {
    let contract = reading();
    contract.pin('fee', MODULE);
    contract.pin('fee', DATALAKE);
}

#[test]
#[should_panic(expected: ('ResultReader: task not pinned', 'ENTRYPOINT_FAILED'))]
fn a_name_without_a_task_has_none_to_replace() {
    reading().replace('fee', MODULE);
}

#[test]
fn whether_a_task_has_a_result_is_asked_by_its_name() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    contract.pin('fee', DATALAKE);
    assert(!contract.finalized_by_name('fee'), 'finalized');
    finalize_value(store, DATALAKE, 7);
    assert(contract.finalized_by_name('fee'), 'not finalized');
}

#[test]
#[should_panic(expected: ('ResultReader: task not pinned', 'ENTRYPOINT_FAILED'))]
fn a_misspelt_name_does_not_read_as_pending() {
    let (contract, _) = reading_from(StoreKind::Satellite);
    contract.pin('fee', DATALAKE);
    contract.finalized_by_name('fees');
}

#[test]
#[should_panic(expected: ('ResultReader: task not pinned', 'ENTRYPOINT_FAILED'))]
fn a_misspelt_name_has_no_task_for_others() {
    let reader = IResultReaderDispatcher { contract_address: reading().contract_address };
    reader.pinned_task('fees');
}

#[test]
#[should_panic(expected: ('ResultReader: task is zero', 'ENTRYPOINT_FAILED'))]
fn no_task_has_the_hash_zero() {
    let (contract, _) = reading_from(StoreKind::Satellite);
    contract.finalized(0);
}

#[test]
#[test_case(StoreKind::Satellite)]
#[test_case(StoreKind::ExecutionStore)]
fn a_result_is_tried_before_there_is_one(kind: StoreKind) {
    let (contract, store) = reading_from(kind);
    assert(contract.try_result(DATALAKE.hash) == Option::None, 'pending');
    finalize_value(store, DATALAKE, VALUE);
    assert(contract.try_result(DATALAKE.hash) == Option::Some(VALUE), 'value');
}

#[test]
fn a_value_of_any_type_is_required_by_its_digest() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    let price = Price { amount: VALUE, is_final: true };
    let other = Price { amount: VALUE, is_final: false };
    assert(contract.try_price(MODULE.hash, price) == Option::None, 'pending');
    finalize_digest_of(store, MODULE.hash, @price);
    contract.require_price(MODULE.hash, price);
    assert(contract.try_price(MODULE.hash, price) == Option::Some(true), 'price');
    assert(contract.try_price(MODULE.hash, other) == Option::Some(false), 'other');
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_value_of_a_type_is_refused() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_digest_of(store, MODULE.hash, @Price { amount: VALUE, is_final: true });
    contract.require_price(MODULE.hash, Price { amount: VALUE, is_final: false });
}

#[test]
fn a_task_is_requested_and_named_by_the_hash_of_its_result() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    let inputs = array![1, 2].span();
    assert(contract.request(0x1234, inputs) == module_task_hash(0x1234, inputs), 'hash');
    let status = IExecutionStoreDispatcher { contract_address: store }
        .getDataProcessorTaskStatus(request_key(module_task(0x1234, inputs)));
    assert(status == TaskStatus::SCHEDULED, 'not requested');
}

#[test]
fn a_request_is_stopped_by_nobody_who_asked_before() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    let inputs = array![1, 2].span();
    IExecutionStoreDispatcher { contract_address: store }
        .requestDataProcessorExecutionOfTask(module_task(0x1234, inputs));
    assert(contract.request(0x1234, inputs) == module_task_hash(0x1234, inputs), 'hash');
}
