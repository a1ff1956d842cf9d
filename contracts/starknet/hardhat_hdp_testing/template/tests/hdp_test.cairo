// SPDX-License-Identifier: MIT
//! A contract's test against the mock of the execution store.

use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::datalake::{SampledProperty, avg, block_sampled};
use hardhat_hdp::fields::header;
use hardhat_hdp::task::{HdpForm, HdpTask};
use hardhat_hdp_testing::{deploy_execution_store, expect_pending, finalize_value};
use snforge_std::{ContractClassTrait, DeclareResultTrait, declare};
use starknet::{ContractAddress, SyscallResultTrait};
use threshold_gate::{IThresholdGateDispatcher, IThresholdGateDispatcherTrait};

const THRESHOLD: u256 = 10000000000;

/// The task: average of the base fee of the blocks 0 to 9. Services of today have the form
/// `HdpForm::Module`, and another hash.
fn task() -> HdpTask {
    let base_fee = SampledProperty::Header(header::BASE_FEE_PER_GAS);
    let hash = avg(block_sampled(ETHEREUM_SEPOLIA, 0, 9, base_fee));
    HdpTask { hash, form: HdpForm::Datalake }
}

#[test]
fn the_finalized_result_opens_the_gate() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store);
    expect_pending(store, task().hash);
    finalize_value(store, task(), THRESHOLD);
    gate.update(THRESHOLD);
    assert(gate.is_open(), 'shut');
}

#[test]
fn a_greater_result_shuts_the_gate() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store);
    finalize_value(store, task(), THRESHOLD + 1);
    gate.update(THRESHOLD + 1);
    assert(!gate.is_open(), 'open');
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn another_value_than_the_finalized_one_is_refused() {
    let store = deploy_execution_store().contract_address;
    finalize_value(store, task(), THRESHOLD + 1);
    deploy_gate(store).update(THRESHOLD);
}

fn deploy_gate(store: ContractAddress) -> IThresholdGateDispatcher {
    let class = declare("ThresholdGate").unwrap_syscall();
    let mut arguments: Array<felt252> = array![store.into()];
    task().serialize(ref arguments);
    THRESHOLD.serialize(ref arguments);
    let (contract_address, _) = class.contract_class().deploy(@arguments).unwrap_syscall();
    IThresholdGateDispatcher { contract_address }
}
