//! An account as its owner's wallet makes it: signed for by an owner and a guardian, or by an
//! Ethereum key. It holds only what validating a transaction needs.

use starknet::account::Call;

#[starknet::interface]
pub trait IAccount<TContractState> {
    fn __validate__(ref self: TContractState, calls: Array<Call>) -> felt252;
    fn __execute__(ref self: TContractState, calls: Array<Call>) -> Array<Span<felt252>>;
}

#[starknet::contract(account)]
pub mod TestAccount {
    use core::ecdsa::check_ecdsa_signature;
    use starknet::account::Call;
    use starknet::eth_signature::verify_eth_signature;
    use starknet::secp256_trait::Signature;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};
    use starknet::syscalls::call_contract_syscall;
    use starknet::{SyscallResultTrait, VALIDATED, get_tx_info};

    #[storage]
    struct Storage {
        owner: felt252,
        guardian: felt252,
        eth_address: felt252,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState, owner: felt252, guardian: felt252, eth_address: felt252,
    ) {
        self.owner.write(owner);
        self.guardian.write(guardian);
        self.eth_address.write(eth_address);
    }

    #[abi(embed_v0)]
    impl AccountImpl of super::IAccount<ContractState> {
        fn __validate__(ref self: ContractState, calls: Array<Call>) -> felt252 {
            let info = get_tx_info().unbox();
            let hash = info.transaction_hash;
            let given = info.signature;
            if given.len() == 4 {
                let (owner, guardian) = (self.owner.read(), self.guardian.read());
                let is_owner = check_ecdsa_signature(hash, owner, *given[0], *given[1]);
                let is_guardian = check_ecdsa_signature(hash, guardian, *given[2], *given[3]);
                assert(is_owner && is_guardian, 'WRONG_SIGNATURE');
            } else {
                assert(given.len() == 5, 'WRONG_SIGNATURE_LENGTH');
                let signature = Signature {
                    r: word(*given[0], *given[1]),
                    s: word(*given[2], *given[3]),
                    y_parity: *given[4] != 0,
                };
                let address = self.eth_address.read().try_into().unwrap();
                verify_eth_signature(hash.into(), signature, address);
            }
            VALIDATED
        }

        fn __execute__(ref self: ContractState, calls: Array<Call>) -> Array<Span<felt252>> {
            let mut results: Array<Span<felt252>> = array![];
            for call in calls {
                let Call { to, selector, calldata } = call;
                results.append(call_contract_syscall(to, selector, calldata).unwrap_syscall());
            }
            results
        }
    }

    fn word(low: felt252, high: felt252) -> u256 {
        u256 { low: low.try_into().unwrap(), high: high.try_into().unwrap() }
    }
}
