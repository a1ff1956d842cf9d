// SPDX-License-Identifier: MIT
//! The data handle: what the data processor passes as first parameter of `main`.

/// A place in the prover's memory.
#[derive(Drop, Serde)]
pub struct RelocatableValue {
    /// Number of the segment.
    pub segment_index: felt252,
    /// Cell in the segment.
    pub offset: felt252,
}

/// The values that were proven of one world.
#[derive(Drop, Serde)]
pub struct Memorizer {
    /// Where the prover keeps them.
    pub dict: RelocatableValue,
}

/// Two felts for each member: the order and the number of members belong to the data processor's
/// convention.
#[derive(Drop, Serde)]
pub struct HDP {
    /// EVM chains.
    pub evm: Memorizer,
    /// Starknet.
    pub starknet: Memorizer,
    /// Tries that the task names.
    pub injected_state: Memorizer,
    /// Code of accounts.
    pub unconstrained: Memorizer,
}
