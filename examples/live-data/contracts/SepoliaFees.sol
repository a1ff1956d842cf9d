// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";

/// @title Refunds gas at the average base fee of a range of blocks of Ethereum Sepolia
/// @notice The task is fixed at deployment.
contract SepoliaFees {
    address public immutable store;
    bytes32 public immutable feeTask;

    constructor(address executionStore, bytes32 averageFeeTask) {
        store = executionStore;
        feeTask = averageFeeTask;
    }

    /// @notice Refund for an amount of gas, in wei; reverts with NotFinalized while there is no result.
    function refund(uint256 gas) external view returns (uint256) {
        return gas * uint256(HdpResults.read(store, feeTask));
    }
}
