// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";

/// @title Allows deposits to a layer 2 while it was cheap there
/// @notice Lives on Ethereum and acts on headers of Optimism. The task is fixed at deployment.
contract DepositGate {
    address public immutable store;
    bytes32 public immutable feeTask;
    uint256 public constant MAX_FEE = 0.01 gwei;

    constructor(address executionStore, bytes32 highestFeeTask) {
        store = executionStore;
        feeTask = highestFeeTask;
    }

    /// @notice Whether the highest base fee was low enough; reverts with NotFinalized while there is no result.
    function isOpen() external view returns (bool) {
        return uint256(HdpResults.read(store, feeTask)) <= MAX_FEE;
    }
}
