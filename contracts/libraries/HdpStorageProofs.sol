// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpStorageProofs} from "../interfaces/IHdpStorageProofs.sol";
import {HdpResults} from "./HdpResults.sol";
import {AccountField, HeaderField} from "./HdpTypes.sol";

/// @title HdpStorageProofs
/// @author The hardhat-hdp authors
/// @notice Reads block headers, accounts and storage of other chains, and blocks by their time, from a satellite in which
/// storage proofs saved them. Each `try` function answers whether the value is there; the others revert where it is not.
/// @dev The satellite must be one that the contract trusts. A value is there once somebody has proven it: a contract that
/// acts on an absent value as on 0 can be fooled. All functions revert with HdpResults.NotAStore, also for an execution
/// store, which has no such values, and with HdpResults.NotEnoughGas.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpStorageProofs {
    /// @notice The header field is not saved in the satellite.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param field Field
    error HeaderFieldNotProven(uint256 chainId, uint256 blockNumber, HeaderField field);

    /// @notice The account's field is not saved in the satellite.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The account
    /// @param field Field
    error AccountFieldNotProven(uint256 chainId, uint256 blockNumber, address account, AccountField field);

    /// @notice The storage slot is not saved in the satellite.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The account
    /// @param slot Storage slot
    error SlotNotProven(uint256 chainId, uint256 blockNumber, address account, bytes32 slot);

    /// @notice The block of the time is not saved in the satellite.
    /// @param chainId Chain of the block
    /// @param timestamp Time in seconds
    error TimestampNotProven(uint256 chainId, uint256 timestamp);

    /// @notice Satellites save no such header field: LOGS_BLOOM, NUMBER, and all past NONCE.
    /// @param field Field
    error HeaderFieldNotSupported(HeaderField field);

    /// @notice A field of a block header.
    /// @dev Reverts with HeaderFieldNotProven, HeaderFieldNotSupported.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param field Field
    /// @return value The field as a word
    function header(
        address satellite,
        uint256 chainId,
        uint256 blockNumber,
        HeaderField field
    ) internal view returns (bytes32 value) {
        bool saved;
        (saved, value) = tryHeader(satellite, chainId, blockNumber, field);
        if (!saved) revert HeaderFieldNotProven(chainId, blockNumber, field);
    }

    /// @notice A field of a block header, if it is saved.
    /// @dev Reverts with HeaderFieldNotSupported.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param field Field
    /// @return saved Whether it is saved
    /// @return value The field as a word, 0 where it is not saved
    function tryHeader(
        address satellite,
        uint256 chainId,
        uint256 blockNumber,
        HeaderField field
    ) internal view returns (bool saved, bytes32 value) {
        if (field > HeaderField.NONCE || field == HeaderField.LOGS_BLOOM || field == HeaderField.NUMBER) {
            revert HeaderFieldNotSupported(field);
        }
        return _ask(satellite, abi.encodeCall(IHdpStorageProofs.headerFieldSafe, (chainId, blockNumber, field)));
    }

    /// @notice A field of an account after a block.
    /// @dev Reverts with AccountFieldNotProven.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param target The account
    /// @param field Field
    /// @return value The field as a word
    function account(
        address satellite,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        AccountField field
    ) internal view returns (bytes32 value) {
        bool saved;
        (saved, value) = tryAccount(satellite, chainId, blockNumber, target, field);
        if (!saved) revert AccountFieldNotProven(chainId, blockNumber, target, field);
    }

    /// @notice A field of an account after a block, if it is saved.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param target The account
    /// @param field Field
    /// @return saved Whether it is saved
    /// @return value The field as a word, 0 where it is not saved
    function tryAccount(
        address satellite,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        AccountField field
    ) internal view returns (bool saved, bytes32 value) {
        return
            _ask(satellite, abi.encodeCall(IHdpStorageProofs.accountFieldSafe, (chainId, blockNumber, target, field)));
    }

    /// @notice A storage slot after a block.
    /// @dev Reverts with SlotNotProven.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param target The contract
    /// @param slot Storage slot: see HdpSampledProperty.mappingSlot
    /// @return value The word in the slot
    function storageSlot(
        address satellite,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        bytes32 slot
    ) internal view returns (bytes32 value) {
        bool saved;
        (saved, value) = tryStorageSlot(satellite, chainId, blockNumber, target, slot);
        if (!saved) revert SlotNotProven(chainId, blockNumber, target, slot);
    }

    /// @notice A storage slot after a block, if it is saved.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param target The contract
    /// @param slot Storage slot
    /// @return saved Whether it is saved
    /// @return value The word in the slot, 0 where it is not saved
    function tryStorageSlot(
        address satellite,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        bytes32 slot
    ) internal view returns (bool saved, bytes32 value) {
        return _ask(satellite, abi.encodeCall(IHdpStorageProofs.storageSlotSafe, (chainId, blockNumber, target, slot)));
    }

    /// @notice The last block whose timestamp is not later than a time.
    /// @dev Reverts with TimestampNotProven.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param timestamp Time in seconds
    /// @return blockNumber Number of the block
    function blockAt(
        address satellite,
        uint256 chainId,
        uint256 timestamp
    ) internal view returns (uint256 blockNumber) {
        bool saved;
        (saved, blockNumber) = tryBlockAt(satellite, chainId, timestamp);
        if (!saved) revert TimestampNotProven(chainId, timestamp);
    }

    /// @notice The last block whose timestamp is not later than a time, if it is saved.
    /// @param satellite The satellite
    /// @param chainId Chain of the block
    /// @param timestamp Time in seconds
    /// @return saved Whether it is saved
    /// @return blockNumber Number of the block, 0 where it is not saved
    function tryBlockAt(
        address satellite,
        uint256 chainId,
        uint256 timestamp
    ) internal view returns (bool saved, uint256 blockNumber) {
        bytes32 word;
        (saved, word) = _ask(satellite, abi.encodeCall(IHdpStorageProofs.timestampSafe, (chainId, timestamp)));
        blockNumber = uint256(word);
    }

    /// @dev What a function of the satellite answers: whether the value is saved, and the value. Passes on the satellite's
    /// own errors.
    function _ask(address satellite, bytes memory data) private view returns (bool saved, bytes32 value) {
        // Accounts without code accept every call, and precompiled contracts answer.
        if (satellite.code.length == 0) revert HdpResults.NotAStore(satellite);
        uint256 gasBefore = gasleft();
        bool answered;
        uint256 size;
        uint256 flag;
        assembly ("memory-safe") {
            answered := staticcall(gas(), satellite, add(data, 32), mload(data), 0, 64)
            size := returndatasize()
            flag := mload(0)
            value := mload(32)
            if and(iszero(answered), gt(size, 0)) {
                let reason := mload(64)
                returndatacopy(reason, 0, size)
                revert(reason, size)
            }
        }
        if (answered && size >= 64 && flag < 2) return (flag == 1, value);
        // See HdpResults: a call that ran out of gas must not be taken for an unknown function.
        if (gasleft() < gasBefore / 2) revert HdpResults.NotEnoughGas();
        revert HdpResults.NotAStore(satellite);
    }
}
