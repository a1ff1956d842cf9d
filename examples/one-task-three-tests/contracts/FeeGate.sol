// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IHdpExecutionStore} from "hardhat-hdp/contracts/interfaces/IHdpExecutionStore.sol";

/// @title Open while gas has been cheap
contract FeeGate {
    IHdpExecutionStore public immutable store;

    constructor(IHdpExecutionStore executionStore) {
        store = executionStore;
    }

    /// @notice Whether the average base fee that `taskHash` computed is at most 10 gwei.
    function isOpen(bytes32 taskHash) external view returns (bool) {
        return uint256(store.getFinalizedTaskResult(taskHash)) <= 10 gwei;
    }
}
