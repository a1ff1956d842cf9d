// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpForm, HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";
import {FEE_FORM, FEE_RESULT, FEE_TASK} from "./Fixtures.sol";

contract FeeGateTest is HdpTest {
    function taskForm() internal pure override returns (HdpForm) {
        return FEE_FORM;
    }

    function test_opensAtTheComputedResult() public {
        FeeGate gate = new FeeGate(address(store()), HdpTask(FEE_TASK, FEE_FORM));
        finalize(HdpTask(FEE_TASK, FEE_FORM), FEE_RESULT);
        gate.update(FEE_RESULT);
        require(gate.isOpen(), "shut");
    }

    function test_shutsAboveTenGwei() public {
        FeeGate gate = new FeeGate(address(store()), HdpTask(FEE_TASK, FEE_FORM));
        finalize(HdpTask(FEE_TASK, FEE_FORM), 10 gwei + 1);
        gate.update(10 gwei + 1);
        require(!gate.isOpen(), "open");
    }

    function test_theTaskFileIsThisTask() public {
        require(avgBaseFee(0, 0).hash == FEE_TASK, "hash");
    }
}
