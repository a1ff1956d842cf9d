// SPDX-License-Identifier: MIT
//! Reads through the data handle.
//!
//! A read is a call to the address of a data handler. Its selector is the number of a field; its
//! calldata are the handle's pointer, the chain id, the block and the key. Only this system call
//! and keccak are allowed in a module. What the chain lacks ends the run: a transaction type
//! without the field, a log without the topic, a block without the transaction.

#[cfg(not(feature: 'mocks'))]
use starknet::SyscallResultTrait;
#[cfg(not(feature: 'mocks'))]
use starknet::syscalls::call_contract_syscall;
use crate::fields::{account, header, log, receipt, starknet_header, transaction};
use crate::handle::{HDP, Memorizer};

/// Addresses of the data handlers.
pub(crate) mod handlers {
    pub(crate) const HEADER: felt252 = 0;
    pub(crate) const ACCOUNT: felt252 = 1;
    pub(crate) const STORAGE: felt252 = 2;
    pub(crate) const TRANSACTION: felt252 = 3;
    pub(crate) const RECEIPT: felt252 = 4;
    pub(crate) const LOG: felt252 = 5;
    pub(crate) const STARKNET_HEADER: felt252 = 0;
    pub(crate) const STARKNET_STORAGE: felt252 = 1;
    pub(crate) const STATE: felt252 = 'injected_state';
}

/// Selectors of the handlers that have no fields.
pub(crate) mod selectors {
    pub(crate) const SLOT: felt252 = 0;
    pub(crate) const STATE_LABEL: felt252 = 0;
    pub(crate) const STATE_READ: felt252 = 1;
    pub(crate) const STATE_WRITE: felt252 = 2;
}

/// Reads of chains and of injected state. Addresses are felts, positions in a block start at 0.
#[generate_trait]
pub impl HDPImpl of HDPTrait {
    /// A number of a block header, by its number in `fields::header`.
    fn header_field(self: @HDP, field: u8, chain_id: felt252, block: u64) -> u256 {
        word(call(self.evm, handlers::HEADER, field.into(), place(chain_id, block).span()))
    }

