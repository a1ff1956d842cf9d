//! The data processor on Starknet: the interface of its execution store, a mock of that contract,
//! the hashes under which results are stored, and a verifier of proofs of injected state.

pub mod chains;
pub mod datalake;
pub mod fields;
pub mod injected_state;
pub mod interface;
pub mod keccak_words;
pub mod mock;
pub mod output_root;
pub mod storage;
pub mod task;
