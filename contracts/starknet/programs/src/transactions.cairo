// SPDX-License-Identifier: MIT
//! A task over the transactions of a block: a field of each transaction, or of its receipt.

#[starknet::contract]
pub mod Transactions {
    use crate::aggregate::AggregateTrait;
    use crate::calldata::{Calldata, number, open};
    use crate::chain;

    const FORMAT: felt252 = 'hdp transactions 1';
    /// format, chain id, block, start, end, step, types, kind, field, function, operator, value
    /// low, value high
    const INPUTS: u32 = 13;
    /// Types of EIP-2718 lie below; a number above is of another field.
    const TYPES: u256 = 0x80;

    #[storage]
    struct Storage {}

    #[external(v0)]
    pub fn main(ref self: ContractState, calldata: Calldata) -> (felt252, felt252) {
        let (handle, inputs) = open(calldata, INPUTS, FORMAT);
        let block = number(*inputs[2]);
        let end = number(*inputs[4]);
        let step = number(*inputs[5]);
        let included = included_types(*inputs[6]);
        let (handler, field) = property_of(*inputs[7], *inputs[8]);
        let mut aggregate = AggregateTrait::new(inputs.slice(9, 4));
        let mut index = number(*inputs[3]);
        assert(index < end, 'no transactions in the range');
        assert(step != 0, 'the step is 0');
        let last = end - 1;
        loop {
            let key = array![
                handle.segment_index, handle.offset, *inputs[1], block.into(), index.into(),
            ]
                .span();
            // A receipt does not say its type.
            let transaction_type = chain::read(chain::TRANSACTION, handle.transaction_type, key);
            if includes(included, transaction_type) {
                let value = chain::read(handler, field, key);
                // Before Byzantium a receipt has a state root in the place of its success.
                if handler == chain::RECEIPT && field == 0 {
                    assert(value < 2, 'a receipt without success');
                }
                aggregate.add(value);
            }
            // The next index may lie beyond 64 bits, so it is compared before it is computed.
            if last - index < step {
                break;
            }
            index += step;
        }
        aggregate.result()
    }

    /// Reads the input types: one byte for each of legacy, eip2930, eip1559 and eip4844, the first
    /// the most significant, each 0 or 1.
    fn included_types(types: felt252) -> [bool; 4] {
        let types: u32 = types.try_into().expect('unknown types');
        let (rest, blob) = DivRem::div_rem(types, 0x100);
        let (rest, fee_market) = DivRem::div_rem(rest, 0x100);
        let (legacy, access_list) = DivRem::div_rem(rest, 0x100);
        [flag(legacy), flag(access_list), flag(fee_market), flag(blob)]
    }

    fn flag(byte: u32) -> bool {
        assert(byte < 2, 'unknown types');
        byte == 1
    }

    /// Whether a transaction takes part. Types after eip4844 never do.
    fn includes(included: [bool; 4], transaction_type: u256) -> bool {
        assert(transaction_type < TYPES, 'not a transaction type');
        let [legacy, access_list, fee_market, blob] = included;
        match transaction_type.low {
            0 => legacy,
            1 => access_list,
            2 => fee_market,
            3 => blob,
            _ => false,
        }
    }

    /// Returns the handler and its number of a field, from the inputs kind and field.
    fn property_of(kind: felt252, field: felt252) -> (felt252, felt252) {
        if kind == 2 {
            // The logs and the bloom are no integers.
            assert(number(field) < 2, 'unknown field');
            return (chain::RECEIPT, field);
        }
        assert(kind == 1, 'unknown kind');
        // The recipient, the input, and the lists are no integers.
        let is_integer = field != 3 && field != 5 && field != 10 && field != 13;
        assert(number(field) < 15 && is_integer, 'unknown field');
        // Datalakes have the blob fee behind the blob hashes, the data processor in front of them.
        (chain::TRANSACTION, if field == 14 {
            13
        } else {
            field
        })
    }
}
