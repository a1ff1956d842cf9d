// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";
import {FEE_RESULT, FEE_TASK} from "./Fixtures.sol";

contract FeeGateTest is HdpTest {
    function test_opensAtTheComputedResult() public {
        FeeGate gate = new FeeGate(address(store()), FEE_TASK);
        finalize(FEE_TASK, FEE_RESULT);
        require(gate.isOpen(), "shut");
    }

    function test_shutsAboveTenGwei() public {
        FeeGate gate = new FeeGate(address(store()), FEE_TASK);
        finalize(FEE_TASK, 10 gwei + 1);
        require(!gate.isOpen(), "open");
    }

    function test_theTaskFileIsThisTask() public view {
        require(avgBaseFee(0, 0).hash == FEE_TASK, "hash");
    }
}
