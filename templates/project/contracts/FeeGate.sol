// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";

/// @title Opens while gas has been cheap
/// @notice Acts on the average base fee of a range of blocks, which one task computes off chain. The task is fixed at
/// deployment, so that nobody can open the gate with the result of another one.
contract FeeGate {
    address public immutable store;
    bytes32 public immutable feeTask;
    uint256 public constant MAX_AVERAGE_BASE_FEE = 100 gwei;

    constructor(address executionStore, bytes32 averageFeeTask) {
        store = executionStore;
        feeTask = averageFeeTask;
    }

    /// @notice Whether the average base fee is low enough; reverts while the task is not finalized.
    function isOpen() external view returns (bool) {
        return uint256(HdpResults.read(store, feeTask)) <= MAX_AVERAGE_BASE_FEE;
    }
}
