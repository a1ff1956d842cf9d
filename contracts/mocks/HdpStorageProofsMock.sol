// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpStorageProofs} from "../interfaces/IHdpStorageProofs.sol";
import {AccountField, HeaderField} from "../libraries/HdpTypes.sol";
import {HdpTaskStateMock} from "./HdpTaskStateMock.sol";

/// @title HdpStorageProofsMock
/// @author The hardhat-hdp authors
/// @notice MOCK: the satellite's reads of values that storage proofs saved. Operators save values, without a proof.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpStorageProofsMock is HdpTaskStateMock {
    /// @notice A value that may have been saved.
    /// @param exists Whether it was
    /// @param value The value, 0 where it was not
    struct Saved {
        bool exists;
        bytes32 value;
    }

    /// @dev By keccak256 of what names a value: its kind, the chain, and where it is there.
    mapping(bytes32 key => Saved) private _saved;

    /// @notice MOCK ONLY: saves a field of a block header, without a proof. Operators only; the last value stays.
    /// @dev As proofs do, refuses LOGS_BLOOM and NUMBER.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param field Field, up to NONCE
    /// @param value The field as a word
    function setHeaderField(
        uint256 chainId,
        uint256 blockNumber,
        HeaderField field,
        bytes32 value
    ) external onlyOperator {
        require(field != HeaderField.LOGS_BLOOM, "STORAGE_PROOF_LOGS_BLOOM_NOT_SUPPORTED");
        require(field != HeaderField.NUMBER, "STORAGE_PROOF_BLOCK_NUMBER_NOT_SUPPORTED");
        _save(_headerKey(chainId, blockNumber, field), value);
    }

    /// @notice MOCK ONLY: saves a field of an account, without a proof. Operators only; the last value stays.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The account
    /// @param field Field
    /// @param value The field as a word
    function setAccountField(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        AccountField field,
        bytes32 value
    ) external onlyOperator {
        _save(_accountKey(chainId, blockNumber, account, field), value);
    }

    /// @notice MOCK ONLY: saves a storage slot, without a proof. Operators only; the last value stays.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The contract
    /// @param slot Storage slot
    /// @param value The word in the slot
    function setStorageSlot(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        bytes32 slot,
        bytes32 value
    ) external onlyOperator {
        _save(_slotKey(chainId, blockNumber, account, slot), value);
    }

    /// @inheritdoc IHdpStorageProofs
    function proveTimestamp(uint256 chainId, uint256 timestamp_, uint256 blockNumberLow) external onlySatellite {
        uint256 low = uint256(headerField(chainId, blockNumberLow, HeaderField.TIMESTAMP));
        uint256 high = uint256(headerField(chainId, blockNumberLow + 1, HeaderField.TIMESTAMP));
        require(low <= timestamp_ && timestamp_ < high, "STORAGE_PROOF_TIMESTAMP_NOT_BETWEEN_BLOCKS");
        _save(_timestampKey(chainId, timestamp_), bytes32(blockNumberLow));
    }

    /// @inheritdoc IHdpStorageProofs
    function accountField(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        AccountField field
    ) external view returns (bytes32) {
        return _require(_accountKey(chainId, blockNumber, account, field), "STORAGE_PROOF_ACCOUNT_FIELD_NOT_SAVED");
    }

    /// @inheritdoc IHdpStorageProofs
    function storageSlot(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        bytes32 slot
    ) external view returns (bytes32) {
        return _require(_slotKey(chainId, blockNumber, account, slot), "STORAGE_PROOF_SLOT_NOT_SAVED");
    }

    /// @inheritdoc IHdpStorageProofs
    function timestamp(uint256 chainId, uint256 timestamp_) external view returns (uint256) {
        return uint256(_require(_timestampKey(chainId, timestamp_), "STORAGE_PROOF_TIMESTAMP_NOT_SAVED"));
    }

    /// @inheritdoc IHdpStorageProofs
    function headerField(uint256 chainId, uint256 blockNumber, HeaderField field) public view returns (bytes32) {
        return _require(_headerKey(chainId, blockNumber, field), "STORAGE_PROOF_HEADER_FIELD_NOT_SAVED");
    }

    /// @inheritdoc IHdpStorageProofs
    function headerFieldSafe(
        uint256 chainId,
        uint256 blockNumber,
        HeaderField field
    ) external view returns (bool saved, bytes32 value) {
        return _read(_headerKey(chainId, blockNumber, field));
    }

    /// @inheritdoc IHdpStorageProofs
    function accountFieldSafe(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        AccountField field
    ) external view returns (bool saved, bytes32 value) {
        return _read(_accountKey(chainId, blockNumber, account, field));
    }

    /// @inheritdoc IHdpStorageProofs
    function storageSlotSafe(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        bytes32 slot
    ) external view returns (bool saved, bytes32 value) {
        return _read(_slotKey(chainId, blockNumber, account, slot));
    }

    /// @inheritdoc IHdpStorageProofs
    function timestampSafe(
        uint256 chainId,
        uint256 timestamp_
    ) external view returns (bool saved, uint256 blockNumber) {
        bytes32 word;
        (saved, word) = _read(_timestampKey(chainId, timestamp_));
        blockNumber = uint256(word);
    }

    /// @dev Saves a value; the last one stays.
    function _save(bytes32 key, bytes32 value) private onlySatellite {
        _saved[key] = Saved(true, value);
    }

    /// @dev Whether a value was saved, and the value.
    function _read(bytes32 key) private view onlySatellite returns (bool, bytes32) {
        Saved storage known = _saved[key];
        return (known.exists, known.value);
    }

    /// @dev A saved value; reverts with the reason where it was not saved.
    function _require(bytes32 key, string memory reason) private view returns (bytes32) {
        (bool saved, bytes32 value) = _read(key);
        require(saved, reason);
        return value;
    }

    /// @dev Reverts without a reason for fields that a satellite does not know.
    function _headerKey(uint256 chainId, uint256 blockNumber, HeaderField field) private pure returns (bytes32) {
        if (field > HeaderField.NONCE) revert();
        return _key("header", chainId, blockNumber, address(0), uint256(field));
    }

    /// @dev Key of an account's field.
    function _accountKey(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        AccountField field
    ) private pure returns (bytes32) {
        return _key("account", chainId, blockNumber, account, uint256(field));
    }

    /// @dev Key of a storage slot.
    function _slotKey(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        bytes32 slot
    ) private pure returns (bytes32) {
        return _key("slot", chainId, blockNumber, account, uint256(slot));
    }

    /// @dev Key of the block of a time.
    function _timestampKey(uint256 chainId, uint256 timestamp_) private pure returns (bytes32) {
        return _key("timestamp", chainId, timestamp_, address(0), 0);
    }

    /// @dev Key of a value: see _saved.
    function _key(
        bytes32 kind,
        uint256 chainId,
        uint256 place,
        address account,
        uint256 what
    ) private pure returns (bytes32) {
        return keccak256(abi.encode(kind, chainId, place, account, what));
    }
}
