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

    event Passed(address indexed who, uint256 averageBaseFee);

    error TooExpensive(uint256 averageBaseFee);

    constructor(address executionStore, bytes32 averageFeeTask) {
        store = executionStore;
        feeTask = averageFeeTask;
    }

    /// @notice Average base fee as the task computed it; reverts while the task is not finalized.
    function averageBaseFee() public view returns (uint256) {
        return uint256(HdpResults.read(store, feeTask));
    }

    /// @notice Whether the average base fee is low enough.
    function isOpen() external view returns (bool) {
        return averageBaseFee() <= MAX_AVERAGE_BASE_FEE;
    }

    /// @notice Passes, or reverts where gas was too expensive.
    function pass() external {
        uint256 fee = averageBaseFee();
        if (fee > MAX_AVERAGE_BASE_FEE) revert TooExpensive(fee);
        emit Passed(msg.sender, fee);
    }
}
