// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

contract FeeGateTest is HdpTest {
    function test_opens() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9).hash);
        finalize(avgBaseFee(0, 9), 7 gwei);
        require(gate.isOpen(), "cheap gas opens the gate");
    }

    function test_staysShutOverTheLimit(uint64 excess) public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9).hash);
        finalize(avgBaseFee(0, 9), gate.MAX_AVERAGE_BASE_FEE() + 1 + excess);
        require(!gate.isOpen(), "expensive gas shuts the gate");
    }

    function test_revertsWhileNotFinalized() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9).hash);
        try gate.isOpen() {
            revert("a task without a result opened the gate");
        } catch (bytes memory reason) {
            require(bytes4(reason) == bytes4(keccak256("NotFinalized()")), "another reason");
        }
    }
}
