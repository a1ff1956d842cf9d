//! An account that an owner and a guardian sign for. It holds only what validating a transaction
//! needs.

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
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};
    use starknet::syscalls::call_contract_syscall;
    use starknet::{SyscallResultTrait, VALIDATED, get_tx_info};

    #[storage]
    struct Storage {
        owner: felt252,
        guardian: felt252,
    }

    #[constructor]
    fn constructor(ref self: ContractState, owner: felt252, guardian: felt252) {
        self.owner.write(owner);
        self.guardian.write(guardian);
    }

    #[abi(embed_v0)]
    impl AccountImpl of super::IAccount<ContractState> {
        fn __validate__(ref self: ContractState, calls: Array<Call>) -> felt252 {
            let info = get_tx_info().unbox();
            let hash = info.transaction_hash;
            let given = info.signature;
            assert(given.len() == 4, 'WRONG_SIGNATURE_LENGTH');
            let is_owner = check_ecdsa_signature(hash, self.owner.read(), *given[0], *given[1]);
            let is_guardian = check_ecdsa_signature(
                hash, self.guardian.read(), *given[2], *given[3],
            );
            assert(is_owner && is_guardian, 'WRONG_SIGNATURE');
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
}
