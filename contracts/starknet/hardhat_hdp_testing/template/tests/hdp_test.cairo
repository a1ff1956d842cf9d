//! A contract's test against the mock of the execution store.

use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::datalake::{SampledProperty, avg, block_sampled};
use hardhat_hdp::fields::header;
use hardhat_hdp_testing::{deploy_execution_store, expect_pending, finalize_result};
use snforge_std::{ContractClassTrait, DeclareResultTrait, declare};
use starknet::ContractAddress;
use threshold_gate::{IThresholdGateDispatcher, IThresholdGateDispatcherTrait};

const THRESHOLD: u256 = 10000000000;

/// Hash of the task: average of the base fee of the blocks 0 to 9.
fn task() -> u256 {
    let base_fee = SampledProperty::Header(header::BASE_FEE_PER_GAS);
    avg(block_sampled(ETHEREUM_SEPOLIA, 0, 9, base_fee))
}

#[test]
fn a_finalized_result_is_read() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store);
    expect_pending(store, task());
    finalize_result(store, task(), THRESHOLD);
    assert(gate.is_open(), 'shut');
}

#[test]
fn a_greater_result_shuts_the_gate() {
    let store = deploy_execution_store().contract_address;
    finalize_result(store, task(), THRESHOLD + 1);
    assert(!deploy_gate(store).is_open(), 'open');
}

fn deploy_gate(store: ContractAddress) -> IThresholdGateDispatcher {
    let class = declare("ThresholdGate").unwrap();
    let mut arguments: Array<felt252> = array![store.into()];
    task().serialize(ref arguments);
    THRESHOLD.serialize(ref arguments);
    let (contract_address, _) = class.contract_class().deploy(@arguments).unwrap();
    IThresholdGateDispatcher { contract_address }
}
