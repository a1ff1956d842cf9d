use cairo::fee_gate::{IFeeGateDispatcher, IFeeGateDispatcherTrait};
use hardhat_hdp::task::HdpTask;
use hardhat_hdp_testing::{deploy_execution_store, finalize_value};
use snforge_std::{ContractClassTrait, DeclareResultTrait, declare};
use starknet::{ContractAddress, SyscallResultTrait};
use super::fixtures::{FEE_FORM, FEE_RESULT, FEE_TASK};

const TASK: HdpTask = HdpTask { hash: FEE_TASK, form: FEE_FORM };

#[test]
fn opens_at_the_computed_result() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store);
    assert(!gate.is_open(), 'open before');
    finalize_value(store, TASK, FEE_RESULT);
    gate.update(FEE_RESULT);
    assert(gate.is_open(), 'shut');
}

#[test]
fn shuts_above_ten_gwei() {
    let store = deploy_execution_store().contract_address;
    let gate = deploy_gate(store);
    finalize_value(store, TASK, 10000000001);
    gate.update(10000000001);
    assert(!gate.is_open(), 'open');
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn refuses_another_value() {
    let store = deploy_execution_store().contract_address;
    finalize_value(store, TASK, 10000000001);
    deploy_gate(store).update(FEE_RESULT);
}

fn deploy_gate(store: ContractAddress) -> IFeeGateDispatcher {
    let class = declare("FeeGate").unwrap_syscall();
    let mut arguments: Array<felt252> = array![store.into()];
    TASK.serialize(ref arguments);
    let (contract_address, _) = class.contract_class().deploy(@arguments).unwrap_syscall();
    IFeeGateDispatcher { contract_address }
}
