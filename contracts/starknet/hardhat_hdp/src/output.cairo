// SPDX-License-Identifier: MIT
//! The forms in which a module returns values so that the stored root fixes their order: one felt,
//! felts that carry their place, or one felt that is a digest of all values.
//!
//! A store keeps a root over the felts that `main` returned. That root does not say which felt came
//! first: a module that returns a plain u256 or an array lets anybody bring its values in another
//! order. Let `main` return `felt252`, `[felt252; 2]` by `marked_u256`, `[felt252; N]` by `marked`,
//! or `felt252` by `digest`.

use core::integer::u128_byte_reverse;
use core::keccak::{compute_keccak_byte_array, keccak_u256s_be_inputs};

/// The distance between the marks of two places: 2^128.
const PLACE: felt252 = 0x100000000000000000000000000000000;
/// The high half of 2^250 - 1: a digest has 250 bits, as `sn_keccak`.
const DIGEST_MASK_HIGH: u128 = 0x3ffffffffffffffffffffffffffffff;

/// Returns values that carry their places, as `main` returns them: felt i is value i + i * 2^128.
///
/// A fixed-size array has no length in front of its felts, which an `Array` would have.
pub fn marked<const COUNT: usize, impl Values: ToSpanTrait<[u128; COUNT], u128>>(
    values: [u128; COUNT],
) -> [felt252; COUNT] {
    let felts: @Box<[felt252; COUNT]> = marked_felts(Values::span(@values))
        .span()
        .try_into()
        .unwrap();
    *felts.as_snapshot().unbox()
}

/// Returns both halves of a value as `main` returns them: low, high + 2^128.
pub fn marked_u256(value: u256) -> [felt252; 2] {
    marked([value.low, value.high])
}

/// Returns the felts that `marked` returns, of any number of values.
pub fn marked_felts(values: Span<u128>) -> Array<felt252> {
    let mut felts: Array<felt252> = array![];
    let mut place: felt252 = 0;
    for value in values {
        felts.append((*value).into() + place);
        place += PLACE;
    }
    felts
}

/// Returns Keccak-256 of the words, 32 bytes each, most significant byte first, cut to 250 bits.
pub fn digest(words: Span<u256>) -> felt252 {
    cut(keccak_u256s_be_inputs(words))
}

/// Returns the digest of a value of any type: of the felts of its Serde form, a word each.
pub fn digest_of<T, +Serde<T>>(value: @T) -> felt252 {
    let mut felts: Array<felt252> = array![];
    value.serialize(ref felts);
    let mut words: Array<u256> = array![];
    for felt in felts {
        words.append(felt.into());
    }
    digest(words.span())
}

/// Returns Keccak-256 of the bytes, cut to 250 bits. Bytes that are whole words have the digest of
/// these words.
pub fn digest_of_bytes(bytes: @ByteArray) -> felt252 {
    cut(compute_keccak_byte_array(bytes))
}

/// Cuts a hash, whose bytes the core library gives from the last to the first, to 250 bits.
fn cut(reversed: u256) -> felt252 {
    let high = u128_byte_reverse(reversed.low) & DIGEST_MASK_HIGH;
    let low = u128_byte_reverse(reversed.high);
    u256 { low, high }.try_into().unwrap()
}
