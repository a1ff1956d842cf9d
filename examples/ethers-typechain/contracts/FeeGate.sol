// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IHdpExecutionStore} from "hardhat-hdp/contracts/interfaces/IHdpExecutionStore.sol";

/// @title Opens while gas has been cheap
/// @notice Acts on the average base fee of a range of blocks, computed off chain and read by task hash.
contract FeeGate {
    IHdpExecutionStore public immutable store;
    uint256 public constant MAX_AVERAGE_BASE_FEE = 100 gwei;

    event Passed(address indexed who, uint256 averageBaseFee);

    error TooExpensive(uint256 averageBaseFee);

    constructor(IHdpExecutionStore executionStore) {
        store = executionStore;
    }

    /// @notice Whether the average base fee that `taskHash` computed is low enough.
    function isOpen(bytes32 taskHash) public view returns (bool) {
        return uint256(store.getFinalizedTaskResult(taskHash)) <= MAX_AVERAGE_BASE_FEE;
    }

    /// @notice Passes, or reverts when gas was too expensive or the task is not finalized.
    function pass(bytes32 taskHash) external {
        uint256 averageBaseFee = uint256(store.getFinalizedTaskResult(taskHash));
        if (averageBaseFee > MAX_AVERAGE_BASE_FEE) revert TooExpensive(averageBaseFee);
        emit Passed(msg.sender, averageBaseFee);
    }
}
