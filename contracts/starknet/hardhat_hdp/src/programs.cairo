// SPDX-License-Identifier: MIT
//! Program hashes of the standard programs, and the word that each has as its first input.
//! Written by `npm run cairo` from contracts/starknet/programs.

/// Program hash: a datalake task over sampled blocks.
pub const BLOCKS_PROGRAM: felt252 =
    0x6d98084b3067e04a39a9666f0a304ad9d67b1c0d8d1e4337ea305c4920530a;
/// First input of the same.
pub const BLOCKS_FORMAT: felt252 = 'hdp blocks 1';

/// Program hash: a datalake task over the transactions of one block.
pub const TRANSACTIONS_PROGRAM: felt252 =
    0x371a4c7b45773783c85f1c349ca2d225b9e926e62861c93755de7360154830d;
/// First input of the same.
pub const TRANSACTIONS_FORMAT: felt252 = 'hdp transactions 1';
