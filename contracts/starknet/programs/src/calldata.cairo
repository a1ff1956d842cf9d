// SPDX-License-Identifier: MIT
//! What the data processor calls `main` with: its data handle, then the inputs of the task.

/// All felts of a call. Its `Serde` takes every felt that is left, so the compiler's check of their
/// number does not apply: `open` checks it.
#[derive(Drop)]
pub struct Calldata {
    pub felts: Span<felt252>,
}

impl CalldataSerde of Serde<Calldata> {
    fn serialize(self: @Calldata, ref output: Array<felt252>) {
        output.append_span(*self.felts);
    }

    fn deserialize(ref serialized: Span<felt252>) -> Option<Calldata> {
        let felts = serialized;
        serialized = array![].span();
        Option::Some(Calldata { felts })
    }
}

/// The data handle of one version of the prover.
#[derive(Copy, Drop)]
pub struct Handle {
    /// The pair that a read of an EVM chain passes back.
    pub segment_index: felt252,
    pub offset: felt252,
    /// The number that a transaction's type has among its fields.
    pub transaction_type: felt252,
}

/// With a handle of 4 or 6 felts, to v1.0.12. Of the commits between 2025-10-29 and 2025-11-05,
/// some have a handle of 6 and the later number: there the read fails, or returns no transaction
/// type.
const TYPE_TO_SEPTEMBER_2025: felt252 = 15;
const TYPE_SINCE_OCTOBER_2025: felt252 = 16;

/// Splits a call into the data handle and the `count` inputs, of which the first is `format`.
///
/// The handle's length follows from the number of felts alone. The format is checked at the place
/// that results and never searched: the prover chooses the handle's felts, and could put a format
/// and inputs of its own choice there.
///
/// Nor may the format stand in the handle. Private inputs, which the task hash leaves out, come
/// behind the public ones, and two or four of them make a handle look that much longer: the task's
/// own format would be taken for a felt of the handle, and its first block for the format.
pub fn open(calldata: Calldata, count: u32, format: felt252) -> (Handle, Span<felt252>) {
    let felts = calldata.felts;
    assert(felts.len() >= count, 'too few felts');
    let length = felts.len() - count;
    assert(length == 4 || length == 6 || length == 8, 'handle of unknown length');
    for felt in felts.slice(0, length) {
        assert(*felt != format, 'format in the handle');
    }
    let inputs = felts.slice(length, count);
    assert(*inputs[0] == format, 'inputs of another format');
    let transaction_type = if length == 8 {
        TYPE_SINCE_OCTOBER_2025
    } else {
        TYPE_TO_SEPTEMBER_2025
    };
    (Handle { segment_index: *felts[0], offset: *felts[1], transaction_type }, inputs)
}

/// Reads an input of 64 bits.
pub fn number(input: felt252) -> u64 {
    input.try_into().expect('input exceeds 64 bits')
}

/// Reads two inputs, the low and the high half of a uint256.
pub fn word(low: felt252, high: felt252) -> u256 {
    u256 {
        low: low.try_into().expect('input exceeds 128 bits'),
        high: high.try_into().expect('input exceeds 128 bits'),
    }
}
