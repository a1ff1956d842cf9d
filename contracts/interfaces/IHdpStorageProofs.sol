// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {AccountField, HeaderField} from "../libraries/HdpTypes.sol";

/// @title IHdpStorageProofs
/// @author The hardhat-hdp authors
/// @notice The satellite's functions that read values of other chains which storage proofs saved in it.
/// @dev Each is there in two forms: one answers whether the value was saved, the other reverts where it was not. Header
/// fields past NONCE are unknown to satellites: they revert without a reason.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpStorageProofs {
    /// @notice A field of a block header, if it was saved.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param field Field, up to NONCE
    /// @return saved Whether it was saved
    /// @return value The field as a word, 0 where it was not saved
    function headerFieldSafe(
        uint256 chainId,
        uint256 blockNumber,
        HeaderField field
    ) external view returns (bool saved, bytes32 value);

    /// @notice A saved field of a block header. Reverts with STORAGE_PROOF_HEADER_FIELD_NOT_SAVED.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param field Field, up to NONCE
    /// @return The field as a word
    function headerField(uint256 chainId, uint256 blockNumber, HeaderField field) external view returns (bytes32);

    /// @notice A field of an account after a block, if it was saved.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The account
    /// @param field Field
    /// @return saved Whether it was saved
    /// @return value The field as a word, 0 where it was not saved
    function accountFieldSafe(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        AccountField field
    ) external view returns (bool saved, bytes32 value);

    /// @notice A saved field of an account. Reverts with STORAGE_PROOF_ACCOUNT_FIELD_NOT_SAVED.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The account
    /// @param field Field
    /// @return The field as a word
    function accountField(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        AccountField field
    ) external view returns (bytes32);

    /// @notice A storage slot after a block, if it was saved.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The contract
    /// @param slot Storage slot
    /// @return saved Whether it was saved
    /// @return value The word in the slot, 0 where it was not saved
    function storageSlotSafe(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        bytes32 slot
    ) external view returns (bool saved, bytes32 value);

    /// @notice A saved storage slot. Reverts with STORAGE_PROOF_SLOT_NOT_SAVED.
    /// @param chainId Chain of the block
    /// @param blockNumber Number of the block
    /// @param account The contract
    /// @param slot Storage slot
    /// @return The word in the slot
    function storageSlot(
        uint256 chainId,
        uint256 blockNumber,
        address account,
        bytes32 slot
    ) external view returns (bytes32);

    /// @notice The last block whose timestamp is not later than a time, if it was saved.
    /// @param chainId Chain of the block
    /// @param timestamp_ Time in seconds
    /// @return saved Whether it was saved
    /// @return blockNumber Number of the block, 0 where it was not saved
    function timestampSafe(uint256 chainId, uint256 timestamp_) external view returns (bool saved, uint256 blockNumber);

    /// @notice The saved block of a time. Reverts with STORAGE_PROOF_TIMESTAMP_NOT_SAVED.
    /// @param chainId Chain of the block
    /// @param timestamp_ Time in seconds
    /// @return Number of the block
    function timestamp(uint256 chainId, uint256 timestamp_) external view returns (uint256);

    /// @notice Saves the block of a time. Open to anyone.
    /// @dev The TIMESTAMP fields of the block and of the next one must be saved. Reverts with
    /// STORAGE_PROOF_HEADER_FIELD_NOT_SAVED, STORAGE_PROOF_TIMESTAMP_NOT_BETWEEN_BLOCKS.
    /// @param chainId Chain of the block
    /// @param timestamp_ Time in seconds
    /// @param blockNumberLow The last block whose timestamp is not later
    function proveTimestamp(uint256 chainId, uint256 timestamp_, uint256 blockNumberLow) external;
}
