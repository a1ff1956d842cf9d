// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {HdpForm, HdpTask, ModuleTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @notice Stands for a price feed that somebody else wrote; its price is storage slot 0.
contract PriceFeed {
    uint256 public price;

    /// @notice Sets the price. Anybody may, which a real feed does not allow.
    function set(uint256 newPrice) external {
        price = newPrice;
    }
}

/// @title Settles at the time-weighted average of a price
/// @notice Derives the task hash of the very run it trusts: this program, this feed, these blocks. The store keeps a root
/// over the marked halves that the module returned, so that the price comes from the caller and is checked.
contract TwapSettlement {
    uint256 public constant SOURCE_CHAIN = 11155111;
    address public immutable store;
    bytes32 public immutable twapTask;

    uint256 public settledPrice;
    bool public isSettled;

    error AlreadySettled();
    error NoProgram();
    error NoBlocks();

    constructor(address executionStore, bytes32 program, address feed, uint256 slot, uint256 first, uint256 last) {
        HdpResults.requireStore(executionStore);
        if (program == 0) revert NoProgram();
        if (first > last) revert NoBlocks();
        store = executionStore;
        // The arguments of the module's `main` in order; a u256 is its low half and its high half.
        bytes32[] memory inputs = new bytes32[](6);
        inputs[0] = bytes32(SOURCE_CHAIN);
        inputs[1] = bytes32(uint256(uint160(feed)));
        inputs[2] = bytes32(uint256(uint128(slot)));
        inputs[3] = bytes32(slot >> 128);
        inputs[4] = bytes32(first);
        inputs[5] = bytes32(last);
        twapTask = HdpTaskHash.taskHash(ModuleTask(program, inputs));
    }

    /// @notice Settles once, at the price that the module returned; reverts for any other, and while there is no result.
    function settle(uint256 price) external {
        // A store of 2024 may replace its result: what others did by the price stays right.
        if (isSettled) revert AlreadySettled();
        HdpResults.requireValue(store, HdpTask(twapTask, HdpForm.Module), price);
        (settledPrice, isSettled) = (price, true);
    }
}
