// SPDX-License-Identifier: MIT
//! The mocks answer for values of EVM chains as satellites do.

use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::satellite::{
    AccountField, HeaderField, IStorageProofsDispatcher, IStorageProofsDispatcherTrait,
    IStorageProofsSafeDispatcher, IStorageProofsSafeDispatcherTrait,
};
use hardhat_hdp_testing::deploy_execution_store_of;
use hardhat_hdp_testing::interface::{
    IStorageProofsMockDispatcher, IStorageProofsMockDispatcherTrait,
    IStorageProofsMockSafeDispatcher, IStorageProofsMockSafeDispatcherTrait,
};
use hardhat_hdp_testing::mock::MockKind;
use hardhat_hdp_testing::mock::storage_proofs::StorageProofsComponent;
use snforge_std::{
    EventSpyAssertionsTrait, spy_events, start_cheat_caller_address, stop_cheat_caller_address,
};
use starknet::{ContractAddress, EthAddress};

const VALUE: u256 = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f;
const SLOT: u256 = 0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307;

fn account() -> EthAddress {
    0x13cb6ae34a13a0977f4d7101ebc24b87bb23f0d5.try_into().unwrap()
}

#[test]
fn a_saved_header_field_is_read() {
    for kind in array![MockKind::Satellite, MockKind::SatelliteDevelop] {
        let store = deployed(kind);
        set(store).set_header_field(ETHEREUM_SEPOLIA, 9, HeaderField::STATE_ROOT, VALUE);
        let read = satellite(store);
        let field = HeaderField::STATE_ROOT;
        assert(read.headerField(ETHEREUM_SEPOLIA, 9, field) == VALUE, 'value');
        assert(read.headerFieldSafe(ETHEREUM_SEPOLIA, 9, field) == Option::Some(VALUE), 'safe');
        assert(read.headerFieldSafe(1, 9, field).is_none(), 'chain');
        assert(read.headerFieldSafe(ETHEREUM_SEPOLIA, 10, field).is_none(), 'block');
        let other = HeaderField::RECEIPTS_ROOT;
        assert(read.headerFieldSafe(ETHEREUM_SEPOLIA, 9, other).is_none(), 'field');
    }
}

#[test]
fn a_saved_account_field_is_read() {
    let store = deployed(MockKind::Satellite);
    set(store).set_account_field(ETHEREUM_SEPOLIA, 9, account(), AccountField::BALANCE, VALUE);
    let read = satellite(store);
    let field = AccountField::BALANCE;
    assert(read.accountField(ETHEREUM_SEPOLIA, 9, account(), field) == VALUE, 'value');
    let saved = read.accountFieldSafe(ETHEREUM_SEPOLIA, 9, account(), field);
    assert(saved == Option::Some(VALUE), 'safe');
    assert(read.accountFieldSafe(1, 9, account(), field).is_none(), 'chain');
    assert(read.accountFieldSafe(ETHEREUM_SEPOLIA, 8, account(), field).is_none(), 'block');
    let nobody: EthAddress = 1.try_into().unwrap();
    assert(read.accountFieldSafe(ETHEREUM_SEPOLIA, 9, nobody, field).is_none(), 'account');
    let other = AccountField::NONCE;
    assert(read.accountFieldSafe(ETHEREUM_SEPOLIA, 9, account(), other).is_none(), 'field');
}

#[test]
fn a_saved_slot_is_read() {
    let store = deployed(MockKind::Satellite);
    set(store).set_storage_slot(ETHEREUM_SEPOLIA, 9, account(), SLOT, VALUE);
    let read = satellite(store);
    assert(read.storageSlot(ETHEREUM_SEPOLIA, 9, account(), SLOT) == VALUE, 'value');
    let saved = read.storageSlotSafe(ETHEREUM_SEPOLIA, 9, account(), SLOT);
    assert(saved == Option::Some(VALUE), 'safe');
    let other = u256 { low: SLOT.low, high: SLOT.high + 1 };
    assert(read.storageSlotSafe(ETHEREUM_SEPOLIA, 9, account(), other).is_none(), 'slot');
    assert(read.storageSlotSafe(ETHEREUM_SEPOLIA, 8, account(), SLOT).is_none(), 'block');
}

#[test]
fn a_saved_0_is_a_value() {
    let store = deployed(MockKind::Satellite);
    set(store).set_storage_slot(ETHEREUM_SEPOLIA, 9, account(), SLOT, 0);
    let saved = satellite(store).storageSlotSafe(ETHEREUM_SEPOLIA, 9, account(), SLOT);
    assert(saved == Option::Some(0), 'value');
}

#[test]
fn the_last_saved_value_stays() {
    let store = deployed(MockKind::Satellite);
    set(store).set_header_field(1, 9, HeaderField::NONCE, VALUE);
    set(store).set_header_field(1, 9, HeaderField::NONCE, 5);
    assert(satellite(store).headerField(1, 9, HeaderField::NONCE) == 5, 'value');
}

