// SPDX-License-Identifier: MIT

// A module: a Starknet contract whose function `main` the data processor calls.
//
// The data processor passes the data handle `hdp` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.

#[cfg(test)]
mod tests;

/// A receipt to read, and how many of its logs.
#[derive(Copy, Drop, Serde)]
pub struct ReceiptToRead {
    /// The block.
    pub block: u64,
    /// Position of the transaction in the block.
    pub transaction: u64,
    /// How many logs it has. No read proves this number.
    pub logs: u64,
}

#[starknet::contract]
pub mod Module {
    use hardhat_hdp_module::output::marked;
    use hardhat_hdp_module::{EventBits, EventBitsTrait, HDP, HDPTrait, event_bits};
    use super::ReceiptToRead;

    #[storage]
    struct Storage {}

    /// What the logs that were read add up to, and what is known of the others.
    #[derive(Drop, Default)]
    struct Found {
        /// Logs of the event.
        count: u128,
        /// Sum of their first words of data.
        sum: u256,
        /// Receipts that may have the event by their bloom: for the logs of each the task's number
        /// was taken.
        open: u128,
    }

    /// Number and sum of an event's logs in a range of blocks, and how much of the range was seen,
    /// for a contract's `requireMarked`:
    ///
    /// - count, and low and high half of the sum of the first words of data: of proven logs;
    /// - blocks without the event, by the header's bloom: none was left out there;
    /// - blocks of which all receipts were read: a transaction that has the event is among those
    ///   read;
    /// - receipts with as many logs as the task says: more may be behind these.
    ///
    /// `receipts` are in order, and of blocks that the bloom does not exclude.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        emitter: u256,
        topic0: u256,
        first_block: u64,
        last_block: u64,
        receipts: Span<ReceiptToRead>,
    ) -> [felt252; 6] {
        let event = event_bits(emitter, topic0);
        let mut rest = receipts;
        let mut found: Found = Default::default();
        let mut excluded: u128 = 0;
        let mut read: u128 = 0;
        for block in first_block..last_block + 1 {
            if event.are_excluded_by(hdp.header_logs_bloom(chain_id, block).span()) {
                excluded += 1;
                continue;
            }
            let mut next = 0;
            let mut all = true;
            let mut gas = 0;
            while let Option::Some(receipt) = rest.get(0) {
                let receipt = *receipt.unbox();
                if receipt.block != block {
                    break;
                }
                assert(receipt.transaction >= next, 'receipts are not in order');
                all = all && receipt.transaction == next;
                next = receipt.transaction + 1;
                read_receipt(@hdp, chain_id, receipt, (@event, emitter, topic0), ref found);
                gas = hdp.receipt_cumulative_gas_used(chain_id, block, receipt.transaction);
                let _ = rest.pop_front();
            }
            // Each transaction uses gas: the receipt up to which all of the block's was used is the
            // last one.
            if all && next > 0 && gas == hdp.header_gas_used(chain_id, block) {
                read += 1;
            }
        }
        assert(rest.is_empty(), 'receipts that no block needs');
        marked([found.count, found.sum.low, found.sum.high, excluded, read, found.open])
    }

    /// Adds the logs of the event in a receipt, unless the receipt's bloom excludes it.
    fn read_receipt(
        hdp: @HDP,
        chain_id: felt252,
        receipt: ReceiptToRead,
        event: (@EventBits, u256, u256),
        ref found: Found,
    ) {
        let (bits, emitter, topic0) = event;
        let ReceiptToRead { block, transaction, logs } = receipt;
        if bits.are_excluded_by(hdp.receipt_bloom(chain_id, block, transaction).span()) {
            return;
        }
        found.open += 1;
        for log in 0..logs {
            if hdp.log_address(chain_id, block, transaction, log) == emitter
                && hdp.log_topic0(chain_id, block, transaction, log) == topic0 {
                found.count += 1;
                found.sum += hdp.log_data_word(chain_id, block, transaction, log, 0);
            }
        }
    }
}
