use cairo::fee_gate::{IFeeGateDispatcher, IFeeGateDispatcherTrait};
use hardhat_hdp_testing::{deploy_execution_store, finalize_result};
use snforge_std::{ContractClassTrait, DeclareResultTrait, declare};
use starknet::ContractAddress;
use super::fixtures::{FEE_RESULT, FEE_TASK};

#[test]
fn opens_at_the_computed_result() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store);
    finalize_result(store, FEE_TASK, FEE_RESULT);
    assert(gate.is_open(), 'shut');
}

#[test]
fn shuts_above_ten_gwei() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store);
    finalize_result(store, FEE_TASK, 10000000001);
    assert(!gate.is_open(), 'open');
}

fn deploy_gate(store: ContractAddress) -> IFeeGateDispatcher {
    let class = declare("FeeGate").unwrap();
    let mut arguments: Array<felt252> = array![store.into()];
    FEE_TASK.serialize(ref arguments);
    let (contract_address, _) = class.contract_class().deploy(@arguments).unwrap();
    IFeeGateDispatcher { contract_address }
}
