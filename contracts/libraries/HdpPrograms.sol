// SPDX-License-Identifier: MIT
// Written by `npm run cairo` from contracts/starknet/programs.
pragma solidity >=0.8.20 <0.9.0;

/// @title HdpPrograms
/// @notice Program hashes of the standard programs, and the word that each has as its first input.
library HdpPrograms {
    /// @notice Program hash: a datalake task over sampled blocks.
    bytes32 internal constant BLOCKS_PROGRAM = 0x0210216646335e6b67b27362499c0103920a41ab01410ab218c7fddfd00608ce;
    /// @notice First input of the same: 'hdp blocks 1'.
    bytes32 internal constant BLOCKS_FORMAT = 0x000000000000000000000000000000000000000068647020626c6f636b732031;

    /// @notice Program hash: a datalake task over the transactions of one block.
    bytes32 internal constant TRANSACTIONS_PROGRAM = 0x05a7027e3b7d32c908f95718f1fc417f0c896ff1f106d183365336501c57e53c;
    /// @notice First input of the same: 'hdp transactions 1'.
    bytes32 internal constant TRANSACTIONS_FORMAT = 0x0000000000000000000000000000686470207472616e73616374696f6e732031;
}
