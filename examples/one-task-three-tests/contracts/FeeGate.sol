// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Open after gas was cheap
contract FeeGate {
    address public immutable store;
    HdpTask public feeTask;
    bool public isOpen;

    error NoTask();

    constructor(address executionStore, HdpTask memory averageFeeTask) {
        HdpResults.requireStore(executionStore);
        if (averageFeeTask.hash == 0) revert NoTask();
        store = executionStore;
        feeTask = averageFeeTask;
    }

    /// @notice Takes the task's result from anybody, reverts unless it is the stored one, and opens at 10 gwei or less.
    function update(uint256 average) external {
        HdpResults.requireValue(store, feeTask, average);
        isOpen = average <= 10 gwei;
    }
}
