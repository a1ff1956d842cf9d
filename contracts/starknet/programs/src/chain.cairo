// SPDX-License-Identifier: MIT
//! Reads of an EVM chain: calls to the data processor, which the prover checks against the chain.
use starknet::SyscallResultTrait;
use starknet::syscalls::call_contract_syscall;

pub const HEADER: felt252 = 0;
pub const ACCOUNT: felt252 = 1;
pub const STORAGE: felt252 = 2;
pub const TRANSACTION: felt252 = 3;
pub const RECEIPT: felt252 = 4;

/// Reads a field. `key` is the handle's pair, the chain id, and what the handler asks for behind
/// it.
pub fn read(handler: felt252, field: felt252, key: Span<felt252>) -> u256 {
    let mut felts = call_contract_syscall(handler.try_into().unwrap(), field, key).unwrap_syscall();
    match felts.multi_pop_front::<2>() {
        Option::Some(halves) => {
            assert(felts.is_empty(), 'not a value of 256 bits');
            let [low, high] = halves.unbox();
            u256 { low: low.try_into().unwrap(), high: high.try_into().unwrap() }
        },
        Option::None => core::panic_with_felt252('not a value of 256 bits'),
    }
}
