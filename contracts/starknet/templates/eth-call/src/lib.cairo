// SPDX-License-Identifier: MIT

// A proven eth_call: the data processor's EVM in Cairo runs over proven headers, accounts, storage
// and code.
pub mod output;

#[starknet::contract]
pub mod Module {
    use hdp_cairo::HDP;
    use hdp_cairo::eth_call::hdp_backend::TimeAndSpace;
    use starknet::syscalls::call_contract_syscall;
    use starknet::{EthAddress, SyscallResultTrait};
    use crate::output::digest_of_bytes;

    /// What a failed call has more than the digest of its data, which is below: 2^250.
    const FAILED: felt252 = 0x400000000000000000000000000000000000000000000000000000000000000;
    /// Of the handler that prints: it prints felts.
    const PRINT_FELTS: felt252 = 1;

    #[storage]
    struct Storage {}

    /// The digest of what the call returned, for a contract's `requireDigestOfBytes`; of a call
    /// that failed the digest of its data + 2^250, which no such contract accepts.
    ///
    /// The digest alone is stored. The gas used and the bytes are printed, for whoever runs the
    /// module.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: u128,
        block: u128,
        sender: felt252,
        target: felt252,
        calldata: Array<u8>,
    ) -> felt252 {
        let sender: EthAddress = sender.try_into().unwrap();
        let target: EthAddress = target.try_into().unwrap();
        let place = TimeAndSpace {
            chain_id: chain_id.try_into().unwrap(), block_number: block.try_into().unwrap(),
        };
        let result = hdp_cairo::execute_eth_call(@hdp, @place, sender, target, calldata.span());
        let mut data: ByteArray = "";
        let mut printed: Array<felt252> = array![result.gas_used.into()];
        for byte in result.return_data {
            data.append_byte(*byte);
            printed.append((*byte).into());
        }
        call_contract_syscall('debug'.try_into().unwrap(), PRINT_FELTS, printed.span())
            .unwrap_syscall();
        let digest = digest_of_bytes(@data);
        if result.success {
            digest
        } else {
            digest + FAILED
        }
    }
}
