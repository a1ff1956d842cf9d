// Pedersen, Poseidon and both forms of keccak.
use core::hash::{HashStateExTrait, HashStateTrait};
use core::pedersen::PedersenTrait;
use core::poseidon::{PoseidonTrait, hades_permutation, poseidon_hash_span};

pub fn compute(inputs: Span<felt252>) -> Array<felt252> {
    let first = *inputs[0];
    let second = *inputs[1];
    let mut out: Array<felt252> = array![];
    out.append(core::pedersen::pedersen(first, second));
    out.append(PedersenTrait::new(first).update(second).update_with((first, 7_u64)).finalize());
    out.append(PoseidonTrait::new().update(first).update(second).finalize());
    out.append(poseidon_hash_span(inputs));
    let (a, b, c) = hades_permutation(first, second, 3);
    out.append(a);
    out.append(b);
    out.append(c);
    out
}