    /// Hash of the parent block's header.
    fn header_parent_hash(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::PARENT_HASH, chain_id, block)
    }

    /// Hash of the list of uncles.
    fn header_ommers_hash(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::OMMERS_HASH, chain_id, block)
    }

    /// Address that gets the fees.
    fn header_beneficiary(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::BENEFICIARY, chain_id, block)
    }

    /// Root of the trie of accounts.
    fn header_state_root(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::STATE_ROOT, chain_id, block)
    }

    /// Root of the trie of transactions.
    fn header_transactions_root(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::TRANSACTIONS_ROOT, chain_id, block)
    }

    /// Root of the trie of receipts.
    fn header_receipts_root(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::RECEIPTS_ROOT, chain_id, block)
    }

    /// Difficulty; 0 since proof of stake.
    fn header_difficulty(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::DIFFICULTY, chain_id, block)
    }

    /// The block's number.
    fn header_number(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::NUMBER, chain_id, block)
    }

    /// Most gas that the block may use.
    fn header_gas_limit(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::GAS_LIMIT, chain_id, block)
    }

    /// Gas that its transactions used.
    fn header_gas_used(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::GAS_USED, chain_id, block)
    }

    /// Seconds since 1970.
    fn header_timestamp(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::TIMESTAMP, chain_id, block)
    }

    /// Randomness of the beacon chain (`prevRandao`).
    fn header_mix_hash(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::MIX_HASH, chain_id, block)
    }

    /// Nonce of proof of work; 0 since proof of stake.
    fn header_nonce(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::NONCE, chain_id, block)
    }

    /// Base fee in wei per gas (London).
    fn header_base_fee_per_gas(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::BASE_FEE_PER_GAS, chain_id, block)
    }

    /// Root of the trie of withdrawals (Shanghai).
    fn header_withdrawals_root(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::WITHDRAWALS_ROOT, chain_id, block)
    }

    /// Blob gas that its transactions used (Cancun).
    fn header_blob_gas_used(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::BLOB_GAS_USED, chain_id, block)
    }

    /// Running total of blob gas above the target (Cancun).
    fn header_excess_blob_gas(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::EXCESS_BLOB_GAS, chain_id, block)
    }

    /// Root of the parent's beacon block (Cancun).
    fn header_parent_beacon_block_root(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::PARENT_BEACON_BLOCK_ROOT, chain_id, block)
    }

    /// Hash of the execution layer's requests (Prague).
    fn header_requests_hash(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        self.header_field(header::REQUESTS_HASH, chain_id, block)
    }

    /// Bloom filter of the block's logs: 8 words of 32 bytes.
    fn header_logs_bloom(self: @HDP, chain_id: felt252, block: u64) -> Array<u256> {
        words(
            call(
                self.evm,
                handlers::HEADER,
                header::LOGS_BLOOM.into(),
                place(chain_id, block).span(),
            ),
        )
    }

    /// A number of an account after a block, by its number in `fields::account`.
    fn account_field(
        self: @HDP, field: u8, chain_id: felt252, block: u64, account: felt252,
    ) -> u256 {
        let mut key = place(chain_id, block);
        key.append(account);
        word(call(self.evm, handlers::ACCOUNT, field.into(), key.span()))
    }

    /// Number of transactions that the account has sent.
    fn account_nonce(self: @HDP, chain_id: felt252, block: u64, account: felt252) -> u256 {
        self.account_field(account::NONCE, chain_id, block, account)
    }

    /// In wei.
    fn account_balance(self: @HDP, chain_id: felt252, block: u64, account: felt252) -> u256 {
        self.account_field(account::BALANCE, chain_id, block, account)
    }

    /// Root of the trie of the account's storage.
    fn account_storage_root(self: @HDP, chain_id: felt252, block: u64, account: felt252) -> u256 {
        self.account_field(account::STORAGE_ROOT, chain_id, block, account)
    }

    /// Keccak-256 of the account's code.
    fn account_code_hash(self: @HDP, chain_id: felt252, block: u64, account: felt252) -> u256 {
        self.account_field(account::CODE_HASH, chain_id, block, account)
    }

    /// A slot of a contract's storage after a block.
    fn storage_slot(
        self: @HDP, chain_id: felt252, block: u64, account: felt252, slot: u256,
    ) -> u256 {
        let mut key = place(chain_id, block);
        // Keys have the high half first, results the low half.
        key.append_span([account, slot.high.into(), slot.low.into()].span());
        word(call(self.evm, handlers::STORAGE, selectors::SLOT, key.span()))
    }

    /// A number of a transaction, by its number in `fields::transaction`.
    fn transaction_field(
        self: @HDP, field: u8, chain_id: felt252, block: u64, transaction: u64,
    ) -> u256 {
        let mut key = place(chain_id, block);
        key.append(transaction.into());
        word(call(self.evm, handlers::TRANSACTION, field.into(), key.span()))
    }

    /// The sender's nonce.
    fn transaction_nonce(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::NONCE, chain_id, block, transaction)
    }

    /// Price in wei per gas, of the types 0 and 1.
    fn transaction_gas_price(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::GAS_PRICE, chain_id, block, transaction)
    }

    /// Most gas that the transaction may use.
    fn transaction_gas_limit(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::GAS_LIMIT, chain_id, block, transaction)
    }

    /// Address that is called; 0 for a transaction that creates a contract.
    fn transaction_to(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::TO, chain_id, block, transaction)
    }

    /// Wei that are sent.
    fn transaction_value(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::VALUE, chain_id, block, transaction)
    }

    /// Parity of the signature, or `v` of a legacy transaction.
    fn transaction_v(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::V, chain_id, block, transaction)
    }

    /// The signature's `r`.
    fn transaction_r(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::R, chain_id, block, transaction)
    }

    /// The signature's `s`.
    fn transaction_s(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::S, chain_id, block, transaction)
    }

    /// Chain id that is signed, of the types above 0.
    fn transaction_chain_id(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::CHAIN_ID, chain_id, block, transaction)
    }

    /// Most wei per gas, tip included, of the types above 1.
    fn transaction_max_fee_per_gas(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64,
    ) -> u256 {
        self.transaction_field(transaction::MAX_FEE_PER_GAS, chain_id, block, transaction)
    }

    /// Most wei per gas as a tip, of the types above 1.
    fn transaction_max_priority_fee_per_gas(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64,
    ) -> u256 {
        self.transaction_field(transaction::MAX_PRIORITY_FEE_PER_GAS, chain_id, block, transaction)
    }

    /// Most wei per blob gas, of type 3.
    fn transaction_max_fee_per_blob_gas(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64,
    ) -> u256 {
        self.transaction_field(transaction::MAX_FEE_PER_BLOB_GAS, chain_id, block, transaction)
    }

    /// Type of EIP-2718, 0 for a legacy transaction.
    fn transaction_type(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::TYPE, chain_id, block, transaction)
    }

    /// Address that signed it. Proving it takes some 205,000 steps.
    fn transaction_sender(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::SENDER, chain_id, block, transaction)
    }

    /// The transaction's hash.
    fn transaction_hash(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.transaction_field(transaction::HASH, chain_id, block, transaction)
    }

    /// A number of a receipt, by its number in `fields::receipt`.
    fn receipt_field(
        self: @HDP, field: u8, chain_id: felt252, block: u64, transaction: u64,
    ) -> u256 {
        word(receipt_felts(self, field, chain_id, block, transaction))
    }

    /// 1 for a transaction that succeeded, 0 for one that reverted.
    fn receipt_success(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> u256 {
        self.receipt_field(receipt::SUCCESS, chain_id, block, transaction)
    }

    /// Gas of the block up to and with this transaction.
    fn receipt_cumulative_gas_used(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64,
    ) -> u256 {
        self.receipt_field(receipt::CUMULATIVE_GAS_USED, chain_id, block, transaction)
    }

    /// Bloom filter of the receipt's logs: 8 words of 32 bytes.
    fn receipt_bloom(self: @HDP, chain_id: felt252, block: u64, transaction: u64) -> Array<u256> {
        words(receipt_felts(self, receipt::BLOOM, chain_id, block, transaction))
    }

    /// The contract that wrote a log, by the positions of the transaction and of the log in it.
    fn log_address(self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64) -> u256 {
        word(log_felts(self, log::ADDRESS, chain_id, block, transaction, log))
    }

    /// A topic of a log, 0 to 3.
    fn log_topic(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64, topic: u8,
    ) -> u256 {
        assert(topic < 4, 'a log has at most 4 topics');
        word(log_felts(self, log::TOPIC0 + topic, chain_id, block, transaction, log))
    }

    /// Topic 0 of a log: the hash of its event.
    fn log_topic0(self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64) -> u256 {
        word(log_felts(self, log::TOPIC0, chain_id, block, transaction, log))
    }

    /// A log's data, in words of 32 bytes. The run ends where the data are not whole words.
    fn log_data(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64,
    ) -> Array<u256> {
        words(log_felts(self, log::DATA, chain_id, block, transaction, log))
    }

    /// A word of a log's data, by its position.
    fn log_data_word(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64, word: u32,
    ) -> u256 {
        let felts = log_felts(self, log::DATA, chain_id, block, transaction, log);
        high_first(*felts[2 * word], *felts[2 * word + 1])
    }

    /// A felt of a Starknet block header, by its number in `fields::starknet_header`.
    fn starknet_header_field(self: @HDP, field: u8, chain_id: felt252, block: u64) -> felt252 {
        let key = place(chain_id, block);
        *call(self.starknet, handlers::STARKNET_HEADER, field.into(), key.span())[0]
    }

    /// The block's number.
    fn starknet_header_number(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::BLOCK_NUMBER, chain_id, block)
    }

    /// Root of the tries of contracts and classes.
    fn starknet_header_state_root(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::STATE_ROOT, chain_id, block)
    }

    /// Address of the sequencer.
    fn starknet_header_sequencer_address(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::SEQUENCER_ADDRESS, chain_id, block)
    }

    /// Seconds since 1970.
    fn starknet_header_timestamp(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::BLOCK_TIMESTAMP, chain_id, block)
    }

    /// Number of transactions.
    fn starknet_header_transaction_count(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::TRANSACTION_COUNT, chain_id, block)
    }

    /// Root of the trie of transactions.
    fn starknet_header_transaction_commitment(
        self: @HDP, chain_id: felt252, block: u64,
    ) -> felt252 {
        self.starknet_header_field(starknet_header::TRANSACTION_COMMITMENT, chain_id, block)
    }

    /// Number of events.
    fn starknet_header_event_count(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::EVENT_COUNT, chain_id, block)
    }

    /// Root of the trie of events.
    fn starknet_header_event_commitment(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::EVENT_COMMITMENT, chain_id, block)
    }

    /// Hash of the parent block.
    fn starknet_header_parent_hash(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::PARENT_BLOCK_HASH, chain_id, block)
    }

    /// Hash of what the block changed.
    fn starknet_header_state_diff_commitment(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::STATE_DIFF_COMMITMENT, chain_id, block)
    }

    /// Number of changes.
    fn starknet_header_state_diff_length(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::STATE_DIFF_LENGTH, chain_id, block)
    }

    /// Price of L1 gas in wei.
    fn starknet_header_l1_gas_price_in_wei(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::L1_GAS_PRICE_IN_WEI, chain_id, block)
    }

    /// Price of L1 gas in FRI.
    fn starknet_header_l1_gas_price_in_fri(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::L1_GAS_PRICE_IN_FRI, chain_id, block)
    }

    /// Price of L1 data gas in wei.
    fn starknet_header_l1_data_gas_price_in_wei(
        self: @HDP, chain_id: felt252, block: u64,
    ) -> felt252 {
        self.starknet_header_field(starknet_header::L1_DATA_GAS_PRICE_IN_WEI, chain_id, block)
    }

    /// Price of L1 data gas in FRI.
    fn starknet_header_l1_data_gas_price_in_fri(
        self: @HDP, chain_id: felt252, block: u64,
    ) -> felt252 {
        self.starknet_header_field(starknet_header::L1_DATA_GAS_PRICE_IN_FRI, chain_id, block)
    }

    /// Root of the trie of receipts.
    fn starknet_header_receipts_commitment(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::RECEIPTS_COMMITMENT, chain_id, block)
    }

    /// How data is published on L1.
    fn starknet_header_l1_data_mode(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::L1_DATA_MODE, chain_id, block)
    }

    /// Version of the protocol, a short string.
    fn starknet_header_protocol_version(self: @HDP, chain_id: felt252, block: u64) -> felt252 {
        self.starknet_header_field(starknet_header::PROTOCOL_VERSION, chain_id, block)
    }

    /// A felt of a Starknet contract's storage after a block.
    fn starknet_storage(
        self: @HDP, chain_id: felt252, block: u64, contract: felt252, key: felt252,
    ) -> felt252 {
        let mut slot = place(chain_id, block);
        slot.append_span([contract, key].span());
        *call(self.starknet, handlers::STARKNET_STORAGE, selectors::SLOT, slot.span())[0]
    }

    /// The root of a trie of injected state; none for a label that the task does not name.
    fn state_root(self: @HDP, label: felt252) -> Option<felt252> {
        found(call(self.injected_state, handlers::STATE, selectors::STATE_LABEL, [label].span()))
    }

    /// The value of a key. The task has to name the label.
    fn state_read(self: @HDP, label: felt252, key: felt252) -> Option<felt252> {
        found(
            call(self.injected_state, handlers::STATE, selectors::STATE_READ, [label, key].span()),
        )
    }

    /// Sets a key and returns the trie's new root; 0 removes it.
    fn state_write(self: @HDP, label: felt252, key: felt252, value: felt252) -> felt252 {
        let write = [label, key, value].span();
        *call(self.injected_state, handlers::STATE, selectors::STATE_WRITE, write)[0]
    }
}

