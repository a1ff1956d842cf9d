// SPDX-License-Identifier: MIT
//! Ids of the fields a datalake can sample, as they are hashed.

/// Fields of a block header.
pub mod header {
    /// Hash of the parent block's header.
    pub const PARENT_HASH: u8 = 0;
    /// Hash of the list of uncles.
    pub const OMMERS_HASH: u8 = 1;
    /// Address that gets the fees.
    pub const BENEFICIARY: u8 = 2;
    /// Root of the trie of accounts.
    pub const STATE_ROOT: u8 = 3;
    /// Root of the trie of transactions.
    pub const TRANSACTIONS_ROOT: u8 = 4;
    /// Root of the trie of receipts.
    pub const RECEIPTS_ROOT: u8 = 5;
    /// Bloom filter of the logs; 256 bytes, no number.
    pub const LOGS_BLOOM: u8 = 6;
    /// Difficulty; 0 since proof of stake.
    pub const DIFFICULTY: u8 = 7;
    /// The block's number.
    pub const NUMBER: u8 = 8;
    /// Most gas that the block may use.
    pub const GAS_LIMIT: u8 = 9;
    /// Gas that its transactions used.
    pub const GAS_USED: u8 = 10;
    /// Seconds since 1970.
    pub const TIMESTAMP: u8 = 11;
    /// The builder's own bytes; no number as a rule.
    pub const EXTRA_DATA: u8 = 12;
    /// Randomness of the beacon chain (`prevRandao`).
    pub const MIX_HASH: u8 = 13;
    /// Nonce of proof of work; 0 since proof of stake.
    pub const NONCE: u8 = 14;
    /// Base fee in wei per gas (London).
    pub const BASE_FEE_PER_GAS: u8 = 15;
    /// Root of the trie of withdrawals (Shanghai).
    pub const WITHDRAWALS_ROOT: u8 = 16;
    /// Blob gas that its transactions used (Cancun).
    pub const BLOB_GAS_USED: u8 = 17;
    /// Running total of blob gas above the target (Cancun).
    pub const EXCESS_BLOB_GAS: u8 = 18;
    /// Root of the parent's beacon block (Cancun).
    pub const PARENT_BEACON_BLOCK_ROOT: u8 = 19;
}

/// Fields of an account.
pub mod account {
    /// Number of transactions the account has sent.
    pub const NONCE: u8 = 0;
    /// Balance in wei.
    pub const BALANCE: u8 = 1;
    /// Root of the trie of the account's storage.
    pub const STORAGE_ROOT: u8 = 2;
    /// Keccak-256 of the account's code.
    pub const CODE_HASH: u8 = 3;
}

/// Fields of a transaction.
pub mod transaction {
    /// The sender's nonce.
    pub const NONCE: u8 = 0;
    /// Price in wei per gas, of the types that have one.
    pub const GAS_PRICE: u8 = 1;
    /// Most gas that the transaction may use.
    pub const GAS_LIMIT: u8 = 2;
    /// Address that is called.
    pub const TO: u8 = 3;
    /// Wei that are sent.
    pub const VALUE: u8 = 4;
    /// Calldata; no number as a rule.
    pub const INPUT: u8 = 5;
    /// Parity of the signature, or `v` of a legacy transaction.
    pub const V: u8 = 6;
    /// The signature's `r`.
    pub const R: u8 = 7;
    /// The signature's `s`.
    pub const S: u8 = 8;
    /// Chain id that is signed.
    pub const CHAIN_ID: u8 = 9;
    /// Access list, encoded; no number as a rule.
    pub const ACCESS_LIST: u8 = 10;
    /// Most wei per gas, tip included (EIP-1559).
    pub const MAX_FEE_PER_GAS: u8 = 11;
    /// Most wei per gas as a tip (EIP-1559).
    pub const MAX_PRIORITY_FEE_PER_GAS: u8 = 12;
    /// Hashes of the blobs, encoded; no number as a rule.
    pub const BLOB_VERSIONED_HASHES: u8 = 13;
    /// Most wei per blob gas (EIP-4844).
    pub const MAX_FEE_PER_BLOB_GAS: u8 = 14;
}

/// Fields of a receipt.
pub mod receipt {
    /// 1 for a transaction that succeeded, 0 for one that reverted.
    pub const SUCCESS: u8 = 0;
    /// Gas of the block up to and with this transaction.
    pub const CUMULATIVE_GAS_USED: u8 = 1;
    /// Logs, encoded; no number as a rule.
    pub const LOGS: u8 = 2;
    /// Bloom filter of the logs; 256 bytes, no number.
    pub const BLOOM: u8 = 3;
}
