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

    /// keccak256("Transfer(address,address,uint256)")
    const TRANSFER: u256 = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;

    #[storage]
    struct Storage {}

    /// Number and sum of an ERC-20 token's transfers among the first `logs` logs of a transaction:
    /// number, low half and high half of the sum, marked for a contract's `requireMarked`.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        token: u256,
        block: u64,
        transaction: u64,
        logs: u64,
    ) -> [felt252; 3] {
        let mut count: u64 = 0;
        let mut sum: u256 = 0;
        for index in 0..logs {
            let from = hdp.log_address(chain_id, block, transaction, index);
            if from == token && hdp.log_topic0(chain_id, block, transaction, index) == TRANSFER {
                count += 1;
                sum += hdp.log_data_word(chain_id, block, transaction, index, 0);
            }
        }
        marked([count.into(), sum.low, sum.high])
    }
}
