// A module: a Starknet contract whose function `main` the data processor calls.
//
// The data processor passes the data handle `hdp` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.
pub mod hdp;
pub mod output;

#[cfg(test)]
mod tests;

#[starknet::contract]
pub mod Module {
    use crate::hdp::{HDP, HDPTrait};
    use crate::output::marked_u256;

    #[storage]
    struct Storage {}

    /// Sum of an account's balance over the blocks from `first_block` to `last_block`, both
    /// included, in wei: low half, high half + 2^128, for a contract's `requireValue`.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        account: felt252,
        first_block: u64,
        last_block: u64,
    ) -> [felt252; 2] {
        assert(first_block <= last_block, 'no blocks in the range');
        let mut sum: u256 = 0;
        let mut block = first_block;
        loop {
            if block > last_block {
                break marked_u256(sum);
            }
            sum += hdp.account_balance(chain_id, block, account);
            block += 1;
        }
    }
}
