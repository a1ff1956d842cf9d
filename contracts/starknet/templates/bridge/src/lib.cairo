// SPDX-License-Identifier: MIT

// A module: a Starknet contract whose function `main` the data processor calls.
//
// The data processor passes the data handle `hdp` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.

#[cfg(test)]
mod tests;

#[starknet::contract]
pub mod Module {
    use hardhat_hdp_module::output::marked;
    use hardhat_hdp_module::{HDP, HDPTrait};

    #[storage]
    struct Storage {}

    /// Compares the ether of a bridge's contract on Ethereum with the total supply of its token on
    /// Starknet, a u256 at `supply_slot` and the slot behind it. Returns what is locked and what is
    /// minted in the token's unit, each as low and high half, and 1 if it is backed, else 0, marked
    /// for a contract's `requireMarked`.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        block: u64,
        bridge: felt252,
        starknet_chain_id: felt252,
        starknet_block: u64,
        token: felt252,
        supply_slot: felt252,
    ) -> [felt252; 5] {
        let locked = hdp.account_balance(chain_id, block, bridge);
        let minted = u256 {
            low: hdp
                .starknet_storage(starknet_chain_id, starknet_block, token, supply_slot)
                .try_into()
                .unwrap(),
            high: hdp
                .starknet_storage(starknet_chain_id, starknet_block, token, supply_slot + 1)
                .try_into()
                .unwrap(),
        };
        let is_backed = if locked >= minted {
            1
        } else {
            0
        };
        marked([locked.low, locked.high, minted.low, minted.high, is_backed])
    }
}
