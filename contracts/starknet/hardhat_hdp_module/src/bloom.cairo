// SPDX-License-Identifier: MIT
//! What a bloom filter of logs excludes: an event of a contract, from a block or from a
//! transaction.
//!
//! A filter of 2,048 bits has three bits for each contract that wrote a log, and three for each
//! topic. Where one of them is missing, there is no such log: that is proven as the filter is.
//! Where all are there, there may be one, or other logs have set the bits.

use core::keccak::{compute_keccak_byte_array, keccak_u256s_be_inputs};
use core::num::traits::Pow;

/// The bits of an event of a contract.
#[derive(Drop)]
pub struct EventBits {
    /// By bit: the word of the filter, and the bit in it.
    pub(crate) bits: Span<(u32, u256)>,
}

/// Returns the bits of a contract, by its address, and of an event, by its hash (topic 0).
pub fn event_bits(emitter: u256, topic0: u256) -> EventBits {
    let mut address: ByteArray = "";
    address.append_word(emitter.try_into().expect('no address'), 20);
    let mut bits: Array<(u32, u256)> = array![];
    append_bits(ref bits, compute_keccak_byte_array(@address));
    append_bits(ref bits, keccak_u256s_be_inputs([topic0].span()));
    EventBits { bits: bits.span() }
}

#[generate_trait]
pub impl EventBitsImpl of EventBitsTrait {
    /// Returns whether a filter excludes the event. A filter has 8 words, as
    /// `header_logs_bloom` and `receipt_bloom` return it.
    fn are_excluded_by(self: @EventBits, bloom: Span<u256>) -> bool {
        assert(bloom.len() == 8, 'a bloom has 8 words');
        let mut excluded = false;
        for (word, bit) in *self.bits {
            if *bloom[*word] & *bit == 0 {
                excluded = true;
                break;
            }
        }
        excluded
    }
}

/// Appends the three bits of a hash: its first three pairs of bytes, each modulo 2,048. The core
/// library gives a hash from its last byte to its first.
fn append_bits(ref bits: Array<(u32, u256)>, reversed: u256) {
    let mut rest = reversed.low;
    for _ in 0..3_u8 {
        let first = rest % 0x100;
        let second = rest / 0x100 % 0x100;
        let position: u32 = ((first % 8) * 0x100 + second).try_into().unwrap();
        // Bit 0 is the last one of the last word.
        let in_word: u256 = 2_u256.pow(position % 256);
        bits.append((7 - position / 256, in_word));
        rest = rest / 0x10000;
    }
}
