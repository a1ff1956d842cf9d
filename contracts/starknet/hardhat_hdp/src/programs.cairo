//! Program hashes of the standard programs, and the word that each has as its first input.
//! Written by `npm run cairo` from contracts/starknet/programs.

/// Program hash: a datalake task over sampled blocks.
pub const BLOCKS_PROGRAM: felt252 =
    0x210216646335e6b67b27362499c0103920a41ab01410ab218c7fddfd00608ce;
/// First input of the same.
pub const BLOCKS_FORMAT: felt252 = 'hdp blocks 1';

/// Program hash: a datalake task over the transactions of one block.
pub const TRANSACTIONS_PROGRAM: felt252 =
    0x5a7027e3b7d32c908f95718f1fc417f0c896ff1f106d183365336501c57e53c;
/// First input of the same.
pub const TRANSACTIONS_FORMAT: felt252 = 'hdp transactions 1';
