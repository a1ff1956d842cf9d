use core::dict::Felt252Dict;
use core::num::traits::{CheckedAdd, Zero};
use hardhat_hdp_module::{HDP, HDPTrait};
use starknet::syscalls::get_block_hash_syscall;

/// Panics in the way of a number, at the line that ends with it. `one` is 1, so that the compiler
/// computes nothing beforehand.
pub fn panics(hdp: HDP, kind: felt252, one: u8) -> felt252 {
    match kind {
        0 => { (one + 255).into() }, // 0
        1 => { (one - 2).into() }, // 1
        2 => { wide(one) },
        3 => { (7 / (one - 1)).into() }, // 3
        4 => {
            let list = array![one.into()];
            *list[one.into()] // 4
        },
        5 => {
            let list: Span<felt252> = [one.into()].span();
            *list.at(one.into()) // 5
        },
        6 => { nothing(one).unwrap() }, // 6
        7 => { failure(one).unwrap() }, // 7
        8 => { nothing(one).expect('expected') }, // 8
        9 => {
            let byte: u8 = (one.into() + 255).try_into().unwrap(); // 9
            byte.into()
        },
        10 => {
            assert(one != 1, 'asserted'); // 10
            0
        },
        11 => {
            assert!(one != 1, "asserted that {} is not 1", one); // 11
            0
        },
        12 => {
            let missing: Option<u8> = if one == 1 {
                None
            } else {
                Some(1)
            };
            missing.expect('in place').into() // 12
        },
        13 => { panic!("said of {}", one) }, // 13
        14 => { core::panic_with_felt252('a felt') }, // 14
        15 => { core::panics::panic(array!['one', one.into(), 'three']) }, // 15
        16 => { looped(one) },
        17 => {
            let check = |value: u8| -> u8 {
                value - 3 // 17
            };
            check(one).into()
        },
        18 => {
            let mut left: u8 = one;
            while left != 2 {
                left -= 1; // 18
            }
            left.into()
        },
        19 => { one.halved() },
        20 => {
            let mut dict: Felt252Dict<u8> = Default::default();
            dict.insert(one.into(), 255);
            (dict.get(one.into()) + one).into() // 20
        },
        21 => {
            let zero: u128 = (one - 1).into();
            let divisor: NonZero<u128> = zero.try_into().unwrap(); // 21
            let (quotient, _) = DivRem::div_rem(7_u128, divisor);
            quotient.into()
        },
        22 => { recursive(one) },
        23 => { outer(one) },
        24 => {
            let signed: i8 = 127;
            let more: i8 = one.try_into().unwrap();
            (signed + more).into() // 24
        },
        25 => {
            let mut list = array![one];
            let _ = list.pop_front();
            list.pop_front().expect('the list is empty').into() // 25
        },
        26 => { generic::<u8>(one) },
        27 => {
            let found = returns(one) + one.into();
            core::panics::panic(array![found]) // 27
        },
        28 => {
            let _ = get_block_hash_syscall(one.into()); // 28
            0
        },
        29 => { hdp.header_number(11155111, one.into()).low.into() }, // 29
        _ => { 0 },
    }
}

fn wide(one: u8) -> felt252 {
    let small: u256 = one.into();
    let less = small - 0x100000000000000000000000000000000; // 2
    less.low.into()
}

#[inline(never)]
fn returns(one: u8) -> felt252 {
    if one == 1 {
        return 7;
    }
    (one + 1).into()
}

fn nothing(one: u8) -> Option<felt252> {
    if one == 1 {
        return None;
    }
    Some(0)
}

fn failure(one: u8) -> Result<felt252, felt252> {
    if one == 1 {
        return Err('failed');
    }
    Ok(0)
}

fn looped(one: u8) -> felt252 {
    for step in 0..5_u8 {
        assert(step + one != 4, 'the fourth step'); // 16
    }
    0
}

fn recursive(left: u8) -> felt252 {
    if left == 250 {
        return (left + left).into(); // 22
    }
    recursive(left + 1)
}

fn outer(one: u8) -> felt252 {
    inner(one) + 1
}

#[inline(never)]
fn inner(one: u8) -> felt252 {
    let list: Array<felt252> = array![];
    *list[one.into()] // 23
}

fn generic<T, +Zero<T>, +CheckedAdd<T>, +Drop<T>, +Copy<T>, +Into<T, felt252>>(one: T) -> felt252 {
    let twice: T = one.checked_add(one).unwrap();
    assert(twice.is_zero(), 'not zero'); // 26
    twice.into()
}

trait Halves {
    fn halved(self: u8) -> felt252;
}

impl HalvesImpl of Halves {
    fn halved(self: u8) -> felt252 {
        assert!(self % 2 == 0, "odd"); // 19
        (self / 2).into()
    }
}
