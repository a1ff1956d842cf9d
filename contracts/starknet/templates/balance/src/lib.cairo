// SPDX-License-Identifier: MIT

// A module: a Starknet contract whose function `main` the data processor calls.
//
// The data processor passes the data handle `hdp` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.

#[cfg(test)]
mod tests;

#[starknet::contract]
pub mod Module {
    use hardhat_hdp_module::output::marked_u256;
    use hardhat_hdp_module::{HDP, HDPTrait};

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
        for block in first_block..=last_block {
            sum += hdp.account_balance(chain_id, block, account);
        }
        marked_u256(sum)
    }
}
