// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Allows deposits to a layer 2 while it was cheap there
/// @notice Lives on Ethereum and acts on headers of Optimism. Task and form are fixed at deployment.
contract DepositGate {
    address public immutable store;
    HdpTask public feeTask;
    uint256 public constant MAX_FEE = 0.01 gwei;
    bool public isOpen;

    error NoTask();

    constructor(address executionStore, HdpTask memory highestFeeTask) {
        HdpResults.requireStore(executionStore);
        if (highestFeeTask.hash == 0) revert NoTask();
        store = executionStore;
        feeTask = highestFeeTask;
    }

    /// @notice Opens or shuts the gate by the highest base fee. Anybody may bring it: the call reverts with WrongValue for
    /// another one, and with NotFinalized while there is no result.
    function update(uint256 highestFee) external {
        HdpResults.requireValue(store, feeTask, highestFee);
        isOpen = highestFee <= MAX_FEE;
    }
}