fn receipt_felts(
    hdp: @HDP, field: u8, chain_id: felt252, block: u64, transaction: u64,
) -> Span<felt252> {
    let mut key = place(chain_id, block);
    key.append(transaction.into());
    call(hdp.evm, handlers::RECEIPT, field.into(), key.span())
}

fn log_felts(
    hdp: @HDP, field: u8, chain_id: felt252, block: u64, transaction: u64, log: u64,
) -> Span<felt252> {
    let mut key = place(chain_id, block);
    key.append_span([transaction.into(), log.into()].span());
    call(hdp.evm, handlers::LOG, field.into(), key.span())
}

fn place(chain_id: felt252, block: u64) -> Array<felt252> {
    array![chain_id, block.into()]
}

/// A value of one word: the low half first.
fn word(felts: Span<felt252>) -> u256 {
    high_first(*felts[1], *felts[0])
}

/// A value of several words: each has its high half first.
fn words(mut felts: Span<felt252>) -> Array<u256> {
    let mut words: Array<u256> = array![];
    while let Option::Some(halves) = felts.multi_pop_front::<2>() {
        let [high, low] = halves.unbox();
        words.append(high_first(high, low));
    }
    words
}

fn high_first(high: felt252, low: felt252) -> u256 {
    u256 { low: low.try_into().unwrap(), high: high.try_into().unwrap() }
}

fn found(answer: Span<felt252>) -> Option<felt252> {
    if *answer[1] == 1 {
        Option::Some(*answer[0])
    } else {
        Option::None
    }
}

#[cfg(not(feature: 'mocks'))]
fn call(
    memorizer: @Memorizer, handler: felt252, field: felt252, key: Span<felt252>,
) -> Span<felt252> {
    let mut calldata = array![*memorizer.dict.segment_index, *memorizer.dict.offset];
    calldata.append_span(key);
    call_contract_syscall(handler.try_into().unwrap(), field, calldata.span()).unwrap_syscall()
}

#[cfg(feature: 'mocks')]
fn call(
    memorizer: @Memorizer, handler: felt252, field: felt252, key: Span<felt252>,
) -> Span<felt252> {
    crate::mocks::answer(memorizer, handler, field, key)
}
