// SPDX-License-Identifier: MIT
//! Fact hashes of executions on Starknet, by the formulas of the Integrity library, which
//! satellites use.

use core::poseidon::poseidon_hash_span;

/// Program hash of SHARP's bootloader, as Integrity 2.1.0 has it.
pub const SHARP_BOOTLOADER_PROGRAM_HASH: felt252 =
    0x5ab580b04e3532b6b18f81cfa654a05e29dd8e2352d88df1e765a84072db07;

/// The fact that a program had an output: Poseidon of the program hash and of the output's hash.
/// Published satellites look it up.
pub fn fact_hash(program_hash: felt252, output: Span<felt252>) -> felt252 {
    poseidon_hash_span(array![program_hash, poseidon_hash_span(output)].span())
}

/// The fact that SHARP's bootloader ran one program, which had an output. Satellites of the
/// development branch look it up. The bootloader's output is the number of programs, the number of
/// words that follow, this one included, the program hash, and the program's output.
pub fn bootloaded_fact_hash(program_hash: felt252, output: Span<felt252>) -> felt252 {
    let mut words = array![1, output.len().into() + 2, program_hash];
    words.append_span(output);
    fact_hash(SHARP_BOOTLOADER_PROGRAM_HASH, words.span())
}
