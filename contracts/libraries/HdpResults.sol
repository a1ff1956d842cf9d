// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpExecutionStore} from "../interfaces/IHdpExecutionStore.sol";
import {IHdpSatellite} from "../interfaces/IHdpSatellite.sol";
import {IHdpTaskStore} from "../interfaces/IHdpTaskStore.sol";
import {HdpOutputRoot} from "./HdpOutputRoot.sol";
import {HdpForm, HdpTask} from "./HdpTypes.sol";

/// @title HdpResults
/// @author The hardhat-hdp authors
/// @notice Checks values that a caller brings against the results of a store of either kind: satellites (all stores
/// published since 2025) and execution stores (2024) have different names for the same functions.
/// @dev Calls the function of one kind of store, and that of the other where there is no answer to the first: for the form
/// Datalake and the plain word, which stores of 2024 have, an execution store first; for modules and states a satellite.
/// The other kind costs a second call. The store must be one that the contract trusts, and so must the task: never take
/// store, task hash or form from a caller. All functions revert with NotAStore and NotEnoughGas.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpResults {
    /// @dev Chains have precompiled contracts at addresses of up to so many bits.
    uint256 private constant PRECOMPILED_BITS = 16;

    /// @notice The account has no code, or its code answers neither as a satellite nor as an execution store.
    /// @param store The account
    error NotAStore(address store);

    /// @notice A call of the store failed and took most of the gas, so that the store's answer is unknown.
    error NotEnoughGas();

    /// @notice The value is not the task's.
    /// @param taskHash Task hash
    /// @param value The value that was brought
    /// @param word Result word
    error WrongValue(bytes32 taskHash, uint256 value, bytes32 word);

    /// @notice The output is not what the module returned.
    /// @param taskHash Task hash
    /// @param root Root over the output that was brought
    /// @param word Result word
    error WrongOutput(bytes32 taskHash, bytes32 root, bytes32 word);

    /// @notice Accepts an account that answers as a store of either kind. For constructors: no other account ever has a
    /// result, and what a contract holds until then would stay in it.
    /// @dev Reverts with NotAStore. That the store is the right one, and no mock, is checked by whoever deploys.
    /// @param store The account
    function requireStore(address store) internal view {
        status(store, 0);
    }

    /// @notice Accepts the value of a task in either form: of a datalake task, of a standard program, or of a module that
    /// returns `marked_u256(value)` (form Module).
    /// @dev Reverts with IHdpTaskStore.NotFinalized as the store does, WrongValue. HdpOutputRoot.rootOfValue says why no
    /// other value is accepted.
    /// @param store Satellite or execution store
    /// @param task Task hash and form
    /// @param value The value that the caller brings
    function requireValue(address store, HdpTask memory task, uint256 value) internal view {
        (bool finalized, bytes32 word) = _read(store, task.hash, task.form);
        if (!finalized) revert IHdpTaskStore.NotFinalized();
        if (HdpOutputRoot.wordOf(task.form, value) != word) revert WrongValue(task.hash, value, word);
    }

    /// @notice Whether a task is finalized, and with this value.
    /// @param store Satellite or execution store
    /// @param task Task hash and form
    /// @param value The value that the caller brings
    /// @return finalized Whether the task has a result
    /// @return matches Whether the value is the task's
    function tryValue(
        address store,
        HdpTask memory task,
        uint256 value
    ) internal view returns (bool finalized, bool matches) {
        bytes32 word;
        (finalized, word) = _read(store, task.hash, task.form);
        matches = finalized && word == HdpOutputRoot.wordOf(task.form, value);
    }

    /// @notice Accepts the output of a module that returns one felt.
    /// @dev Reverts with IHdpTaskStore.NotFinalized, WrongOutput, HdpOutputRoot.NotAFelt.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param felt The felt that the caller brings
    function requireFelt(address store, bytes32 taskHash, uint256 felt) internal view {
        _require(store, taskHash, HdpOutputRoot.rootOfFelt(felt));
    }

    /// @notice Whether a task is finalized, and its module returned this felt. A number that is no felt doesn't match.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param felt The felt that the caller brings
    /// @return finalized Whether the task has a result
    /// @return matches Whether the felt is the output
    function tryFelt(
        address store,
        bytes32 taskHash,
        uint256 felt
    ) internal view returns (bool finalized, bool matches) {
        if (HdpOutputRoot.isFelt(felt)) return _try(store, taskHash, HdpOutputRoot.rootOfFelt(felt));
        (finalized, ) = tryRead(store, taskHash);
    }

    /// @notice Accepts the output of a module that returns `marked(values)`.
    /// @dev Reverts with IHdpTaskStore.NotFinalized, WrongOutput, HdpOutputRoot.TooFewValues.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param values The values that the caller brings, in order, without marks
    function requireMarked(address store, bytes32 taskHash, uint128[] memory values) internal view {
        _require(store, taskHash, HdpOutputRoot.rootOfMarked(values));
    }

    /// @notice Whether a task is finalized, and its module returned `marked(values)`. Fewer than two values don't match.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param values The values that the caller brings, in order, without marks
    /// @return finalized Whether the task has a result
    /// @return matches Whether the values are the output
    function tryMarked(
        address store,
        bytes32 taskHash,
        uint128[] memory values
    ) internal view returns (bool finalized, bool matches) {
        if (values.length > 1) return _try(store, taskHash, HdpOutputRoot.rootOfMarked(values));
        (finalized, ) = tryRead(store, taskHash);
    }

    /// @notice Accepts the output of a module that returns `digest(words)`.
    /// @dev Reverts with IHdpTaskStore.NotFinalized, WrongOutput. The digest doesn't say where one array ends and the next
    /// begins: see HdpOutputRoot.digest.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param words The words that the caller brings, in order
    function requireDigest(address store, bytes32 taskHash, uint256[] memory words) internal view {
        _require(store, taskHash, HdpOutputRoot.rootOfFelt(HdpOutputRoot.digest(words)));
    }

    /// @notice Whether a task is finalized, and its module returned `digest(words)`.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param words The words that the caller brings, in order
    /// @return finalized Whether the task has a result
    /// @return matches Whether the words are the output
    function tryDigest(
        address store,
        bytes32 taskHash,
        uint256[] memory words
    ) internal view returns (bool finalized, bool matches) {
        return _try(store, taskHash, HdpOutputRoot.rootOfFelt(HdpOutputRoot.digest(words)));
    }

    /// @notice Accepts the output of a module that returns the digest of bytes.
    /// @dev Reverts with IHdpTaskStore.NotFinalized, WrongOutput.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param data The bytes that the caller brings
    function requireDigestOfBytes(address store, bytes32 taskHash, bytes memory data) internal view {
        _require(store, taskHash, HdpOutputRoot.rootOfFelt(HdpOutputRoot.digestOfBytes(data)));
    }

    /// @notice Whether a task is finalized, and its module returned the digest of these bytes.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @param data The bytes that the caller brings
    /// @return finalized Whether the task has a result
    /// @return matches Whether the bytes are the output
    function tryDigestOfBytes(
        address store,
        bytes32 taskHash,
        bytes memory data
    ) internal view returns (bool finalized, bool matches) {
        return _try(store, taskHash, HdpOutputRoot.rootOfFelt(HdpOutputRoot.digestOfBytes(data)));
    }

    /// @notice The word of a finalized task. It is the value for datalake tasks in stores of 2024; for a module it is a root,
    /// which says nothing without the output: use requireValue and its siblings.
    /// @dev Reverts with IHdpTaskStore.NotFinalized as the store does.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @return Result word
    function read(address store, bytes32 taskHash) internal view returns (bytes32) {
        (bool finalized, bytes32 word) = tryRead(store, taskHash);
        if (!finalized) revert IHdpTaskStore.NotFinalized();
        return word;
    }

    /// @notice The word of a task, if it is finalized. See `read` for what it means.
    /// @param store Satellite or execution store
    /// @param taskHash Task hash
    /// @return finalized Whether the task has a result
    /// @return result Result word, 0 where it has none
    function tryRead(address store, bytes32 taskHash) internal view returns (bool finalized, bytes32 result) {
        return
            _ask(
                store,
                IHdpExecutionStore.getFinalizedTaskResult.selector,
                IHdpSatellite.getDataProcessorFinalizedTaskResult.selector,
                taskHash
            );
    }

    /// @notice State of a task.
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

    /// @dev The word of a task, if it is finalized, asked first of the kind of store that has tasks of the form.
    function _read(address store, bytes32 taskHash, HdpForm form) private view returns (bool finalized, bytes32 word) {
        if (form == HdpForm.Datalake) return tryRead(store, taskHash);
        return
            _ask(
                store,
                IHdpSatellite.getDataProcessorFinalizedTaskResult.selector,
                IHdpExecutionStore.getFinalizedTaskResult.selector,
                taskHash
            );
    }

    /// @dev Reverts with WrongOutput unless the task has this root.
    function _require(address store, bytes32 taskHash, bytes32 root) private view {
        (bool finalized, bytes32 word) = _read(store, taskHash, HdpForm.Module);
        if (!finalized) revert IHdpTaskStore.NotFinalized();
        if (root != word) revert WrongOutput(taskHash, root, word);
    }

    /// @dev Whether a task is finalized, and with this word.
    function _try(
        address store,
        bytes32 taskHash,
        bytes32 expected
    ) private view returns (bool finalized, bool matches) {
        bytes32 word;
        (finalized, word) = _read(store, taskHash, HdpForm.Module);
        matches = finalized && word == expected;
    }

    /// @dev The word that the first of two functions answers, or (false, 0) where it reverts with NotFinalized. One function
    /// with a loop, since calls of internal functions are a tenth of the gas.
    function _ask(
        address store,
        bytes4 selector,
        bytes4 second,
        bytes32 taskHash
    ) private view returns (bool answered, bytes32 word) {
        // Precompiled contracts answer anything, or burn the gas.
        if (uint160(store) >> PRECOMPILED_BITS == 0) revert NotAStore(store);
        while (true) {
            uint256 gasBefore = gasleft();
            uint256 size;
            bool isWord;
            // At most one word is copied, whatever the length of the answer. Accounts without code answer nothing, which is
            // no word.
            assembly ("memory-safe") {
                mstore(0, selector)
                mstore(4, taskHash)
                answered := staticcall(gas(), store, 0, 36, 0, 32)
                size := returndatasize()
                word := mload(0)
                isWord := and(answered, gt(size, 31))
            }
            if (isWord) return (true, word);
            if (!answered && size == 4 && bytes4(word) == IHdpTaskStore.NotFinalized.selector) return (false, 0);
            // A call gets 63/64 of the gas. Where most of it is gone, the store, or what it calls, may have run out of it:
            // that must not be taken for an unknown function.
            if (gasleft() < gasBefore / 2) revert NotEnoughGas();
            if (selector == second) revert NotAStore(store);
            selector = second;
        }
    }
}
