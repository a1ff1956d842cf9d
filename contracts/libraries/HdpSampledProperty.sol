// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {AccountField, HeaderField, ReceiptField, TransactionField} from "./HdpTypes.sol";

/// @title HdpSampledProperty
/// @author The hardhat-hdp authors
/// @notice Encodes the property that a datalake samples, as it enters the task hash.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpSampledProperty {
    /// @notice A header field of each block: `header.{field}` in a task request.
    /// @param field Header field
    /// @return Two bytes: kind 1, field id
    function header(HeaderField field) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(1), uint8(field));
    }

    /// @notice A field of an account after each block: `account.{address}.{field}`.
    /// @param target The account
    /// @param field Account field
    /// @return 22 bytes: kind 2, address, field id
    function account(address target, AccountField field) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(2), target, uint8(field));
    }

    /// @notice A storage slot of a contract after each block: `storage.{address}.{slot}`.
    /// @param target The contract
    /// @param slot Storage slot
    /// @return 53 bytes: kind 3, address, slot
    function storageSlot(address target, bytes32 slot) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(3), target, slot);
    }

    /// @notice The balance of a token's holder: `storage.{token}.{slot}`.
    /// @param token ERC-20 token
    /// @param holder Holder
    /// @param balancesSlot Slot of the token's mapping of balances, 0 in OpenZeppelin's ERC20
    /// @return 53 bytes, as storageSlot
    function erc20Balance(address token, address holder, uint256 balancesSlot) internal pure returns (bytes memory) {
        return storageSlot(token, mappingSlot(balancesSlot, holder));
    }

    /// @notice Storage slot of a mapping's value: keccak256(key, slot of the mapping).
    /// @param slot The mapping's slot, or for a nested mapping what this function returned for the outer key
    /// @param key Key
    /// @return Slot
    function mappingSlot(uint256 slot, address key) internal pure returns (bytes32) {
        return mappingSlot(slot, bytes32(uint256(uint160(key))));
    }

    /// @notice Storage slot of a mapping's value, by a key of 32 bytes or an integer as such.
    /// @param slot The mapping's slot, or for a nested mapping what this function returned for the outer key
    /// @param key Key
    /// @return Slot
    function mappingSlot(uint256 slot, bytes32 key) internal pure returns (bytes32) {
        return keccak256(abi.encode(key, slot));
    }

    /// @notice Storage slot of a mapping's value, by a key of type string or bytes: it enters without padding.
    /// @param slot The mapping's slot, or for a nested mapping what was returned for the outer key
    /// @param key Key; of a string, `bytes(key)`
    /// @return Slot
    function mappingSlotOfBytes(uint256 slot, bytes memory key) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(key, slot));
    }

    /// @notice First slot of a namespace (ERC-7201): keccak256(keccak256(id) - 1), its last byte cleared.
    /// @param id The namespace in `@custom:storage-location erc7201:<id>`
    /// @return Slot
    function erc7201Slot(string memory id) internal pure returns (bytes32) {
        return keccak256(abi.encode(uint256(keccak256(bytes(id))) - 1)) & ~bytes32(uint256(0xff));
    }

    /// @notice Storage slot of a dynamic array's element: keccak256(slot of the array) + index * slotsEach.
    /// @param slot The array's slot, which holds its length
    /// @param index Index of the element
    /// @param slotsEach Slots of an element: 1, or more for structs and fixed arrays. Elements of 16 bytes and less share slots
    /// @return Slot
    function elementSlot(uint256 slot, uint256 index, uint256 slotsEach) internal pure returns (bytes32) {
        unchecked {
            return bytes32(uint256(keccak256(abi.encode(slot))) + index * slotsEach);
        }
    }

    /// @notice A field of each transaction: `tx.{field}`.
    /// @param field Transaction field
    /// @return Two bytes: kind 1, field id
    function transaction(TransactionField field) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(1), uint8(field));
    }

    /// @notice A field of each transaction's receipt: `tx_receipt.{field}`.
    /// @param field Receipt field
    /// @return Two bytes: kind 2, field id
    function receipt(ReceiptField field) internal pure returns (bytes memory) {
        return abi.encodePacked(uint8(2), uint8(field));
    }

    /// @notice The word that says which transaction types take part: one byte each, 1 for included.
    /// @param legacy Legacy transactions
    /// @param eip2930 Type 1, access list
    /// @param eip1559 Type 2, dynamic fee
    /// @param eip4844 Type 3, blob
    /// @return word The four flags in the lowest four bytes, legacy first
    function includedTypes(bool legacy, bool eip2930, bool eip1559, bool eip4844) internal pure returns (uint256 word) {
        if (legacy) word |= 1 << 24;
        if (eip2930) word |= 1 << 16;
        if (eip1559) word |= 1 << 8;
        if (eip4844) word |= 1;
    }
}