#[test]
#[feature("safe_dispatcher")]
fn what_was_not_saved_panics_as_in_a_satellite() {
    let safe = IStorageProofsSafeDispatcher { contract_address: deployed(MockKind::Satellite) };
    let header = safe.headerField(1, 9, HeaderField::TIMESTAMP);
    assert_panic(header, 'SP_HEADER_FIELD_NOT_SAVED');
    let account_field = safe.accountField(1, 9, account(), AccountField::NONCE);
    assert_panic(account_field, 'SP_ACCOUNT_FIELD_NOT_SAVED');
    assert_panic(safe.storageSlot(1, 9, account(), SLOT), 'SP_SLOT_NOT_SAVED');
    assert_panic(safe.timestamp(1, 1000), 'SP_TIMESTAMP_NOT_SAVED');
}

#[test]
fn the_block_of_a_time_is_proven_and_read() {
    let store = deployed(MockKind::Satellite);
    let read = satellite(store);
    set(store).set_header_field(1, 9, HeaderField::TIMESTAMP, 1000);
    set(store).set_header_field(1, 10, HeaderField::TIMESTAMP, 1012);
    assert(read.timestampSafe(1, 1011).is_none(), 'early');
    let mut spy = spy_events();
    start_cheat_caller_address(store, 'stranger'.try_into().unwrap());
    read.proveTimestamp(1, 1000, 9);
    read.proveTimestamp(1, 1011, 9);
    assert(read.timestamp(1, 1000) == 9, 'first second');
    assert(read.timestampSafe(1, 1011) == Option::Some(9), 'last second');
    let event = StorageProofsComponent::Event::ProvenTimestamp(
        StorageProofsComponent::ProvenTimestamp { chain_id: 1, timestamp: 1011 },
    );
    spy.assert_emitted(@array![(store, event)]);
}

#[test]
#[feature("safe_dispatcher")]
fn a_time_of_another_block_is_refused() {
    let store = deployed(MockKind::Satellite);
    set(store).set_header_field(1, 9, HeaderField::TIMESTAMP, 1000);
    let safe = IStorageProofsSafeDispatcher { contract_address: store };
    assert_panic(safe.proveTimestamp(1, 1000, 9), 'SP_HEADER_FIELD_NOT_SAVED');
    set(store).set_header_field(1, 10, HeaderField::TIMESTAMP, 1012);
    assert_panic(safe.proveTimestamp(1, 1012, 9), 'SP_TIMESTAMP_NOT_BETWEEN_BLOCKS');
    assert_panic(safe.proveTimestamp(1, 999, 9), 'SP_TIMESTAMP_NOT_BETWEEN_BLOCKS');
    assert_panic(safe.proveTimestamp(1, 1000, 8), 'SP_HEADER_FIELD_NOT_SAVED');
}

#[test]
#[feature("safe_dispatcher")]
fn operators_save_what_a_satellite_can_save() {
    let store = deployed(MockKind::Satellite);
    let safe = IStorageProofsMockSafeDispatcher { contract_address: store };
    let bloom = safe.set_header_field(1, 9, HeaderField::LOGS_BLOOM, 1);
    assert_panic(bloom, 'SP_LOGS_BLOOM_NOT_SUPPORTED');
    let number = safe.set_header_field(1, 9, HeaderField::NUMBER, 9);
    assert_panic(number, 'SP_BLOCK_NUMBER_NOT_SUPPORTED');
    assert(satellite(store).headerFieldSafe(1, 9, HeaderField::NUMBER).is_none(), 'number');
    start_cheat_caller_address(store, 'stranger'.try_into().unwrap());
    let header = safe.set_header_field(1, 9, HeaderField::NONCE, 1);
    assert_panic(header, 'CALLER_IS_NOT_OPERATOR');
    let field = safe.set_account_field(1, 9, account(), AccountField::NONCE, 1);
    assert_panic(field, 'CALLER_IS_NOT_OPERATOR');
    let slot = safe.set_storage_slot(1, 9, account(), SLOT, 1);
    assert_panic(slot, 'CALLER_IS_NOT_OPERATOR');
    stop_cheat_caller_address(store);
}

fn deployed(kind: MockKind) -> ContractAddress {
    deploy_execution_store_of(kind).contract_address
}

fn satellite(contract_address: ContractAddress) -> IStorageProofsDispatcher {
    IStorageProofsDispatcher { contract_address }
}

fn set(contract_address: ContractAddress) -> IStorageProofsMockDispatcher {
    IStorageProofsMockDispatcher { contract_address }
}

fn assert_panic<T, +Drop<T>>(outcome: Result<T, Array<felt252>>, expected: felt252) {
    match outcome {
        Result::Ok(_) => core::panic_with_felt252('not refused'),
        Result::Err(panic_data) => assert(*panic_data.at(0) == expected, *panic_data.at(0)),
    }
}
