// A module: a Starknet contract whose function `main` the data processor calls.
//
// The data processor passes the data handle `hdp` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.
pub mod hdp;

#[cfg(test)]
mod tests;

#[starknet::contract]
pub mod Module {
    use crate::hdp::{HDP, HDPTrait};

    #[storage]
    struct Storage {}

    /// What a bridge holds on Ethereum and what it has minted on Starknet, in the token's unit.
    #[derive(Drop, Serde)]
    pub struct Balance {
        pub locked: u256,
        pub minted: u256,
        pub is_backed: bool,
    }

    /// Compares the ether of a bridge's contract on Ethereum with the total supply of its token on
    /// Starknet, a u256 at `supply_slot` and the slot behind it.
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
    ) -> Balance {
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
        Balance { locked, minted, is_backed: locked >= minted }
    }
}
