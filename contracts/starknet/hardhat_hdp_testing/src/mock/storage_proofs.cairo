// SPDX-License-Identifier: MIT
//! The part of the mocks that answers for values of EVM chains, as satellites do in which storage
//! proofs saved them.

/// # StorageProofs component
///
/// Has the names and panics of a satellite. Operators save values, without a proof.
#[starknet::component]
pub mod StorageProofsComponent {
    use core::poseidon::poseidon_hash_span;
    use hardhat_hdp::satellite::{AccountField, HeaderField, IStorageProofs};
    use starknet::EthAddress;
    use starknet::storage::{
        Map, StoragePathEntry, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use crate::interface::IStorageProofsMock;
    use crate::mock::tasks::TaskStoreComponent;
    use crate::mock::tasks::TaskStoreComponent::InternalTrait as TaskStoreInternal;

    /// What the component keeps.
    #[storage]
    pub struct Storage {
        /// Saved values by the hash of what names them: see `key`.
        pub mock_saved_values: Map<felt252, Option<u256>>,
    }

    /// What the component announces; nothing of it is a key.
    #[event]
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub enum Event {
        /// The block of a time was saved.
        ProvenTimestamp: ProvenTimestamp,
    }

    /// The block of a time was saved.
    #[derive(Drop, Debug, PartialEq, starknet::Event)]
    pub struct ProvenTimestamp {
        /// Chain of the block.
        pub chain_id: u256,
        /// The time in seconds.
        pub timestamp: u256,
    }

    /// What the component panics with: the satellite's words.
    pub mod Errors {
        /// The header field was not saved.
        pub const HEADER_FIELD_NOT_SAVED: felt252 = 'SP_HEADER_FIELD_NOT_SAVED';
        /// The account's field was not saved.
        pub const ACCOUNT_FIELD_NOT_SAVED: felt252 = 'SP_ACCOUNT_FIELD_NOT_SAVED';
        /// The storage slot was not saved.
        pub const SLOT_NOT_SAVED: felt252 = 'SP_SLOT_NOT_SAVED';
        /// The block of the time was not saved.
        pub const TIMESTAMP_NOT_SAVED: felt252 = 'SP_TIMESTAMP_NOT_SAVED';
        /// The time is not between the block's and the next one's.
        pub const TIMESTAMP_NOT_BETWEEN_BLOCKS: felt252 = 'SP_TIMESTAMP_NOT_BETWEEN_BLOCKS';
        /// Satellites do not save the bloom filter.
        pub const LOGS_BLOOM_NOT_SUPPORTED: felt252 = 'SP_LOGS_BLOOM_NOT_SUPPORTED';
        /// Satellites do not save the block's number.
        pub const BLOCK_NUMBER_NOT_SUPPORTED: felt252 = 'SP_BLOCK_NUMBER_NOT_SUPPORTED';
    }

    #[embeddable_as(StorageProofsImpl)]
    pub impl StorageProofs<
        TContractState, +HasComponent<TContractState>, +Drop<TContractState>,
    > of IStorageProofs<ComponentState<TContractState>> {
        fn headerFieldSafe(
            self: @ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            field: HeaderField,
        ) -> Option<u256> {
            self.saved(header_key(chain_id, block_number, field))
        }

        fn headerField(
            self: @ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            field: HeaderField,
        ) -> u256 {
            Self::headerFieldSafe(self, chain_id, block_number, field)
                .expect(Errors::HEADER_FIELD_NOT_SAVED)
        }

        fn accountFieldSafe(
            self: @ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            account: EthAddress,
            field: AccountField,
        ) -> Option<u256> {
            self.saved(account_key(chain_id, block_number, account, field))
        }

        fn accountField(
            self: @ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            account: EthAddress,
            field: AccountField,
        ) -> u256 {
            Self::accountFieldSafe(self, chain_id, block_number, account, field)
                .expect(Errors::ACCOUNT_FIELD_NOT_SAVED)
        }

        fn storageSlotSafe(
            self: @ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            account: EthAddress,
            slot_index: u256,
        ) -> Option<u256> {
            self.saved(slot_key(chain_id, block_number, account, slot_index))
        }

        fn storageSlot(
            self: @ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            account: EthAddress,
            slot_index: u256,
        ) -> u256 {
            Self::storageSlotSafe(self, chain_id, block_number, account, slot_index)
                .expect(Errors::SLOT_NOT_SAVED)
        }

        fn timestampSafe(
            self: @ComponentState<TContractState>, chain_id: u256, timestamp: u256,
        ) -> Option<u256> {
            self.saved(timestamp_key(chain_id, timestamp))
        }

        fn timestamp(
            self: @ComponentState<TContractState>, chain_id: u256, timestamp: u256,
        ) -> u256 {
            Self::timestampSafe(self, chain_id, timestamp).expect(Errors::TIMESTAMP_NOT_SAVED)
        }

        fn proveTimestamp(
            ref self: ComponentState<TContractState>,
            chain_id: u256,
            timestamp: u256,
            block_number_low: u256,
        ) {
            let low = Self::headerField(@self, chain_id, block_number_low, HeaderField::TIMESTAMP);
            let high = Self::headerField(
                @self, chain_id, block_number_low + 1, HeaderField::TIMESTAMP,
            );
            assert(low <= timestamp && timestamp < high, Errors::TIMESTAMP_NOT_BETWEEN_BLOCKS);
            self.save(timestamp_key(chain_id, timestamp), block_number_low);
            self.emit(ProvenTimestamp { chain_id, timestamp });
        }
    }

    #[embeddable_as(StorageProofsMockImpl)]
    pub impl StorageProofsMock<
        TContractState,
        +HasComponent<TContractState>,
        +Drop<TContractState>,
        impl Tasks: TaskStoreComponent::HasComponent<TContractState>,
    > of IStorageProofsMock<ComponentState<TContractState>> {
        fn set_header_field(
            ref self: ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            field: HeaderField,
            value: u256,
        ) {
            get_dep_component!(@self, Tasks).assert_only_operator();
            assert(field != HeaderField::LOGS_BLOOM, Errors::LOGS_BLOOM_NOT_SUPPORTED);
            assert(field != HeaderField::NUMBER, Errors::BLOCK_NUMBER_NOT_SUPPORTED);
            self.save(header_key(chain_id, block_number, field), value);
        }

        fn set_account_field(
            ref self: ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            account: EthAddress,
            field: AccountField,
            value: u256,
        ) {
            get_dep_component!(@self, Tasks).assert_only_operator();
            self.save(account_key(chain_id, block_number, account, field), value);
        }

        fn set_storage_slot(
            ref self: ComponentState<TContractState>,
            chain_id: u256,
            block_number: u256,
            account: EthAddress,
            slot_index: u256,
            value: u256,
        ) {
            get_dep_component!(@self, Tasks).assert_only_operator();
            self.save(slot_key(chain_id, block_number, account, slot_index), value);
        }
    }
    #[generate_trait]
    impl InternalImpl<
        TContractState, +HasComponent<TContractState>, +Drop<TContractState>,
    > of InternalTrait<TContractState> {
        #[inline(never)]
        fn saved(self: @ComponentState<TContractState>, key: felt252) -> Option<u256> {
            self.mock_saved_values.entry(key).read()
        }

        #[inline(never)]
        fn save(ref self: ComponentState<TContractState>, key: felt252, value: u256) {
            self.mock_saved_values.entry(key).write(Option::Some(value));
        }
    }

    fn header_key(chain_id: u256, block_number: u256, field: HeaderField) -> felt252 {
        let mut rest = array![];
        field.serialize(ref rest);
        key('header', chain_id, block_number, rest)
    }

    fn account_key(
        chain_id: u256, block_number: u256, account: EthAddress, field: AccountField,
    ) -> felt252 {
        let mut rest = array![account.into()];
        field.serialize(ref rest);
        key('account', chain_id, block_number, rest)
    }

    fn slot_key(
        chain_id: u256, block_number: u256, account: EthAddress, slot_index: u256,
    ) -> felt252 {
        let rest = array![account.into(), slot_index.low.into(), slot_index.high.into()];
        key('slot', chain_id, block_number, rest)
    }

    fn timestamp_key(chain_id: u256, timestamp: u256) -> felt252 {
        key('timestamp', chain_id, timestamp, array![])
    }

    /// Poseidon hash of a value's kind, of its chain, of the block or time, and of what else names
    /// it.
    #[inline(never)]
    fn key(kind: felt252, chain_id: u256, at: u256, rest: Array<felt252>) -> felt252 {
        let mut words = array![
            kind, chain_id.low.into(), chain_id.high.into(), at.low.into(), at.high.into(),
        ];
        words.append_span(rest.span());
        poseidon_hash_span(words.span())
    }
}
