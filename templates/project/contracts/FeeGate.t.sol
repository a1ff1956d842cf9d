// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

contract FeeGateTest is HdpTest {
    function test_opensWhileGasIsCheap() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9).hash);
        finalize(avgBaseFee(0, 9), 7 gwei);
        require(gate.isOpen(), "cheap gas opens the gate");
    }

    function test_staysShutOverTheLimit() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9).hash);
        finalize(avgBaseFee(0, 9), 101 gwei);
        require(!gate.isOpen(), "expensive gas shuts the gate");
    }
}
