// Loops to measure the machine by: one kind of program each.
#[starknet::contract]
mod Loops {
    use core::dict::Felt252Dict;
    use core::poseidon::poseidon_hash_span;
    use crate::handle::HDP;

    #[storage]
    struct Storage {}

    // kind 0: small felts, 1: large felts, 2: u256 arithmetic, 3: a dictionary, 4: hashes.
    #[external(v0)]
    fn main(ref self: ContractState, hdp: HDP, kind: felt252, turns: u32) -> felt252 {
        match kind {
            0 => fibonacci(turns),
            1 => large(turns),
            2 => wide(turns),
            3 => dictionary(turns),
            _ => hashes(turns),
        }
    }

    fn fibonacci(turns: u32) -> felt252 {
        let mut a = 0;
        let mut b = 1;
        let mut left: felt252 = turns.into();
        while left != 0 {
            let next = if b == 1000000 { 1 } else { b + 1 };
            a = b;
            b = next;
            left -= 1;
        }
        a
    }

    fn large(turns: u32) -> felt252 {
        let mut a = 3;
        let mut left: felt252 = turns.into();
        while left != 0 {
            a = a * a + left;
            left -= 1;
        }
        a
    }

    fn wide(turns: u32) -> felt252 {
        let mut a: u256 = 0x123456789abcdef0123456789abcdef;
        let mut left: felt252 = turns.into();
        while left != 0 {
            a = (a * 3 + left.into()) % 0xfedcba9876543210fedcba9876543210fedcba9876543210;
            left -= 1;
        }
        a.low.into()
    }

    fn dictionary(turns: u32) -> felt252 {
        let mut dict: Felt252Dict<u128> = Default::default();
        let mut left: felt252 = turns.into();
        while left != 0 {
            let old = dict.get(left * 7);
            dict.insert(left * 7, old + 1);
            left -= 1;
        }
        dict.get(7).into()
    }

    fn hashes(turns: u32) -> felt252 {
        let mut a = 3;
        let mut left: felt252 = turns.into();
        while left != 0 {
            a = poseidon_hash_span(array![a, left].span());
            left -= 1;
        }
        a
    }
}
