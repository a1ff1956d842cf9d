// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpStorageProofs} from "../../../contracts/libraries/HdpStorageProofs.sol";
import {AccountField, HeaderField} from "../../../contracts/libraries/HdpTypes.sol";
import {HdpTest} from "../../../contracts/test/HdpTest.sol";

/// @notice Reads by the library.
contract StorageProofsHarness {
    function header(
        address store,
        uint256 chainId,
        uint256 blockNumber,
        HeaderField field
    ) external view returns (bytes32) {
        return HdpStorageProofs.header(store, chainId, blockNumber, field);
    }

    function tryHeader(
        address store,
        uint256 chainId,
        uint256 blockNumber,
        HeaderField field
    ) external view returns (bool, bytes32) {
        return HdpStorageProofs.tryHeader(store, chainId, blockNumber, field);
    }

    function account(
        address store,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        AccountField field
    ) external view returns (bytes32) {
        return HdpStorageProofs.account(store, chainId, blockNumber, target, field);
    }

    function tryAccount(
        address store,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        AccountField field
    ) external view returns (bool, bytes32) {
        return HdpStorageProofs.tryAccount(store, chainId, blockNumber, target, field);
    }

    function storageSlot(
        address store,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        bytes32 slot
    ) external view returns (bytes32) {
        return HdpStorageProofs.storageSlot(store, chainId, blockNumber, target, slot);
    }

    function tryStorageSlot(
        address store,
        uint256 chainId,
        uint256 blockNumber,
        address target,
        bytes32 slot
    ) external view returns (bool, bytes32) {
        return HdpStorageProofs.tryStorageSlot(store, chainId, blockNumber, target, slot);
    }

    function blockAt(address store, uint256 chainId, uint256 timestamp) external view returns (uint256) {
        return HdpStorageProofs.blockAt(store, chainId, timestamp);
    }

    function tryBlockAt(address store, uint256 chainId, uint256 timestamp) external view returns (bool, uint256) {
        return HdpStorageProofs.tryBlockAt(store, chainId, timestamp);
    }
}

/// @notice Spends all gas that it gets.
contract BurnsGas {
    fallback() external {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

/// @notice Saves values as a Solidity test does, and reads them by the library.
contract StorageProofsHelperTest is HdpTest {
    function saveAndRead(address target) external returns (uint256 gasUsed, uint256 balance, bytes32 word) {
        address satellite = address(store());
        saveBlockAt(1_700_000_000, 50);
        uint256 blockNumber = HdpStorageProofs.blockAt(satellite, sourceChainId(), 1_700_000_000);
        saveHeader(blockNumber, HeaderField.GAS_USED, 21_000);
        saveAccount(blockNumber, target, AccountField.BALANCE, 7 ether);
        saveSlot(blockNumber, target, bytes32(uint256(3)), bytes32(uint256(9)));
        gasUsed = uint256(HdpStorageProofs.header(satellite, sourceChainId(), 50, HeaderField.GAS_USED));
        balance = uint256(HdpStorageProofs.account(satellite, sourceChainId(), 50, target, AccountField.BALANCE));
        word = HdpStorageProofs.storageSlot(satellite, sourceChainId(), 50, target, bytes32(uint256(3)));
    }
}
