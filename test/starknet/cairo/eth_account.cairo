//! An account that a key of Ethereum's curve signs for, by the rules of OpenZeppelin's EthAccount:
//! a signature is r, s and the parity of y, over the transaction's hash. It holds only what
//! validating a transaction needs.

use starknet::account::Call;

#[starknet::interface]
pub trait IAccount<TContractState> {
    fn __validate__(ref self: TContractState, calls: Array<Call>) -> felt252;
    fn __validate_declare__(ref self: TContractState, class_hash: felt252) -> felt252;
    fn __execute__(ref self: TContractState, calls: Array<Call>) -> Array<Span<felt252>>;
}

#[starknet::contract(account)]
pub mod EthAccount {
    use starknet::account::Call;
    use starknet::secp256_trait::{
        Secp256PointTrait, Signature, is_signature_entry_valid, recover_public_key,
    };
    use starknet::secp256k1::Secp256k1Point;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};
    use starknet::syscalls::call_contract_syscall;
    use starknet::{SyscallResultTrait, VALIDATED, get_tx_info};

    #[storage]
    struct Storage {
        public_key: (u256, u256),
    }

    #[constructor]
    fn constructor(ref self: ContractState, x: u256, y: u256) {
        self.public_key.write((x, y));
    }

    #[abi(embed_v0)]
    impl AccountImpl of super::IAccount<ContractState> {
        fn __validate__(ref self: ContractState, calls: Array<Call>) -> felt252 {
            validated(@self)
        }

        fn __validate_declare__(ref self: ContractState, class_hash: felt252) -> felt252 {
            validated(@self)
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

    fn validated(self: @ContractState) -> felt252 {
        let info = get_tx_info().unbox();
        let mut given = info.signature;
        let signature: Signature = Serde::deserialize(ref given).expect('WRONG_SIGNATURE_FORM');
        assert(given.is_empty(), 'WRONG_SIGNATURE_LENGTH');
        assert(is_signature_entry_valid::<Secp256k1Point>(signature.r), 'WRONG_R');
        assert(is_signature_entry_valid::<Secp256k1Point>(signature.s), 'WRONG_S');
        let signer: Secp256k1Point = recover_public_key(info.transaction_hash.into(), signature)
            .expect('NO_SIGNER');
        let coordinates = signer.get_coordinates().unwrap_syscall();
        assert(coordinates == self.public_key.read(), 'WRONG_SIGNATURE');
        VALIDATED
    }
}
