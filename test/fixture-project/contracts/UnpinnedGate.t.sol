// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {AggregateFn, HdpTask, HeaderField} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

/// @notice WRONG, do not copy: the caller chooses the task, so the caller chooses the answer.
contract UnpinnedGate {
    address public immutable store;
    bool public isOpen;

    constructor(address executionStore) {
        store = executionStore;
    }

    function update(HdpTask memory task, uint256 value) external {
        HdpResults.requireValue(store, task, value);
        isOpen = value <= 100 gwei;
    }
}

contract UnpinnedGateTest is HdpTest {
    function test_anotherTaskOpensTheUnpinnedGateAndNotThePinnedOne() public {
        UnpinnedGate unpinned = new UnpinnedGate(address(store()));
        FeeGate pinned = new FeeGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 101 gwei);
        unpinned.update(avgBaseFee(0, 9), 101 gwei);
        pinned.update(101 gwei);
        require(!unpinned.isOpen() && !pinned.isOpen(), "gas was expensive");

        // Anybody may have an unrelated task computed. Its result is right: the highest block number is 9.
        HdpTask memory unrelated = finalize(headerTask(AggregateFn.MAX, HeaderField.NUMBER, 0, 9), 9);
        unpinned.update(unrelated, 9);
        require(unpinned.isOpen(), "9 is no base fee, and the unpinned gate takes it for one");
        try pinned.update(9) {
            revert("the pinned gate takes the average alone");
        } catch (bytes memory reason) {
            require(bytes4(reason) == HdpResults.WrongValue.selector);
        }
    }
}
