// SPDX-License-Identifier: MIT
//! The data processor on Starknet: the interfaces of its execution store and of satellites, a
//! component that reads results, the hashes under which results are stored, and a verifier of
//! proofs of injected state.

pub mod chains;
pub mod datalake;
pub mod fields;
pub mod injected_state;
pub mod interface;
pub mod keccak_words;
pub mod module_form;
pub mod output;
pub mod output_root;
pub mod programs;
pub mod reader;
pub mod satellite;
pub mod storage;
pub mod task;
