// SPDX-License-Identifier: MIT
//! What the data processor stores for a module task: a root over the felts its program returned.
//!
//! The root's tree hashes the smaller of two nodes first, so a root does not fix the order of the
//! felts. Compare it only with the root of one felt, or of felts that carry their places.

use core::keccak::keccak_u256s_be_inputs;
use crate::keccak_words::{keccak_words, reverse_bytes};
use crate::output::{digest, digest_of_bytes, marked_felts};
use crate::task::HdpForm;

/// Stored when a program returned nothing: Keccak-256 of one zero byte.
pub const EMPTY_OUTPUT_ROOT: u256 =
    0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a;

/// What the functions of this module panic with.
pub mod Errors {
    /// Fewer than two values: one value is one felt, see `root_of_felt`.
    pub const TOO_FEW_VALUES: felt252 = 'fewer than two marked values';
}

/// Returns the word that a store keeps where a task of this form has the value.
pub fn word_of(form: HdpForm, value: u256) -> u256 {
    match form {
        HdpForm::Datalake => value,
        HdpForm::Module => root_of_value(value),
    }
}

/// Returns the root over one felt.
///
/// Another felt has another root, and so has any other number of felts: the root of one felt is a
/// hash of 32 bytes, that of several a hash of 64.
pub fn root_of_felt(felt: felt252) -> u256 {
    // The felt's little-endian bytes hashed once, and the digest byte-reversed. The core function's
    // result is already the reversed digest.
    keccak_u256s_be_inputs(array![reverse_bytes(felt.into())].span())
}

/// Returns the root over two or more values that carry their places, each below 2^128.
///
/// Felts that were swapped are no longer marked by their places, so no other list of values has
/// this root.
///
/// Requirements:
///
/// - There are at least two values.
pub fn root_of_marked(values: Span<u128>) -> u256 {
    assert(values.len() >= 2, Errors::TOO_FEW_VALUES);
    unordered_root(marked_felts(values).span())
}

/// Returns the root over both halves of a value, marked by their places: what the standard programs
/// return.
pub fn root_of_value(value: u256) -> u256 {
    root_of_marked(array![value.low, value.high].span())
}

/// Returns the root over one felt that is a digest of the words.
pub fn root_of_digest(words: Span<u256>) -> u256 {
    root_of_felt(digest(words))
}

/// Returns the root over one felt that is a digest of the bytes.
pub fn root_of_digest_of_bytes(bytes: @ByteArray) -> u256 {
    root_of_felt(digest_of_bytes(bytes))
}

/// Returns the root over felts, for tests and tools. It does not fix their order: (1, 2) and (2, 1)
/// have one root, and so have 8 of the 24 orders of four felts. A contract that compares a stored
/// root with it lets its caller choose among them.
pub fn unordered_root(felts: Span<felt252>) -> u256 {
    let count = felts.len();
    if count == 0 {
        return EMPTY_OUTPUT_ROOT;
    }
    if count == 1 {
        return root_of_felt(*felts.at(0));
    }
    // The tree's nodes from the last leaf up: leaves in order, then each parent of the next two
    // nodes.
    let mut nodes: Array<u256> = array![];
    for felt in felts {
        nodes.append(leaf((*felt).into()));
    }
    for parent in 0..count - 1 {
        nodes.append(pair(*nodes.at(2 * parent), *nodes.at(2 * parent + 1)));
    };
    *nodes.at(2 * count - 2)
}

fn leaf(felt: u256) -> u256 {
    let inner = keccak_words(array![reverse_bytes(felt)].span());
    keccak_words(array![inner].span())
}

fn pair(first: u256, second: u256) -> u256 {
    if first < second {
        keccak_words(array![first, second].span())
    } else {
        keccak_words(array![second, first].span())
    }
}
