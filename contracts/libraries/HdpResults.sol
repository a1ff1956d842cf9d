// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {IHdpExecutionStore} from "../interfaces/IHdpExecutionStore.sol";
import {IHdpSatellite} from "../interfaces/IHdpSatellite.sol";
import {IHdpTaskStore} from "../interfaces/IHdpTaskStore.sol";

/// @title HdpResults
/// @notice Reads results from a store of either kind: satellites (all stores published since 2025) and execution stores
/// (2024) have different names for the same functions.
/// @dev Calls the satellite's function, and the execution store's where there is no answer to the first. Reading from a
/// satellite costs one call, reading from an execution store two. The store must be one that the contract trusts, and so
/// must the task hash: never take either from a caller.
library HdpResults {
    /// @notice The account has no code, or its code answers neither as a satellite nor as an execution store.
    /// @param store The account
    error NotAStore(address store);

    /// @notice A call of the store failed and took most of the gas, so that the store's answer is unknown.
    error NotEnoughGas();

    /// @notice The result of a finalized task.
    /// @dev Reverts with IHdpTaskStore.NotFinalized as the store does, NotAStore, NotEnoughGas.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @return Result word
    function read(address store, bytes32 taskHash) internal view returns (bytes32) {
        (bool finalized, bytes32 result) = tryRead(store, taskHash);
        if (!finalized) revert IHdpTaskStore.NotFinalized();
        return result;
    }

    /// @notice The result of a task, if it is finalized.
    /// @dev Reverts with NotAStore, NotEnoughGas.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @return finalized Whether the task has a result
    /// @return result Result word, 0 where it has none
    function tryRead(address store, bytes32 taskHash) internal view returns (bool finalized, bytes32 result) {
        return
            _ask(
                store,
                IHdpSatellite.getDataProcessorFinalizedTaskResult.selector,
                IHdpExecutionStore.getFinalizedTaskResult.selector,
                taskHash
            );
    }

    /// @notice State of a task.
    /// @dev Reverts with NotAStore, NotEnoughGas.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @return State
    function status(address store, bytes32 taskHash) internal view returns (IHdpTaskStore.TaskStatus) {
        (bool answered, bytes32 word) = _ask(
            store,
            IHdpSatellite.getDataProcessorTaskStatus.selector,
            IHdpExecutionStore.getTaskStatus.selector,
            taskHash
        );
        if (!answered || uint256(word) > uint256(type(IHdpTaskStore.TaskStatus).max)) revert NotAStore(store);
        return IHdpTaskStore.TaskStatus(uint256(word));
    }

    /// @dev The word that the first of two functions answers, or (false, 0) where it reverts with NotFinalized.
    function _ask(
        address store,
        bytes4 satelliteSelector,
        bytes4 executionStoreSelector,
        bytes32 taskHash
    ) private view returns (bool answered, bytes32 word) {
        // Accounts without code accept every call, and precompiled contracts answer.
        if (store.code.length == 0) revert NotAStore(store);
        bool known;
        (known, answered, word) = _call(store, satelliteSelector, taskHash);
        if (!known) (known, answered, word) = _call(store, executionStoreSelector, taskHash);
        if (!known) revert NotAStore(store);
    }

    /// @dev Calls a function of the store. `known` is false where the store doesn't seem to have it.
    function _call(
        address store,
        bytes4 selector,
        bytes32 taskHash
    ) private view returns (bool known, bool answered, bytes32 word) {
        uint256 gasBefore = gasleft();
        uint256 size;
        // At most one word is copied, whatever the length of the answer.
        assembly ("memory-safe") {
            mstore(0, selector)
            mstore(4, taskHash)
            answered := staticcall(gas(), store, 0, 36, 0, 32)
            size := returndatasize()
            word := mload(0)
        }
        if (answered && size >= 32) return (true, true, word);
        if (!answered && size == 4 && bytes4(word) == IHdpTaskStore.NotFinalized.selector) return (true, false, 0);
        // A call gets 63/64 of the gas. Where most of it is gone, the store, or what it calls, may have run out of it:
        // that must not be taken for an unknown function.
        if (gasleft() < gasBefore / 2) revert NotEnoughGas();
        return (false, false, 0);
    }
}
