// SPDX-License-Identifier: MIT

// A module: a Starknet contract whose function `main` the data processor calls.
//
// The data processor passes the data handle `hdp` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.

#[cfg(test)]
mod tests;

#[starknet::contract]
pub mod Module {
    use hardhat_hdp_module::output::digest;
    use hardhat_hdp_module::{HDP, HDPTrait};

    /// The trie's label: the task names it with the root to start from.
    const VOTES: felt252 = 'votes';

    #[storage]
    struct Storage {}

    /// Counts a vote: one for each voter, who has to have had a balance in the block. Keeps who has
    /// voted and the sum of each choice in the trie, and returns the digest of the trie's new root
    /// and the sum, for a contract's `requireDigest`. A run shows both under its injected state.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        block: u64,
        voter: felt252,
        choice: felt252,
    ) -> felt252 {
        assert(choice != 0 && choice != voter, 'no such choice');
        assert(hdp.account_balance(chain_id, block, voter) != 0, 'no balance');
        assert(hdp.state_read(VOTES, voter).is_none(), 'voted already');
        hdp.state_write(VOTES, voter, choice);
        let sum = hdp.state_read(VOTES, choice).unwrap_or(0) + 1;
        let root = hdp.state_write(VOTES, choice, sum);
        digest(array![root.into(), sum.into()].span())
    }
}
