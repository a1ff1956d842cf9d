// Chain data for unit tests: what the data handle answers while `snforge test` runs `main`. Each
// value is mocked for its chain, block and key; a read of anything else fails the test.
use core::poseidon::poseidon_hash_span;
use starknet::SyscallResultTrait;
use starknet::storage_access::{
    storage_address_from_base_and_offset, storage_base_address_from_felt252,
};
use starknet::syscalls::{storage_read_syscall, storage_write_syscall};
use super::{
    ACCOUNT, ACCOUNT_BALANCE, ACCOUNT_NONCE, HDP, HEADER, HEADER_BASE_FEE_PER_GAS, HEADER_TIMESTAMP,
    LOG, LOG_ADDRESS, LOG_DATA, LOG_TOPIC0, Memorizer, RelocatableValue, STARKNET_STORAGE, STATE,
    STATE_LABEL, STATE_READ, STATE_WRITE, STORAGE, STORAGE_SLOT,
};

/// A data handle, as the first argument of `main`.
pub fn handle() -> HDP {
    HDP {
        evm: memorizer(),
        starknet: memorizer(),
        injected_state: memorizer(),
        unconstrained: memorizer(),
    }
}

pub fn mock_header_timestamp(chain_id: felt252, block: u64, seconds: u256) {
    mock_header(chain_id, block, HEADER_TIMESTAMP, seconds);
}

/// In wei.
pub fn mock_header_base_fee_per_gas(chain_id: felt252, block: u64, fee: u256) {
    mock_header(chain_id, block, HEADER_BASE_FEE_PER_GAS, fee);
}

pub fn mock_header(chain_id: felt252, block: u64, field: felt252, value: u256) {
    mock(HEADER, field, array![chain_id, block.into()], word(value));
}

pub fn mock_account_nonce(chain_id: felt252, block: u64, account: felt252, nonce: u256) {
    mock_account(chain_id, block, account, ACCOUNT_NONCE, nonce);
}

/// In wei.
pub fn mock_account_balance(chain_id: felt252, block: u64, account: felt252, balance: u256) {
    mock_account(chain_id, block, account, ACCOUNT_BALANCE, balance);
}

pub fn mock_account(chain_id: felt252, block: u64, account: felt252, field: felt252, value: u256) {
    mock(ACCOUNT, field, array![chain_id, block.into(), account], word(value));
}

pub fn mock_storage(chain_id: felt252, block: u64, account: felt252, slot: u256, value: u256) {
    let key = array![chain_id, block.into(), account, slot.high.into(), slot.low.into()];
    mock(STORAGE, STORAGE_SLOT, key, word(value));
}

/// A log by the positions of its transaction and of itself in it. Words of data have the high half
/// first.
pub fn mock_log(
    chain_id: felt252,
    block: u64,
    transaction: u64,
    log: u64,
    address: u256,
    topic0: u256,
    data: Span<u256>,
) {
    let key = array![chain_id, block.into(), transaction.into(), log.into()];
    let mut felts: Array<felt252> = array![];
    for word in data {
        felts.append((*word).high.into());
        felts.append((*word).low.into());
    }
    mock(LOG, LOG_ADDRESS, key.clone(), word(address));
    mock(LOG, LOG_TOPIC0, key.clone(), word(topic0));
    mock(LOG, LOG_DATA, key, felts);
}

pub fn mock_starknet_storage(
    chain_id: felt252, block: u64, contract: felt252, key: felt252, value: felt252,
) {
    let place = array![chain_id, block.into(), contract, key];
    mock(STARKNET_STORAGE, STORAGE_SLOT, place, array![value]);
}

/// A trie of injected state, empty but for what `mock_state_value` gives it. Its roots here are
/// other numbers than those of a run.
pub fn mock_state(label: felt252) {
    mock(STATE, STATE_LABEL, array![label], array![0, 1]);
}

pub fn mock_state_value(label: felt252, key: felt252, value: felt252) {
    let exists = if value == 0 {
        0
    } else {
        1
    };
    mock(STATE, STATE_READ, array![label, key], array![value, exists]);
}

/// What a read through the handle gets; `key` is what follows the handle's pointer.
pub fn answer(handler: felt252, field: felt252, key: Span<felt252>) -> Span<felt252> {
    let mut felts = kept(handler, field, key);
    if handler == STATE && field != STATE_LABEL {
        let label = *key[0];
        let root = kept(STATE, STATE_LABEL, array![label].span());
        assert!(root.len() != 0, "no label of injected state {}: mock it", label);
        if field == STATE_WRITE {
            let next = poseidon_hash_span(array![*root[0], *key[1], *key[2]].span());
            mock(STATE, STATE_LABEL, array![label], array![next, 1]);
            mock_state_value(label, *key[1], *key[2]);
            return array![next].span();
        }
        if felts.len() == 0 {
            felts = array![0, 0].span();
        }
    }
    assert!(felts.len() != 0, "handler {}, field {}, key {:?}: mock it", handler, field, key);
    felts
}

/// Keeps an answer in the test's own storage: its length, then its felts.
fn mock(handler: felt252, field: felt252, key: Array<felt252>, felts: Array<felt252>) {
    store(place(handler, field, key.span(), 0), felts.len().into());
    let mut position: felt252 = 1;
    for felt in felts {
        store(place(handler, field, key.span(), position), felt);
        position += 1;
    };
}

fn kept(handler: felt252, field: felt252, key: Span<felt252>) -> Span<felt252> {
    let count = load(place(handler, field, key, 0));
    let mut felts: Array<felt252> = array![];
    while felts.len().into() != count {
        let position = felts.len().into() + 1;
        felts.append(load(place(handler, field, key, position)));
    }
    felts.span()
}

fn place(handler: felt252, field: felt252, key: Span<felt252>, position: felt252) -> felt252 {
    let mut named = array![handler, field, position];
    named.append_span(key);
    poseidon_hash_span(named.span())
}

fn store(place: felt252, felt: felt252) {
    let base = storage_base_address_from_felt252(place);
    storage_write_syscall(0, storage_address_from_base_and_offset(base, 0), felt).unwrap_syscall();
}

fn load(place: felt252) -> felt252 {
    let base = storage_base_address_from_felt252(place);
    storage_read_syscall(0, storage_address_from_base_and_offset(base, 0)).unwrap_syscall()
}

fn word(value: u256) -> Array<felt252> {
    array![value.low.into(), value.high.into()]
}

fn memorizer() -> Memorizer {
    Memorizer { dict: RelocatableValue { segment_index: 0, offset: 0 } }
}
