// SPDX-License-Identifier: MIT
//! Proofs of injected state: what a trie holds under a key, and that one root follows from another.

use core::dict::Felt252Dict;
use core::nullable::NullableTrait;
use core::num::traits::Pow;
use crate::keccak_words::keccak_words;

/// Bits of a key: every leaf is this deep.
const HEIGHT: u32 = 251;
/// Of a hash's 256 bits, the upper 160 are kept.
const DROPPED: u256 = 0x1000000000000000000000000;

/// An inner node of a trie: a binary node, or an edge, whose length is not 0. Children are hashes;
/// at the bottom of the trie, a hash is the leaf's value.
#[derive(Copy, Drop, Serde, Debug, PartialEq)]
pub struct StateNode {
    /// The left child of a binary node, of keys whose next bit is 0; the only child of an edge.
    pub child: felt252,
    /// The right child of a binary node; of an edge, the key's bits that lead to the child.
    pub right_or_path: felt252,
    /// How many bits lead to an edge's child; 0 for a binary node.
    pub length: u32,
}

/// The hash of a node, by which its parent names it: the upper 160 bits of Keccak-256 over two
/// words, to which an edge adds its length.
pub fn state_node_hash(node: StateNode) -> felt252 {
    let words = array![node.child.into(), node.right_or_path.into()];
    let kept: felt252 = (keccak_words(words.span()) / DROPPED).try_into().unwrap();
    kept + node.length.into()
}

/// Whether `nodes`, in any order, show that the trie of this root holds `value`, which is not 0,
/// under `key`.
pub fn verify_state_inclusion(
    root: felt252, key: felt252, value: felt252, nodes: Span<StateNode>,
) -> bool {
    value != 0 && value_under(root, key, nodes) == Option::Some(value)
}

/// Whether `nodes`, in any order, show that the trie of this root holds nothing under `key`.
pub fn verify_state_exclusion(root: felt252, key: felt252, nodes: Span<StateNode>) -> bool {
    value_under(root, key, nodes) == Option::Some(0)
}

/// Whether `nodes`, in any order, show that giving `key` this value, and nothing else, leads from
/// one root to the other. The value 0 removes the key.
pub fn verify_state_update(
    root_before: felt252, root_after: felt252, key: felt252, value: felt252, nodes: Span<StateNode>,
) -> bool {
    let mut known = by_hash(nodes);
    is_key(key)
        && write(ref known, root_before, HEIGHT, key.into(), value) == Option::Some(root_after)
}

fn value_under(root: felt252, key: felt252, nodes: Span<StateNode>) -> Option<felt252> {
    let mut known = by_hash(nodes);
    if is_key(key) {
        read(ref known, root, HEIGHT, key.into())
    } else {
        Option::None
    }
}

fn is_key(key: felt252) -> bool {
    key.into() < 2_u256.pow(HEIGHT)
}

type Nodes = Felt252Dict<Nullable<StateNode>>;

fn by_hash(nodes: Span<StateNode>) -> Nodes {
    let mut known: Nodes = Default::default();
    for node in nodes {
        add(ref known, *node);
    }
    known
}

fn add(ref nodes: Nodes, node: StateNode) -> felt252 {
    let hash = state_node_hash(node);
    nodes.insert(hash, NullableTrait::new(node));
    hash
}

/// The node of a hash, if it is known and may stand at this height.
fn find(ref nodes: Nodes, hash: felt252, height: u32) -> Option<StateNode> {
    let found = nodes.get(hash);
    if found.is_null() {
        return Option::None;
    }
    let node = found.deref();
    let is_fit = node.length == 0
        || (node.length <= height && node.right_or_path.into() < 2_u256.pow(node.length));
    if is_fit {
        Option::Some(node)
    } else {
        Option::None
    }
}

