// SPDX-License-Identifier: MIT
//! Chain data for unit tests: what the data handle answers while `snforge test` runs `main`. Each
//! value is mocked for its chain, block and key; a read of anything else fails the test, and names
//! the mock to call.
//!
//! The feature `mocks` turns them on. It belongs under `[dev-dependencies]`, so that the built
//! module has none of them.

use core::poseidon::poseidon_hash_span;
use starknet::SyscallResultTrait;
use starknet::storage_access::{
    storage_address_from_base_and_offset, storage_base_address_from_felt252,
};
use starknet::syscalls::{storage_read_syscall, storage_write_syscall};
use crate::bloom::event_bits;
use crate::fields::{account, header, log, receipt};
use crate::handle::{HDP, Memorizer, RelocatableValue};
use crate::reads::{handlers, selectors};

/// The segments by which a read's world is known here.
const EVM: felt252 = 0;
const STARKNET: felt252 = 1;
const INJECTED_STATE: felt252 = 2;
const UNCONSTRAINED: felt252 = 3;

/// A data handle, as the first argument of `main`.
pub fn handle() -> HDP {
    HDP {
        evm: memorizer(EVM),
        starknet: memorizer(STARKNET),
        injected_state: memorizer(INJECTED_STATE),
        unconstrained: memorizer(UNCONSTRAINED),
    }
}

/// A number of a block header, by its number in `fields::header`.
pub fn mock_header(chain_id: felt252, block: u64, field: u8, value: u256) {
    mock(EVM, handlers::HEADER, field.into(), array![chain_id, block.into()], word(value));
}

/// Seconds since 1970.
pub fn mock_header_timestamp(chain_id: felt252, block: u64, seconds: u256) {
    mock_header(chain_id, block, header::TIMESTAMP, seconds);
}

/// In wei per gas.
pub fn mock_header_base_fee_per_gas(chain_id: felt252, block: u64, fee: u256) {
    mock_header(chain_id, block, header::BASE_FEE_PER_GAS, fee);
}

/// A block's bloom filter: 8 words of 32 bytes.
pub fn mock_header_logs_bloom(chain_id: felt252, block: u64, bloom: Span<u256>) {
    let key = array![chain_id, block.into()];
    mock(EVM, handlers::HEADER, header::LOGS_BLOOM.into(), key, words(bloom));
}

/// A number of an account, by its number in `fields::account`.
pub fn mock_account(chain_id: felt252, block: u64, account: felt252, field: u8, value: u256) {
    let key = array![chain_id, block.into(), account];
    mock(EVM, handlers::ACCOUNT, field.into(), key, word(value));
}

/// Number of transactions that the account has sent.
pub fn mock_account_nonce(chain_id: felt252, block: u64, account: felt252, nonce: u256) {
    mock_account(chain_id, block, account, account::NONCE, nonce);
}

/// In wei.
pub fn mock_account_balance(chain_id: felt252, block: u64, account: felt252, balance: u256) {
    mock_account(chain_id, block, account, account::BALANCE, balance);
}

/// A slot of a contract's storage.
pub fn mock_storage(chain_id: felt252, block: u64, account: felt252, slot: u256, value: u256) {
    let key = array![chain_id, block.into(), account, slot.high.into(), slot.low.into()];
    mock(EVM, handlers::STORAGE, selectors::SLOT, key, word(value));
}

/// A number of a transaction by its position, by its number in `fields::transaction`.
pub fn mock_transaction(chain_id: felt252, block: u64, transaction: u64, field: u8, value: u256) {
    let key = array![chain_id, block.into(), transaction.into()];
    mock(EVM, handlers::TRANSACTION, field.into(), key, word(value));
}

/// A number of the receipt of a transaction, by its number in `fields::receipt`.
pub fn mock_receipt(chain_id: felt252, block: u64, transaction: u64, field: u8, value: u256) {
    let key = array![chain_id, block.into(), transaction.into()];
    mock(EVM, handlers::RECEIPT, field.into(), key, word(value));
}

