// SPDX-License-Identifier: MIT
//! Numbers of the fields that a module reads. Fields that the data processor refuses have none
//! here.
//!
//! Datalakes number some fields of transactions and receipts otherwise: theirs are in
//! `hardhat_hdp::fields`.

/// Fields of a block header: those of datalakes, and one more.
pub mod header {
    pub use hardhat_hdp::fields::header::*;
    /// Hash of the execution layer's requests (Prague).
    pub const REQUESTS_HASH: u8 = 20;
}

/// Fields of an account: those of datalakes.
pub mod account {
    pub use hardhat_hdp::fields::account::*;
}

/// Fields of a transaction. 13 and above differ from the datalakes'.
pub mod transaction {
    pub use hardhat_hdp::fields::transaction::{
        CHAIN_ID, GAS_LIMIT, GAS_PRICE, MAX_FEE_PER_GAS, MAX_PRIORITY_FEE_PER_GAS, NONCE, R, S, TO,
        V, VALUE,
    };
    /// Most wei per blob gas (EIP-4844); 14 for datalakes.
    pub const MAX_FEE_PER_BLOB_GAS: u8 = 13;
    /// Type of EIP-2718, 0 for a legacy transaction.
    pub const TYPE: u8 = 16;
    /// Address that signed it.
    pub const SENDER: u8 = 17;
    /// The transaction's hash.
    pub const HASH: u8 = 18;
}

/// Fields of a receipt. 2 differs from the datalakes'.
pub mod receipt {
    pub use hardhat_hdp::fields::receipt::{CUMULATIVE_GAS_USED, SUCCESS};
    /// Bloom filter of the logs; 3 for datalakes.
    pub const BLOOM: u8 = 2;
}

/// Fields of a log.
pub mod log {
    /// Contract that wrote it.
    pub const ADDRESS: u8 = 0;
    /// Topic 0, the event's hash; the others have the numbers behind it, up to topic 3.
    pub const TOPIC0: u8 = 1;
    /// The data, in whole words of 32 bytes.
    pub const DATA: u8 = 6;
}

/// Fields of a Starknet block header.
pub mod starknet_header {
    /// The block's number.
    pub const BLOCK_NUMBER: u8 = 0;
    /// Root of the tries of contracts and classes.
    pub const STATE_ROOT: u8 = 1;
    /// Address of the sequencer.
    pub const SEQUENCER_ADDRESS: u8 = 2;
    /// Seconds since 1970.
    pub const BLOCK_TIMESTAMP: u8 = 3;
    /// Number of transactions.
    pub const TRANSACTION_COUNT: u8 = 4;
    /// Root of the trie of transactions.
    pub const TRANSACTION_COMMITMENT: u8 = 5;
    /// Number of events.
    pub const EVENT_COUNT: u8 = 6;
    /// Root of the trie of events.
    pub const EVENT_COMMITMENT: u8 = 7;
    /// Hash of the parent block.
    pub const PARENT_BLOCK_HASH: u8 = 8;
    /// Hash of what the block changed.
    pub const STATE_DIFF_COMMITMENT: u8 = 9;
    /// Number of changes.
    pub const STATE_DIFF_LENGTH: u8 = 10;
    /// Price of L1 gas in wei.
    pub const L1_GAS_PRICE_IN_WEI: u8 = 11;
    /// Price of L1 gas in FRI.
    pub const L1_GAS_PRICE_IN_FRI: u8 = 12;
    /// Price of L1 data gas in wei.
    pub const L1_DATA_GAS_PRICE_IN_WEI: u8 = 13;
    /// Price of L1 data gas in FRI.
    pub const L1_DATA_GAS_PRICE_IN_FRI: u8 = 14;
    /// Root of the trie of receipts.
    pub const RECEIPTS_COMMITMENT: u8 = 15;
    /// How data is published on L1.
    pub const L1_DATA_MODE: u8 = 16;
    /// Version of the protocol, a short string.
    pub const PROTOCOL_VERSION: u8 = 17;
}
