//! The component that reads results, in a contract that has it.

use hardhat_hdp::datalake::{
    AggregateFn, Compute, Datalake, Operator, SampledProperty, block_sampled, datalake_task_hash,
};
use hardhat_hdp::fields::header;
use hardhat_hdp::interface::StoreKind;
use hardhat_hdp::output_root::output_root;
use hardhat_hdp::reader::ResultReaderComponent::{Event, ExecutionStoreSet, TaskPinned};
use hardhat_hdp::reader::{IResultReaderDispatcher, IResultReaderDispatcherTrait};
use hardhat_hdp::task::module_task_hash;
use hardhat_hdp_testing::mock::MockKind;
use hardhat_hdp_testing::{
    deploy_execution_store, deploy_execution_store_of, finalize_output, finalize_result,
    schedule_task,
};
use snforge_std::{
    ContractClassTrait, DeclareResultTrait, EventSpyAssertionsTrait, declare, spy_events,
};
use starknet::ContractAddress;

#[starknet::interface]
pub trait IReading<TContractState> {
    fn set_store(ref self: TContractState, store: ContractAddress, kind: StoreKind);
    fn pin(ref self: TContractState, name: felt252, task_hash: u256);
    fn result(self: @TContractState, task_hash: u256) -> u256;
    fn finalized(self: @TContractState, task_hash: u256) -> bool;
    fn pinned(self: @TContractState, name: felt252) -> u256;
    fn datalake(self: @TContractState, datalake: Datalake, compute: Compute) -> u256;
    fn module(self: @TContractState, program_hash: felt252, inputs: Span<felt252>) -> u256;
    fn accept(
        self: @TContractState, program_hash: felt252, inputs: Span<felt252>, felts: Span<felt252>,
    );
    fn accept_pinned(self: @TContractState, name: felt252, felts: Span<felt252>);
}

#[starknet::contract]
pub mod Reading {
    use hardhat_hdp::datalake::{Compute, Datalake};
    use hardhat_hdp::interface::StoreKind;
    use hardhat_hdp::reader::ResultReaderComponent;
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
        fn set_store(ref self: ContractState, store: ContractAddress, kind: StoreKind) {
            self.reader.initializer(store, kind);
        }
        fn pin(ref self: ContractState, name: felt252, task_hash: u256) {
            self.reader.pin_task(name, task_hash);
        }
        fn result(self: @ContractState, task_hash: u256) -> u256 {
            self.reader.read_result(task_hash)
        }
        fn finalized(self: @ContractState, task_hash: u256) -> bool {
            self.reader.is_finalized(task_hash)
        }
        fn pinned(self: @ContractState, name: felt252) -> u256 {
            self.reader.read_pinned(name)
        }
        fn datalake(self: @ContractState, datalake: Datalake, compute: Compute) -> u256 {
            self.reader.read_datalake(datalake, compute)
        }
        fn module(self: @ContractState, program_hash: felt252, inputs: Span<felt252>) -> u256 {
            self.reader.read_module(program_hash, inputs)
        }
        fn accept(
            self: @ContractState,
            program_hash: felt252,
            inputs: Span<felt252>,
            felts: Span<felt252>,
        ) {
            self.reader.assert_module_output(program_hash, inputs, felts);
        }
        fn accept_pinned(self: @ContractState, name: felt252, felts: Span<felt252>) {
            self.reader.assert_pinned_output(name, felts);
        }
    }
}

const INPUTS: [felt252; 2] = [5, 6];

fn reading() -> IReadingDispatcher {
    let class = declare("Reading").unwrap();
    let (contract_address, _) = class.contract_class().deploy(@array![]).unwrap();
    IReadingDispatcher { contract_address }
}

fn reading_from(kind: StoreKind) -> (IReadingDispatcher, ContractAddress) {
    let mock = match kind {
        StoreKind::Satellite => MockKind::Satellite,
        StoreKind::ExecutionStore => MockKind::ExecutionStore,
    };
    let store = deploy_execution_store_of(mock).contract_address;
    let contract = reading();
    contract.set_store(store, kind);
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
fn a_result_is_read_by_a_pinned_name() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    contract.pin('fee', 1);
    contract.pin('balance', 2);
    finalize_result(store, 1, 7);
    finalize_result(store, 2, 8);
    assert(contract.pinned('fee') == 7, 'fee');
    assert(contract.pinned('balance') == 8, 'balance');
}

