// A module: a Starknet contract whose function `main` the data processor calls. Each value that it
// reads through the data handle is proven against the headers of its chain.
#[starknet::contract]
pub mod Module {
    use hardhat_hdp_module::output::marked_u256;
    use hardhat_hdp_module::{HDP, HDPTrait};

    #[storage]
    struct Storage {}

    /// Average of a price over the time from `first_block` to `last_block`: the price of each block
    /// is weighted by the seconds until the next one. The price of the last block has no weight.
    ///
    /// `feed` is the contract and `slot` the storage slot that holds the price. Returns the low
    /// half and the high half + 2^128.
    #[external(v0)]
    fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        feed: felt252,
        slot: u256,
        first_block: u64,
        last_block: u64,
    ) -> [felt252; 2] {
        assert(first_block < last_block, 'needs two blocks');
        let start = hdp.header_timestamp(chain_id, first_block);
        let mut weighted: u256 = 0;
        let mut time = start;
        for block in first_block..last_block {
            let next = hdp.header_timestamp(chain_id, block + 1);
            weighted += hdp.storage_slot(chain_id, block, feed, slot) * (next - time);
            time = next;
        }
        marked_u256(weighted / (time - start))
    }
}
