// SPDX-License-Identifier: MIT
//! A contract that acts on a result, and the test of it: what a project's own test looks like.

use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::datalake::{SampledProperty, avg, block_sampled};
use hardhat_hdp::fields::header;
use hardhat_hdp::task::{HdpForm, HdpTask};
use hardhat_hdp_testing::{deploy_execution_store, expect_pending, finalize_value, schedule_task};
use snforge_std::{ContractClassTrait, DeclareResultTrait, declare};
use starknet::{ContractAddress, SyscallResultTrait};

#[starknet::interface]
pub trait IMinimumGate<TContractState> {
    fn update(ref self: TContractState, average: u256);
    fn is_open(self: @TContractState) -> bool;
}

/// Open after the result of one task, which is fixed here, was 7 or more.
#[starknet::contract]
pub mod MinimumGate {
    use hardhat_hdp::reader::ResultReaderComponent;
    use hardhat_hdp::task::HdpTask;
    use starknet::ContractAddress;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    component!(path: ResultReaderComponent, storage: reader, event: ReaderEvent);

    impl ReaderInternalImpl = ResultReaderComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        reader: ResultReaderComponent::Storage,
        is_open: bool,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        ReaderEvent: ResultReaderComponent::Event,
    }

    #[constructor]
    fn constructor(ref self: ContractState, execution_store: ContractAddress, task: HdpTask) {
        self.reader.initializer(execution_store);
        self.reader.pin_task('minimum', task);
    }

    #[abi(embed_v0)]
    impl MinimumGateImpl of super::IMinimumGate<ContractState> {
        fn update(ref self: ContractState, average: u256) {
            self.reader.require_value(self.reader.task('minimum'), average);
            self.is_open.write(average >= 7);
        }

        fn is_open(self: @ContractState) -> bool {
            self.is_open.read()
        }
    }
}

fn task(hash: u256, form: HdpForm) -> HdpTask {
    HdpTask { hash, form }
}

#[test]
fn opens_when_the_average_is_high_enough() {
    let store = deploy_execution_store().contract_address;
    let base_fee = SampledProperty::Header(header::BASE_FEE_PER_GAS);
    let hash = avg(block_sampled(ETHEREUM_SEPOLIA, 0, 9, base_fee));
    let task = task(hash, HdpForm::Datalake);
    let gate = deploy_gate(store, task);
    finalize_value(store, task, 7);
    gate.update(7);
    assert(gate.is_open(), 'closed');
}

#[test]
#[test_case(HdpForm::Datalake)]
#[test_case(HdpForm::Module)]
fn stays_closed_when_the_average_is_low(form: HdpForm) {
    let store = deploy_execution_store().contract_address;
    finalize_value(store, task(0x1234, form), 6);
    let gate = deploy_gate(store, task(0x1234, form));
    gate.update(6);
    assert(!gate.is_open(), 'open');
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_tasks_value_does_not_open_it() {
    let store = deploy_execution_store().contract_address;
    finalize_value(store, task(0x1234, HdpForm::Module), 6);
    finalize_value(store, task(0x5678, HdpForm::Module), 9);
    deploy_gate(store, task(0x1234, HdpForm::Module)).update(9);
}

#[test]
#[feature("safe_dispatcher")]
fn fails_while_the_task_is_pending() {
    let store = deploy_execution_store().contract_address;
    schedule_task(store, 0x1234);
    expect_pending(store, 0x1234);
    let gate = deploy_gate(store, task(0x1234, HdpForm::Datalake));
    let safe = IMinimumGateSafeDispatcher { contract_address: gate.contract_address };
    match safe.update(7) {
        Result::Ok(_) => core::panic_with_felt252('answered'),
        Result::Err(panic_data) => assert(
            *panic_data.at(0) == 'TASK_NOT_FINALIZED', *panic_data.at(0),
        ),
    }
}

fn deploy_gate(store: ContractAddress, task: HdpTask) -> IMinimumGateDispatcher {
    let class = declare("MinimumGate").unwrap_syscall();
    let mut arguments: Array<felt252> = array![store.into()];
    task.serialize(ref arguments);
    let (contract_address, _) = class.contract_class().deploy(@arguments).unwrap_syscall();
    IMinimumGateDispatcher { contract_address }
}
