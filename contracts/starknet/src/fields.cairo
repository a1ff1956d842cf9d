//! Ids of the fields a datalake can sample, as they are hashed.

pub mod header {
    pub const PARENT_HASH: u8 = 0;
    pub const OMMERS_HASH: u8 = 1;
    pub const BENEFICIARY: u8 = 2;
    pub const STATE_ROOT: u8 = 3;
    pub const TRANSACTIONS_ROOT: u8 = 4;
    pub const RECEIPTS_ROOT: u8 = 5;
    pub const LOGS_BLOOM: u8 = 6;
    pub const DIFFICULTY: u8 = 7;
    pub const NUMBER: u8 = 8;
    pub const GAS_LIMIT: u8 = 9;
    pub const GAS_USED: u8 = 10;
    pub const TIMESTAMP: u8 = 11;
    pub const EXTRA_DATA: u8 = 12;
    pub const MIX_HASH: u8 = 13;
    pub const NONCE: u8 = 14;
    pub const BASE_FEE_PER_GAS: u8 = 15;
    pub const WITHDRAWALS_ROOT: u8 = 16;
    pub const BLOB_GAS_USED: u8 = 17;
    pub const EXCESS_BLOB_GAS: u8 = 18;
    pub const PARENT_BEACON_BLOCK_ROOT: u8 = 19;
}

pub mod account {
    pub const NONCE: u8 = 0;
    pub const BALANCE: u8 = 1;
    pub const STORAGE_ROOT: u8 = 2;
    pub const CODE_HASH: u8 = 3;
}

pub mod transaction {
    pub const NONCE: u8 = 0;
    pub const GAS_PRICE: u8 = 1;
    pub const GAS_LIMIT: u8 = 2;
    pub const TO: u8 = 3;
    pub const VALUE: u8 = 4;
    pub const INPUT: u8 = 5;
    pub const V: u8 = 6;
    pub const R: u8 = 7;
    pub const S: u8 = 8;
    pub const CHAIN_ID: u8 = 9;
    pub const ACCESS_LIST: u8 = 10;
    pub const MAX_FEE_PER_GAS: u8 = 11;
    pub const MAX_PRIORITY_FEE_PER_GAS: u8 = 12;
    pub const BLOB_VERSIONED_HASHES: u8 = 13;
    pub const MAX_FEE_PER_BLOB_GAS: u8 = 14;
}

pub mod receipt {
    pub const SUCCESS: u8 = 0;
    pub const CUMULATIVE_GAS_USED: u8 = 1;
    pub const LOGS: u8 = 2;
    pub const BLOOM: u8 = 3;
}
