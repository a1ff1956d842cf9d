//! What the data processor stores for a module task: a root over the felts its program returned. A
//! contract that needs the values takes them as calldata and checks them against the stored root.

use core::keccak::keccak_u256s_be_inputs;
use crate::keccak_words::{keccak_words, reverse_bytes};

/// Stored when a program returned nothing: Keccak-256 of one zero byte.
pub const EMPTY_OUTPUT_ROOT: u256 =
    0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a;

/// What `assert_output` panics with.
pub mod Errors {
    /// The felts are not what the program returned.
    pub const OUTPUT_ROOT_MISMATCH: felt252 = 'OUTPUT_ROOT_MISMATCH';
}

/// The root over the felts a program returned. A u256 counts as two felts (low, high), an array as
/// its length followed by its items.
pub fn output_root(felts: Span<felt252>) -> u256 {
    let count = felts.len();
    if count == 0 {
        return EMPTY_OUTPUT_ROOT;
    }
    if count == 1 {
        // One felt: its little-endian bytes hashed once, and the digest byte-reversed. The core
        // function's result is already the reversed digest.
        let felt: u256 = (*felts.at(0)).into();
        return keccak_u256s_be_inputs(array![reverse_bytes(felt)].span());
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

/// Panics with 'OUTPUT_ROOT_MISMATCH' unless `felts` are what the program behind `stored_result`
/// returned.
pub fn assert_output(stored_result: u256, felts: Span<felt252>) {
    assert(output_root(felts) == stored_result, Errors::OUTPUT_ROOT_MISMATCH);
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
