//! Mocked results at an address that has no execution store. A plain Cairo VM cannot answer for an empty address, so
//! a contract that knows nothing but its kept answers stands there.

use hardhat_hdp::interface::{
    IExecutionStoreAliasesDispatcher, IExecutionStoreAliasesDispatcherTrait, IExecutionStoreDispatcher,
    IExecutionStoreDispatcherTrait, IExecutionStoreSafeDispatcher, IExecutionStoreSafeDispatcherTrait, TaskStatus,
};
use hardhat_hdp_testing::{mock_result, stop_mock_result};
use starknet::ContractAddress;
use starknet::syscalls::deploy_syscall;

const ANSWER: u256 = 0x1122334455667788990011223344556677889900112233445566778899001122;

#[test]
fn every_reading_gets_the_mocked_result() {
    let address = answering_contract();
    mock_result(address, ANSWER);
    let store = IExecutionStoreDispatcher { contract_address: address };
    assert(store.getDataProcessorFinalizedTaskResult(1) == ANSWER, 'result');
    assert(store.getDataProcessorFinalizedTaskResult(2) == ANSWER, 'whatever the task');
    assert(store.getDataProcessorTaskStatus(1) == TaskStatus::FINALIZED, 'status');
    let aliases = IExecutionStoreAliasesDispatcher { contract_address: address };
    assert(aliases.getFinalizedTaskResult(1) == ANSWER, 'result by alias');
    assert(aliases.getTaskStatus(1) == TaskStatus::FINALIZED, 'status by alias');
}

#[test]
#[feature("safe_dispatcher")]
fn the_mocked_result_ends() {
    let address = answering_contract();
    mock_result(address, ANSWER);
    stop_mock_result(address);
    let store = IExecutionStoreSafeDispatcher { contract_address: address };
    match store.getDataProcessorFinalizedTaskResult(1) {
        Result::Ok(_) => core::panic_with_felt252('still mocked'),
        Result::Err(panic_data) => assert(*panic_data.at(0) == 'NOT_MOCKED', *panic_data.at(0)),
    }
}

fn answering_contract() -> ContractAddress {
    let class_hash = AnsweringContract::TEST_CLASS_HASH.try_into().unwrap();
    let (address, _) = deploy_syscall(class_hash, 0, array![].span(), false).unwrap();
    address
}

#[starknet::interface]
trait IAnswering<TContractState> {
    fn getDataProcessorFinalizedTaskResult(self: @TContractState, task: u256) -> (felt252, felt252);
    fn getFinalizedTaskResult(self: @TContractState, task: u256) -> (felt252, felt252);
    fn getDataProcessorTaskStatus(self: @TContractState, task: u256) -> felt252;
    fn getTaskStatus(self: @TContractState, task: u256) -> felt252;
}

/// Returns the felts that were kept for a selector.
#[starknet::contract]
mod AnsweringContract {
    use snforge_std::answer_address;
    use starknet::syscalls::storage_read_syscall;
    use starknet::{StorageAddress, SyscallResultTrait};

    #[storage]
    struct Storage {}

    #[abi(embed_v0)]
    impl AnsweringImpl of super::IAnswering<ContractState> {
        fn getDataProcessorFinalizedTaskResult(self: @ContractState, task: u256) -> (felt252, felt252) {
            two_felts(selector!("getDataProcessorFinalizedTaskResult"))
        }
        fn getFinalizedTaskResult(self: @ContractState, task: u256) -> (felt252, felt252) {
            two_felts(selector!("getFinalizedTaskResult"))
        }
        fn getDataProcessorTaskStatus(self: @ContractState, task: u256) -> felt252 {
            one_felt(selector!("getDataProcessorTaskStatus"))
        }
        fn getTaskStatus(self: @ContractState, task: u256) -> felt252 {
            one_felt(selector!("getTaskStatus"))
        }
    }

    fn two_felts(selector: felt252) -> (felt252, felt252) {
        assert(kept(selector, 0) == 1, 'NOT_MOCKED');
        assert(kept(selector, 1) == 2, 'not two felts');
        (kept(selector, 2), kept(selector, 3))
    }

    fn one_felt(selector: felt252) -> felt252 {
        assert(kept(selector, 0) == 1, 'NOT_MOCKED');
        assert(kept(selector, 1) == 1, 'not one felt');
        kept(selector, 2)
    }

    fn kept(selector: felt252, offset: felt252) -> felt252 {
        let address: StorageAddress = (answer_address(selector) + offset).try_into().unwrap();
        storage_read_syscall(0, address).unwrap_syscall()
    }
}
