// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IHdpExecutionStore} from "hardhat-hdp/contracts/interfaces/IHdpExecutionStore.sol";

/// @title Opens while gas has been cheap
/// @notice Acts on the average base fee of a range of blocks, computed off chain and read by task hash.
contract FeeGate {
    IHdpExecutionStore public immutable store;
    uint256 public constant MAX_AVERAGE_BASE_FEE = 100 gwei;

    constructor(IHdpExecutionStore executionStore) {
        store = executionStore;
    }

    /// @notice Whether the average base fee that `taskHash` computed is low enough; reverts while it is not finalized.
    function isOpen(bytes32 taskHash) external view returns (bool) {
        return uint256(store.getFinalizedTaskResult(taskHash)) <= MAX_AVERAGE_BASE_FEE;
    }
}
