//! A contract that reads a result, and the test of it: what a project's own test looks like.

use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::datalake::{SampledProperty, avg, block_sampled};
use hardhat_hdp::fields::header;
use hardhat_hdp_testing::{deploy_execution_store, expect_pending, finalize_result, schedule_task};
use snforge_std::{ContractClassTrait, DeclareResultTrait, declare};
use starknet::ContractAddress;

#[starknet::interface]
pub trait IMinimumGate<TContractState> {
    fn is_open(self: @TContractState) -> bool;
}

/// Open when the finalized result of one task, which is fixed here, is 7 or more.
#[starknet::contract]
pub mod MinimumGate {
    use hardhat_hdp::interface::StoreKind;
    use hardhat_hdp::reader::ResultReaderComponent;
    use starknet::ContractAddress;

    component!(path: ResultReaderComponent, storage: reader, event: ReaderEvent);

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

    #[constructor]
    fn constructor(ref self: ContractState, execution_store: ContractAddress, task_hash: u256) {
        self.reader.initializer(execution_store, StoreKind::Satellite);
        self.reader.pin_task('minimum', task_hash);
    }

    #[abi(embed_v0)]
    impl MinimumGateImpl of super::IMinimumGate<ContractState> {
        fn is_open(self: @ContractState) -> bool {
            self.reader.read_pinned('minimum') >= 7
        }
    }
}

#[test]
fn opens_when_the_average_is_high_enough() {
    let store = deploy_execution_store().contract_address;
    let task = avg(
        block_sampled(ETHEREUM_SEPOLIA, 0, 9, SampledProperty::Header(header::BASE_FEE_PER_GAS)),
    );
    let gate = deploy_gate(store, task);
    finalize_result(store, task, 7);
    assert(gate.is_open(), 'closed');
}

#[test]
fn stays_closed_when_the_average_is_low() {
    let store = deploy_execution_store().contract_address;
    finalize_result(store, 0x1234, 6);
    assert(!deploy_gate(store, 0x1234).is_open(), 'open');
}

#[test]
fn another_task_does_not_open_it() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store, 0x1234);
    finalize_result(store, 0x1234, 6);
    finalize_result(store, 0x5678, 9);
    assert(!gate.is_open(), 'open');
}

#[test]
#[feature("safe_dispatcher")]
fn fails_while_the_task_is_pending() {
    let store = deploy_execution_store().contract_address;
    schedule_task(store, 0x1234);
    expect_pending(store, 0x1234);
    let contract_address = deploy_gate(store, 0x1234).contract_address;
    match (IMinimumGateSafeDispatcher { contract_address }).is_open() {
        Result::Ok(_) => core::panic_with_felt252('answered'),
        Result::Err(panic_data) => assert(
            *panic_data.at(0) == 'TASK_NOT_FINALIZED', *panic_data.at(0),
        ),
    }
}

fn deploy_gate(store: ContractAddress, task_hash: u256) -> IMinimumGateDispatcher {
    let class = declare("MinimumGate").unwrap();
    let mut arguments: Array<felt252> = array![store.into()];
    task_hash.serialize(ref arguments);
    let (contract_address, _) = class.contract_class().deploy(@arguments).unwrap();
    IMinimumGateDispatcher { contract_address }
}
