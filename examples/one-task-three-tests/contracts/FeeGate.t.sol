// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

contract FeeGateTest is HdpTest {
    // tasks/fee.json, as `npx hardhat hdp:hash tasks/fee.json` prints it, and its result.
    bytes32 private constant TASK = 0x66555ef49c5b8a40a8ecf506f30f2085c17be05198787b814a0eded6a390a330;
    uint256 private constant RESULT = 7 gwei;

    function test_opensAtTheComputedResult() public {
        FeeGate gate = new FeeGate(store());
        finalize(TASK, RESULT);
        require(gate.isOpen(TASK), "shut");
    }

    function test_shutsAboveTenGwei() public {
        FeeGate gate = new FeeGate(store());
        finalize(TASK, RESULT + 3 gwei + 1);
        require(!gate.isOpen(TASK), "open");
    }

    function test_theTaskFileIsThisTask() public view {
        require(avgBaseFee(0, 0) == TASK, "hash");
    }
}
