//! The events of the mock, read from the log of a plain Cairo VM. Field by field, as a listener decodes them.

use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait};
use hardhat_hdp::task::{module_task, request_key};
use hardhat_hdp_testing::{deploy_execution_store, finalize_result};
use starknet::testing::pop_log_raw;

#[test]
fn finalizing_emits_hash_and_result() {
    let address = deploy_execution_store().contract_address;
    let task = u256 { low: 1, high: 2 };
    finalize_result(address, task, u256 { low: 3, high: 4 });
    let (mut keys, mut data) = pop_log_raw(address).unwrap();
    assert(keys == array![selector!("TaskFinalized")].span(), 'keys');
    assert(data == array![1, 2, 3, 4].span(), 'data');
    assert(pop_log_raw(address).is_none(), 'one event');
}

#[test]
fn a_request_emits_the_task_and_then_that_it_is_stored() {
    let address = deploy_execution_store().contract_address;
    let store = IExecutionStoreDispatcher { contract_address: address };
    let task = module_task(0xabc, array![5, 6].span());
    store.requestDataProcessorExecutionOfTask(task);
    let (mut keys, mut data) = pop_log_raw(address).unwrap();
    assert(keys == array![selector!("ModuleTaskScheduled")].span(), 'scheduled keys');
    assert(data == array![0xabc, 0, 2, 5, 0, 6, 0].span(), 'scheduled data');

    let other = deploy_stored(request_key(task));
    IExecutionStoreDispatcher { contract_address: other }.requestDataProcessorExecutionOfTask(task);
    let (mut keys, mut data) = pop_log_raw(other).unwrap();
    assert(keys == array![selector!("TaskAlreadyStored")].span(), 'stored keys');
    let key = request_key(task);
    assert(data == array![key.low.into(), key.high.into()].span(), 'stored data');
}

/// A store that has the result of `key`, with an empty log.
fn deploy_stored(key: u256) -> starknet::ContractAddress {
    // Another owner, and so another address than the first store's.
    starknet::testing::set_contract_address('other'.try_into().unwrap());
    let address = deploy_execution_store().contract_address;
    finalize_result(address, key, 1);
    let (_, _) = pop_log_raw(address).unwrap();
    address
}