/// A receipt's bloom filter: 8 words of 32 bytes.
pub fn mock_receipt_bloom(chain_id: felt252, block: u64, transaction: u64, bloom: Span<u256>) {
    let key = array![chain_id, block.into(), transaction.into()];
    mock(EVM, handlers::RECEIPT, receipt::BLOOM.into(), key, words(bloom));
}

/// The bloom filter of a block or receipt whose only log is an event of a contract: for
/// `mock_header_logs_bloom` and `mock_receipt_bloom`.
pub fn event_bloom(emitter: u256, topic0: u256) -> Array<u256> {
    let bits = event_bits(emitter, topic0).bits;
    let mut bloom: Array<u256> = array![];
    for word in 0_u32..8 {
        let mut value: u256 = 0;
        for (at, bit) in bits {
            if *at == word {
                value = value | *bit;
            }
        }
        bloom.append(value);
    }
    bloom
}

/// A log by the positions of its transaction and of itself in it, with up to 4 topics and its data
/// in words of 32 bytes.
pub fn mock_log(
    chain_id: felt252,
    block: u64,
    transaction: u64,
    log: u64,
    address: u256,
    topics: Span<u256>,
    data: Span<u256>,
) {
    let key = array![chain_id, block.into(), transaction.into(), log.into()];
    mock(EVM, handlers::LOG, log::ADDRESS.into(), key.clone(), word(address));
    mock(EVM, handlers::LOG, log::DATA.into(), key.clone(), words(data));
    assert(topics.len() <= 4, 'a log has at most 4 topics');
    let mut field: felt252 = log::TOPIC0.into();
    for topic in topics {
        mock(EVM, handlers::LOG, field, key.clone(), word(*topic));
        field += 1;
    }
}

/// A felt of a Starknet block header, by its number in `fields::starknet_header`.
pub fn mock_starknet_header(chain_id: felt252, block: u64, field: u8, value: felt252) {
    let key = array![chain_id, block.into()];
    mock(STARKNET, handlers::STARKNET_HEADER, field.into(), key, array![value]);
}

/// A felt of a Starknet contract's storage.
pub fn mock_starknet_storage(
    chain_id: felt252, block: u64, contract: felt252, key: felt252, value: felt252,
) {
    let place = array![chain_id, block.into(), contract, key];
    mock(STARKNET, handlers::STARKNET_STORAGE, selectors::SLOT, place, array![value]);
}

/// A trie of injected state, empty but for what `mock_state_value` gives it. Its roots here are
/// other numbers than those of a run.
pub fn mock_state(label: felt252) {
    mock(INJECTED_STATE, handlers::STATE, selectors::STATE_LABEL, array![label], array![0, 1]);
}

/// A key of a trie; 0 for one that it does not have.
pub fn mock_state_value(label: felt252, key: felt252, value: felt252) {
    let exists = if value == 0 {
        0
    } else {
        1
    };
    let felts = array![value, exists];
    mock(INJECTED_STATE, handlers::STATE, selectors::STATE_READ, array![label, key], felts);
}

/// What a read through the handle gets; `key` is what follows the handle's pointer.
pub(crate) fn answer(
    memorizer: @Memorizer, handler: felt252, field: felt252, key: Span<felt252>,
) -> Span<felt252> {
    let world = *memorizer.dict.segment_index;
    if handler == handlers::STATE {
        return state_answer(field, key);
    }
    match kept(world, handler, field, key) {
        Option::Some(felts) => felts,
        Option::None => core::panics::panic_with_byte_array(@missing(world, handler, field, key)),
    }
}

