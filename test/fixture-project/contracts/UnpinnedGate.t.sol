// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {AggregateFn, HeaderField} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

/// @notice WRONG, do not copy: the caller chooses the task, so the caller chooses the answer.
contract UnpinnedGate {
    address public immutable store;

    constructor(address executionStore) {
        store = executionStore;
    }

    function isOpen(bytes32 taskHash) external view returns (bool) {
        return uint256(HdpResults.read(store, taskHash)) <= 100 gwei;
    }
}

contract UnpinnedGateTest is HdpTest {
    function test_anotherTaskOpensTheUnpinnedGateAndNotThePinnedOne() public {
        UnpinnedGate unpinned = new UnpinnedGate(address(store()));
        FeeGate pinned = new FeeGate(address(store()), avgBaseFee(0, 9).hash);
        finalize(avgBaseFee(0, 9), 101 gwei);
        require(!unpinned.isOpen(avgBaseFee(0, 9).hash) && !pinned.isOpen(), "gas was expensive");

        // Anybody may have an unrelated task computed. Its result is right: the highest block number is 9.
        bytes32 unrelated = finalize(headerTask(AggregateFn.MAX, HeaderField.NUMBER, 0, 9), 9).hash;
        require(unpinned.isOpen(unrelated), "9 is no base fee, and the unpinned gate takes it for one");
        require(!pinned.isOpen(), "the pinned gate stays shut");
    }
}