fn read(ref nodes: Nodes, hash: felt252, height: u32, key: u256) -> Option<felt252> {
    if hash == 0 || height == 0 {
        return Option::Some(hash);
    }
    let StateNode { child, right_or_path, length } = find(ref nodes, hash, height)?;
    if length == 0 {
        let next = if bits(key, height - 1, 1) == 0 {
            child
        } else {
            right_or_path
        };
        return read(ref nodes, next, height - 1, key);
    }
    if bits(key, height - length, length) != right_or_path.into() {
        return Option::Some(0);
    }
    read(ref nodes, child, height - length, key)
}

fn write(
    ref nodes: Nodes, hash: felt252, height: u32, key: u256, value: felt252,
) -> Option<felt252> {
    if height == 0 {
        return Option::Some(value);
    }
    if hash == 0 {
        return edge(ref nodes, value, bits(key, 0, height), height, 0);
    }
    let StateNode { child, right_or_path, length } = find(ref nodes, hash, height)?;
    if length == 0 {
        let below = height - 1;
        if bits(key, below, 1) == 0 {
            let changed = write(ref nodes, child, below, key, value)?;
            return join(ref nodes, changed, right_or_path, below);
        }
        let changed = write(ref nodes, right_or_path, below, key, value)?;
        return join(ref nodes, child, changed, below);
    }
    let path: u256 = right_or_path.into();
    let below = height - length;
    let wanted = bits(key, below, length);
    if wanted == path {
        let changed = write(ref nodes, child, below, key, value)?;
        return edge(ref nodes, changed, path, length, below);
    }
    if value == 0 {
        return Option::Some(hash);
    }
    // Bits of the edge below the first one in which the paths differ. They keep their child, which
    // is no edge.
    let rest = highest_bit(wanted ^ path);
    let old = edge(ref nodes, child, bits(path, 0, rest), rest, 0)?;
    let parting = below + rest;
    let own = edge(ref nodes, value, bits(key, 0, parting), parting, 0)?;
    let both = if bits(key, parting, 1) == 0 {
        join(ref nodes, own, old, parting)?
    } else {
        join(ref nodes, old, own, parting)?
    };
    let shared = length - rest - 1;
    edge(ref nodes, both, bits(key, parting + 1, shared), shared, parting + 1)
}

/// The node of two subtrees of this height, one of which may be empty.
fn join(ref nodes: Nodes, left: felt252, right: felt252, height: u32) -> Option<felt252> {
    if left == 0 {
        edge(ref nodes, right, 1, 1, height)
    } else if right == 0 {
        edge(ref nodes, left, 0, 1, height)
    } else {
        Option::Some(add(ref nodes, StateNode { child: left, right_or_path: right, length: 0 }))
    }
}

/// An edge to a subtree of this height, taking in the edge that it may lead to; height 0 says that
/// it leads to none.
fn edge(ref nodes: Nodes, child: felt252, path: u256, length: u32, height: u32) -> Option<felt252> {
    if child == 0 || length == 0 {
        return Option::Some(child);
    }
    let mut made = StateNode { child, right_or_path: path.try_into().unwrap(), length };
    if height != 0 {
        let next = find(ref nodes, child, height)?;
        if next.length != 0 {
            let shift: felt252 = 2_u256.pow(next.length).try_into().unwrap();
            let right_or_path = made.right_or_path * shift + next.right_or_path;
            made = StateNode { child: next.child, right_or_path, length: length + next.length };
        }
    }
    Option::Some(add(ref nodes, made))
}

fn bits(value: u256, from: u32, count: u32) -> u256 {
    value / 2_u256.pow(from) % 2_u256.pow(count)
}

/// Position of the highest bit that is 1, of a number that is not 0.
fn highest_bit(value: u256) -> u32 {
    let (mut rest, mut position) = if value.high == 0 {
        (value.low, 0)
    } else {
        (value.high, 128)
    };
    for (bits, power) in HALVES.span() {
        if rest >= *power {
            rest = rest / *power;
            position += *bits;
        }
    }
    position
}

/// Halves of 128 bits and of each other, with two to the power of them.
const HALVES: [(u32, u128); 7] = [
    (64, 0x10000000000000000), (32, 0x100000000), (16, 0x10000), (8, 0x100), (4, 0x10), (2, 4),
    (1, 2),
];