#[test]
fn a_result_is_read_by_what_a_datalake_task_computes() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    let datalake = block_sampled(1, 0, 9, SampledProperty::Header(header::NUMBER));
    let compute = Compute {
        aggregate_fn: AggregateFn::Max, operator: Operator::None, value_to_compare: 0,
    };
    finalize_result(store, datalake_task_hash(datalake, compute), 9);
    assert(contract.datalake(datalake, compute) == 9, 'result');
}

#[test]
fn a_modules_output_is_accepted_by_program_and_by_name() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    let task = module_task_hash(0xabc, INPUTS.span());
    contract.pin('sum', task);
    finalize_output(store, task, array![11, 0].span());
    assert(contract.module(0xabc, INPUTS.span()) == output_root(array![11, 0].span()), 'root');
    contract.accept(0xabc, INPUTS.span(), array![11, 0].span());
    contract.accept_pinned('sum', array![11, 0].span());
}

#[test]
#[should_panic(expected: ('OUTPUT_ROOT_MISMATCH', 'ENTRYPOINT_FAILED'))]
fn another_output_is_refused() {
    let (contract, store) = reading_from(StoreKind::Satellite);
    finalize_output(store, module_task_hash(0xabc, INPUTS.span()), array![11, 0].span());
    contract.accept(0xabc, INPUTS.span(), array![12, 0].span());
}

#[test]
#[should_panic(expected: ('TASK_NOT_FINALIZED', 'ENTRYPOINT_FAILED', 'ENTRYPOINT_FAILED'))]
fn a_pending_task_has_no_result() {
    let (contract, _) = reading_from(StoreKind::ExecutionStore);
    contract.result(1);
}

#[test]
#[should_panic(expected: ('ENTRYPOINT_NOT_FOUND', 'ENTRYPOINT_FAILED', 'ENTRYPOINT_FAILED'))]
fn names_that_no_published_store_has_fail_at_the_default_mock() {
    let store = deploy_execution_store().contract_address;
    let contract = reading();
    contract.set_store(store, StoreKind::ExecutionStore);
    finalize_result(store, 1, 7);
    contract.result(1);
}

#[test]
#[should_panic(expected: ('ResultReader: task not pinned', 'ENTRYPOINT_FAILED'))]
fn a_name_without_a_task_has_no_result() {
    let (contract, _) = reading_from(StoreKind::Satellite);
    contract.pinned('fee');
}

#[test]
#[should_panic(expected: ('ResultReader: no store', 'ENTRYPOINT_FAILED'))]
fn nothing_is_read_before_there_is_a_store() {
    reading().result(1);
}

#[test]
#[should_panic(expected: ('ResultReader: store is zero', 'ENTRYPOINT_FAILED'))]
fn the_store_is_not_the_zero_address() {
    reading().set_store(0.try_into().unwrap(), StoreKind::Satellite);
}

#[test]
#[should_panic(expected: ('ResultReader: task is zero', 'ENTRYPOINT_FAILED'))]
fn a_task_hash_is_not_zero() {
    reading().pin('fee', 0);
}

#[test]
fn what_is_read_can_be_looked_up_and_is_announced() {
    let store: ContractAddress = 0x1234.try_into().unwrap();
    let contract = reading();
    let mut spy = spy_events();
    contract.set_store(store, StoreKind::ExecutionStore);
    contract.pin('fee', 1);
    let address = contract.contract_address;
    let reader = IResultReaderDispatcher { contract_address: address };
    assert(reader.execution_store() == store, 'store');
    assert(reader.store_kind() == StoreKind::ExecutionStore, 'kind');
    assert(reader.pinned_task('fee') == 1, 'task');
    assert(reader.pinned_task('other') == 0, 'no task');
    let set = ExecutionStoreSet { execution_store: store, kind: StoreKind::ExecutionStore };
    let pinned = TaskPinned { name: 'fee', task_hash: 1 };
    spy
        .assert_emitted(
            @array![(address, Event::ExecutionStoreSet(set)), (address, Event::TaskPinned(pinned))],
        );
}
