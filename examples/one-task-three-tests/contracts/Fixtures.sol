// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.20 <0.9.0;

// Task hashes and results, written by `npx hardhat hdp fixtures`.
// To change them, run it again.

// Task hash: average of header.base_fee_per_gas.
bytes32 constant FEE_TASK = 0x66555ef49c5b8a40a8ecf506f30f2085c17be05198787b814a0eded6a390a330;
// Its result.
uint256 constant FEE_RESULT = 1000000000;
