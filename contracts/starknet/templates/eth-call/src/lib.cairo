// A proven eth_call: the data processor's EVM in Cairo runs over proven headers, accounts, storage
// and code.
#[starknet::contract]
pub mod Module {
    use hdp_cairo::HDP;
    use hdp_cairo::eth_call::hdp_backend::TimeAndSpace;
    use starknet::EthAddress;

    #[storage]
    struct Storage {}

    /// Whether the call succeeded, the gas it used, and what it returned: length, then bytes.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: u128,
        block: u128,
        sender: felt252,
        target: felt252,
        calldata: Array<u8>,
    ) -> Array<felt252> {
        let sender: EthAddress = sender.try_into().unwrap();
        let target: EthAddress = target.try_into().unwrap();
        let place = TimeAndSpace {
            chain_id: chain_id.try_into().unwrap(), block_number: block.try_into().unwrap(),
        };
        let result = hdp_cairo::execute_eth_call(@hdp, @place, sender, target, calldata.span());
        let mut output: Array<felt252> = array![
            if result.success {
                1
            } else {
                0
            }, result.gas_used.into(),
            result.return_data.len().into(),
        ];
        for byte in result.return_data {
            output.append((*byte).into());
        }
        output
    }
}
