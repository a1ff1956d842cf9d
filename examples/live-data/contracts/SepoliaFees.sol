// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Refunds gas at the average base fee of a range of blocks of Ethereum Sepolia
/// @notice Task and form are fixed at deployment.
contract SepoliaFees {
    address public immutable store;
    HdpTask public feeTask;
    uint256 public averageBaseFee;

    error NotUpdated();
    error NoTask();

    constructor(address executionStore, HdpTask memory averageFeeTask) {
        HdpResults.requireStore(executionStore);
        if (averageFeeTask.hash == 0) revert NoTask();
        store = executionStore;
        feeTask = averageFeeTask;
    }

    /// @notice Keeps the average. Anybody may bring it: the call reverts with WrongValue for another one, and with NotFinalized
    /// while there is no result.
    function update(uint256 average) external {
        HdpResults.requireValue(store, feeTask, average);
        averageBaseFee = average;
    }

    /// @notice Refund for an amount of gas, in wei.
    function refund(uint256 gas) external view returns (uint256) {
        if (averageBaseFee == 0) revert NotUpdated();
        return gas * averageBaseFee;
    }
}
