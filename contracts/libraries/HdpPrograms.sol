// SPDX-License-Identifier: MIT
// Written by `npm run cairo` from contracts/starknet/programs.
pragma solidity >=0.8.21 <0.9.0;

/// @title HdpPrograms
/// @author The hardhat-hdp authors
/// @notice Program hashes of the standard programs, and the word that each has as its first input.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpPrograms {
    /// @notice Program hash: a datalake task over sampled blocks.
    bytes32 internal constant BLOCKS_PROGRAM = 0x006d98084b3067e04a39a9666f0a304ad9d67b1c0d8d1e4337ea305c4920530a;
    /// @notice First input of the same: 'hdp blocks 1'.
    bytes32 internal constant BLOCKS_FORMAT = 0x000000000000000000000000000000000000000068647020626c6f636b732031;

    /// @notice Program hash: a datalake task over the transactions of one block.
    bytes32 internal constant TRANSACTIONS_PROGRAM = 0x0371a4c7b45773783c85f1c349ca2d225b9e926e62861c93755de7360154830d;
    /// @notice First input of the same: 'hdp transactions 1'.
    bytes32 internal constant TRANSACTIONS_FORMAT = 0x0000000000000000000000000000686470207472616e73616374696f6e732031;
}
