//! The steps of the contract that every mock of the store keeps; TypeScript compares the answers.

use hardhat_hdp::interface::{
    IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, IExecutionStoreSafeDispatcher,
    IExecutionStoreSafeDispatcherTrait, TaskStatus,
};
use hardhat_hdp_testing::deploy_execution_store_of;
use hardhat_hdp_testing::interface::{
    IExecutionStoreMockSafeDispatcher, IExecutionStoreMockSafeDispatcherTrait,
};
use hardhat_hdp_testing::mock::MockKind;
use snforge_std::fs::{FileParser, FileTrait};
use snforge_std::{start_cheat_caller_address, stop_cheat_caller_address};
use starknet::ContractAddress;

#[test]
fn every_step_is_answered() {
    for kind in array![MockKind::Satellite, MockKind::SatelliteDevelop] {
        let store = deploy_execution_store_of(kind).contract_address;
        let steps: Array<(u8, u256, u256)> = FileParser::parse_txt(
            @FileTrait::new("data/store_contract.txt"),
        )
            .unwrap();
        for (act, task, word) in steps {
            println!("answer {}", answer(store, act, task, word));
        }
    }
}

#[feature("safe_dispatcher")]
fn answer(store: ContractAddress, act: u8, task: u256, word: u256) -> ByteArray {
    match act {
        0 => status(store, task),
        1 => read(store, task),
        2 => changed(mock(store).schedule(task), 'DOUBLE_REGISTRATION'),
        3 => changed(mock(store).finalize(task, word), 'TaskAlreadyFinalized'),
        _ => {
            let stranger: ContractAddress = 'stranger'.try_into().unwrap();
            start_cheat_caller_address(store, stranger);
            let outcome = mock(store).finalize(task, word);
            stop_cheat_caller_address(store);
            changed(outcome, 'CALLER_IS_NOT_OPERATOR')
        },
    }
}

fn status(store: ContractAddress, task: u256) -> ByteArray {
    let reader = IExecutionStoreDispatcher { contract_address: store };
    match reader.getDataProcessorTaskStatus(task) {
        TaskStatus::NONE => "none",
        TaskStatus::SCHEDULED => "scheduled",
        TaskStatus::FINALIZED => "finalized",
    }
}

#[feature("safe_dispatcher")]
fn read(store: ContractAddress, task: u256) -> ByteArray {
    let reader = IExecutionStoreSafeDispatcher { contract_address: store };
    match reader.getDataProcessorFinalizedTaskResult(task) {
        Result::Ok(result) => format!("{result}"),
        Result::Err(panic_data) => {
            assert(*panic_data.at(0) == 'TASK_NOT_FINALIZED', *panic_data.at(0));
            format!("not finalized: {}", status(store, task))
        },
    }
}

fn changed(outcome: Result<(), Array<felt252>>, refusal: felt252) -> ByteArray {
    match outcome {
        Result::Ok(()) => "done",
        Result::Err(panic_data) => {
            assert(*panic_data.at(0) == refusal, *panic_data.at(0));
            "refused"
        },
    }
}

fn mock(contract_address: ContractAddress) -> IExecutionStoreMockSafeDispatcher {
    IExecutionStoreMockSafeDispatcher { contract_address }
}
