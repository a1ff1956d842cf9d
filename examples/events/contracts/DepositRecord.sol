// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {ModuleTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @notice Stands for a contract that somebody else wrote.
contract Vault {
    event Deposited(address indexed from, uint256 amount);

    /// @notice Logs two deposits, as a deposit through a router may.
    function deposit(uint256 amount) external {
        emit Deposited(msg.sender, amount);
        emit Deposited(msg.sender, amount);
    }
}

/// @notice A receipt that the module reads, and how many of its logs.
struct ReceiptToRead {
    uint64 blockNumber;
    uint64 transaction;
    uint64 logs;
}

/// @notice What the module returns, in its order.
struct EventSum {
    uint128 count;
    uint128 sumLow;
    uint128 sumHigh;
    uint128 excludedBlocks;
    uint128 readBlocks;
    uint128 openReceipts;
}

/// @title Keeps what is proven of a vault's deposits in a range of blocks
/// @notice Two statements, since a sum of logs proves but one of them: at least this much was deposited; nothing was.
contract DepositRecord {
    uint256 public constant SOURCE_CHAIN = 11155111;
    address public immutable store;
    bytes32 public immutable program;
    address public immutable vault;
    uint64 public immutable firstBlock;
    uint64 public immutable lastBlock;

    uint256 public depositedAtLeast;
    bool public nothingDeposited;

    error NoProgram();
    error NoBlocks();
    error MayBeIncomplete(uint256 unseenBlocks, uint256 openReceipts);
    error WereDeposits(uint256 count);

    constructor(address executionStore, bytes32 program_, address vault_, uint64 first, uint64 last) {
        HdpResults.requireStore(executionStore);
        if (program_ == 0) revert NoProgram();
        if (first > last) revert NoBlocks();
        (store, program, vault, firstBlock, lastBlock) = (executionStore, program_, vault_, first, last);
    }

    /// @notice The task hash of the run over this vault and range that read these receipts.
    function taskHash(ReceiptToRead[] calldata receipts) public view returns (bytes32) {
        // The arguments of the module's `main` in order; a u256 is its low half and its high half.
        bytes32[] memory inputs = new bytes32[](8 + 3 * receipts.length);
        uint256 topic0 = uint256(Vault.Deposited.selector);
        inputs[0] = bytes32(SOURCE_CHAIN);
        inputs[1] = bytes32(uint256(uint128(uint160(vault))));
        inputs[2] = bytes32(uint256(uint160(vault)) >> 128);
        inputs[3] = bytes32(uint256(uint128(topic0)));
        inputs[4] = bytes32(topic0 >> 128);
        inputs[5] = bytes32(uint256(firstBlock));
        inputs[6] = bytes32(uint256(lastBlock));
        inputs[7] = bytes32(receipts.length);
        for (uint256 i = 0; i < receipts.length; ++i) {
            inputs[8 + 3 * i] = bytes32(uint256(receipts[i].blockNumber));
            inputs[9 + 3 * i] = bytes32(uint256(receipts[i].transaction));
            inputs[10 + 3 * i] = bytes32(uint256(receipts[i].logs));
        }
        return HdpTaskHash.taskHash(ModuleTask(program, inputs));
    }

    /// @notice Accepts a sum as "at least": each log in it is proven, and a caller who leaves some out proves less.
    function acceptAtLeast(ReceiptToRead[] calldata receipts, EventSum calldata found) external {
        _requireProven(receipts, found);
        uint256 sum = (uint256(found.sumHigh) << 128) | found.sumLow;
        if (sum > depositedAtLeast) depositedAtLeast = sum;
    }

    /// @notice Accepts that nothing was deposited: only where each block is excluded by its bloom or was read, and no
    /// receipt that was read may have the event.
    function acceptNothing(ReceiptToRead[] calldata receipts, EventSum calldata found) external {
        _requireProven(receipts, found);
        if (found.count > 0) revert WereDeposits(found.count);
        uint256 unseen = uint256(lastBlock) - firstBlock + 1 - found.excludedBlocks - found.readBlocks;
        if (unseen > 0 || found.openReceipts > 0) revert MayBeIncomplete(unseen, found.openReceipts);
        nothingDeposited = true;
    }

    function _requireProven(ReceiptToRead[] calldata receipts, EventSum calldata found) private view {
        uint128[] memory values = new uint128[](6);
        (values[0], values[1], values[2]) = (found.count, found.sumLow, found.sumHigh);
        (values[3], values[4], values[5]) = (found.excludedBlocks, found.readBlocks, found.openReceipts);
        HdpResults.requireMarked(store, taskHash(receipts), values);
    }
}
