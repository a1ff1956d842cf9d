// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";

/// @title Open while gas has been cheap
contract FeeGate {
    address public immutable store;
    bytes32 public immutable feeTask;

    constructor(address executionStore, bytes32 averageFeeTask) {
        store = executionStore;
        feeTask = averageFeeTask;
    }

    /// @notice Whether the average base fee that the task computed is at most 10 gwei.
    function isOpen() external view returns (bool) {
        return uint256(HdpResults.read(store, feeTask)) <= 10 gwei;
    }
}