fn state_answer(selector: felt252, key: Span<felt252>) -> Span<felt252> {
    let label = *key[0];
    let root = kept(INJECTED_STATE, handlers::STATE, selectors::STATE_LABEL, [label].span());
    if selector == selectors::STATE_LABEL {
        // A run answers so for a label that its task does not name.
        return root.unwrap_or([0, 0].span());
    }
    let Option::Some(root) = root else {
        panic!("injected state under the label 0x{label:x}: call mock_state(0x{label:x})");
    };
    if selector == selectors::STATE_READ {
        return kept(INJECTED_STATE, handlers::STATE, selector, key).unwrap_or([0, 0].span());
    }
    let next = poseidon_hash_span([*root[0], *key[1], *key[2]].span());
    mock(INJECTED_STATE, handlers::STATE, selectors::STATE_LABEL, array![label], array![next, 1]);
    mock_state_value(label, *key[1], *key[2]);
    [next].span()
}

/// What a failed test says: the read, and the mock that answers it.
fn missing(world: felt252, handler: felt252, field: felt252, key: Span<felt252>) -> ByteArray {
    let chain = *key[0];
    let block = *key[1];
    let at = format!("block {block} of chain {chain}");
    if world == STARKNET {
        if handler == handlers::STARKNET_HEADER {
            return format!("field {field} of the Starknet header, {at}: call mock_starknet_header");
        }
        let (contract, slot) = (*key[2], *key[3]);
        return format!(
            "Starknet storage of 0x{contract:x}, key 0x{slot:x}, {at}: call mock_starknet_storage",
        );
    }
    if handler == handlers::HEADER {
        return format!("field {field} of the header, {at}: call mock_header");
    }
    let third = *key[2];
    if handler == handlers::ACCOUNT {
        return format!("field {field} of account 0x{third:x}, {at}: call mock_account");
    }
    if handler == handlers::STORAGE {
        let slot: u256 = u256 {
            low: (*key[4]).try_into().unwrap(), high: (*key[3]).try_into().unwrap(),
        };
        return format!("storage of 0x{third:x}, slot {slot}, {at}: call mock_storage");
    }
    if handler == handlers::TRANSACTION {
        return format!("field {field} of transaction {third}, {at}: call mock_transaction");
    }
    if handler == handlers::RECEIPT {
        return format!("field {field} of receipt {third}, {at}: call mock_receipt");
    }
    let log = *key[3];
    format!("field {field} of log {log} of transaction {third}, {at}: call mock_log")
}

/// Keeps an answer in the test's own storage: its length and 1, then its felts.
fn mock(
    world: felt252, handler: felt252, field: felt252, key: Array<felt252>, felts: Array<felt252>,
) {
    store(place(world, handler, field, key.span(), 0), felts.len().into() + 1);
    let mut position: felt252 = 1;
    for felt in felts {
        store(place(world, handler, field, key.span(), position), felt);
        position += 1;
    }
}

fn kept(
    world: felt252, handler: felt252, field: felt252, key: Span<felt252>,
) -> Option<Span<felt252>> {
    let end = load(place(world, handler, field, key, 0));
    if end == 0 {
        return Option::None;
    }
    let mut felts: Array<felt252> = array![];
    let mut position = 1;
    while position != end {
        felts.append(load(place(world, handler, field, key, position)));
        position += 1;
    }
    Option::Some(felts.span())
}

fn place(
    world: felt252, handler: felt252, field: felt252, key: Span<felt252>, position: felt252,
) -> felt252 {
    let mut named = array![world, handler, field, position];
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

/// Numbers have the low half first.
fn word(value: u256) -> Array<felt252> {
    array![value.low.into(), value.high.into()]
}

/// Values of several words have each word's high half first.
fn words(values: Span<u256>) -> Array<felt252> {
    let mut felts: Array<felt252> = array![];
    for value in values {
        felts.append((*value).high.into());
        felts.append((*value).low.into());
    }
    felts
}

fn memorizer(segment_index: felt252) -> Memorizer {
    Memorizer { dict: RelocatableValue { segment_index, offset: 0 } }
}
