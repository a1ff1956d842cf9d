// SPDX-License-Identifier: MIT
//! A task over blocks: a field of each header, an account or a storage slot at each block.

#[starknet::contract]
pub mod Blocks {
    use crate::aggregate::AggregateTrait;
    use crate::calldata::{Calldata, Handle, number, open, word};
    use crate::chain;

    const FORMAT: felt252 = 'hdp blocks 1';
    /// format, chain id, first, last, step, kind, field, address, slot low, slot high, function,
    /// operator, value low, value high
    const INPUTS: u32 = 14;
    /// Bits of an address.
    const ADDRESSES: u256 = 0x10000000000000000000000000000000000000000;

    #[storage]
    struct Storage {}

    #[external(v0)]
    pub fn main(ref self: ContractState, calldata: Calldata) -> (felt252, felt252) {
        let (handle, inputs) = open(calldata, INPUTS, FORMAT);
        let chain_id = *inputs[1];
        let last = number(*inputs[3]);
        let step = number(*inputs[4]);
        let mut block = number(*inputs[2]);
        let property = property_of(inputs);
        let mut aggregate = AggregateTrait::new(inputs.slice(10, 4));
        assert(block <= last, 'no blocks in the range');
        assert(step != 0, 'the step is 0');
        loop {
            aggregate.add(sample(handle, chain_id, block, property));
            // The next block may lie beyond 64 bits, so it is compared before it is computed.
            if last - block < step {
                break;
            }
            block += step;
        }
        aggregate.result()
    }

    #[derive(Copy, Drop)]
    enum Property {
        Header: felt252,
        /// field, address
        Account: (felt252, felt252),
        /// address, slot low, slot high
        Storage: (felt252, felt252, felt252),
    }

    /// Reads the inputs kind, field, address, slot low, slot high. Those that a kind does not have
    /// must be 0, so that one task has one hash.
    fn property_of(inputs: Span<felt252>) -> Property {
        let kind = *inputs[5];
        let field = *inputs[6];
        let address = *inputs[7];
        let slot_low = *inputs[8];
        let slot_high = *inputs[9];
        assert(address.into() < ADDRESSES, 'address exceeds 160 bits');
        word(slot_low, slot_high);
        if kind == 3 {
            assert(field == 0, 'a slot has no field');
            return Property::Storage((address, slot_low, slot_high));
        }
        assert(slot_low == 0 && slot_high == 0, 'slot without storage');
        if kind == 2 {
            assert(number(field) < 4, 'unknown field');
            return Property::Account((field, address));
        }
        assert(kind == 1, 'unknown kind');
        assert(address == 0, 'address without account');
        // The bloom and the extra data are no integers.
        assert(number(field) < 20 && field != 6 && field != 12, 'unknown field');
        Property::Header(field)
    }

    fn sample(handle: Handle, chain_id: felt252, block: u64, property: Property) -> u256 {
        let Handle { segment_index, offset, .. } = handle;
        let block = block.into();
        match property {
            Property::Header(field) => chain::read(
                chain::HEADER, field, array![segment_index, offset, chain_id, block].span(),
            ),
            Property::Account((
                field, address,
            )) => chain::read(
                chain::ACCOUNT,
                field,
                array![segment_index, offset, chain_id, block, address].span(),
            ),
            // Keys have the high half first, results the low half.
            Property::Storage((
                address, low, high,
            )) => chain::read(
                chain::STORAGE,
                0,
                array![segment_index, offset, chain_id, block, address, high, low].span(),
            ),
        }
    }
}
