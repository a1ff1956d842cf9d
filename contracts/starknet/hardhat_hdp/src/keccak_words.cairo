// SPDX-License-Identifier: MIT
//! Keccak-256 over 32-byte words, as Solidity's `keccak256(abi.encode(…))` computes it.

use core::integer::u128_byte_reverse;
use core::keccak::keccak_u256s_be_inputs;

/// The same 32 bytes read from the other end.
pub fn reverse_bytes(value: u256) -> u256 {
    u256 { low: u128_byte_reverse(value.high), high: u128_byte_reverse(value.low) }
}

/// Keccak-256 of the big-endian words, as a big-endian number.
pub fn keccak_words(words: Span<u256>) -> u256 {
    reverse_bytes(keccak_u256s_be_inputs(words))
}
