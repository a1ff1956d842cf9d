// SPDX-License-Identifier: MIT
//! What a module of the data processor reads: the data handle, typed reads through it, the numbers
//! of fields, and mocks of chain data for unit tests.
//!
//! For the newest prover, whose handle has eight felts; those up to v1.0.12 pass fewer.

pub mod bloom;
pub mod fields;
pub mod handle;
#[cfg(feature: 'mocks')]
pub mod mocks;
pub mod reads;
#[cfg(test)]
#[cfg(feature: 'mocks')]
mod tests;

pub use bloom::{EventBits, EventBitsTrait, event_bits};
pub use handle::HDP;
pub use hardhat_hdp::output;
pub use reads::HDPTrait;
