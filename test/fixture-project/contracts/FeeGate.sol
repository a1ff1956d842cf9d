// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Open while gas has been cheap
/// @notice Acts on the average base fee of a range of blocks, which one task computes off chain. Task and form are fixed at
/// deployment, so that nobody can open the gate with the result of another one.
contract FeeGate {
    uint256 public constant MAX_AVERAGE_BASE_FEE = 100 gwei;

    address public immutable store;
    HdpTask public feeTask;
    uint256 public averageBaseFee;
    bool public isOpen;

    event Passed(address indexed who, uint256 averageBaseFee);

    error Shut(uint256 averageBaseFee);
    error NoTask();

    constructor(address executionStore, HdpTask memory averageFeeTask) {
        HdpResults.requireStore(executionStore);
        if (averageFeeTask.hash == 0) revert NoTask();
        store = executionStore;
        feeTask = averageFeeTask;
    }

    /// @notice Keeps the average base fee, and opens or shuts the gate. Anybody may bring the value: the call reverts unless
    /// it is the task's, and while the task is not finalized.
    function update(uint256 value) external {
        HdpResults.requireValue(store, feeTask, value);
        averageBaseFee = value;
        isOpen = value <= MAX_AVERAGE_BASE_FEE;
    }

    /// @notice Passes, or reverts while the gate is shut.
    function pass() external {
        if (!isOpen) revert Shut(averageBaseFee);
        emit Passed(msg.sender, averageBaseFee);
    }
}
