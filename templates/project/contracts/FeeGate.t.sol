// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpForm} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

contract FeeGateTest is HdpTest {
    function test_opensWhileGasIsCheap() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 7 gwei);
        gate.update(7 gwei);
        require(gate.isOpen(), "cheap gas opens the gate");
    }

    function test_staysShutOverTheLimit() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 101 gwei);
        gate.update(101 gwei);
        require(!gate.isOpen(), "expensive gas shuts the gate");
    }

    function test_takesNoOtherValue() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 101 gwei);
        try gate.update(7 gwei) {
            revert("7 gwei is not the average");
        } catch (bytes memory reason) {
            require(bytes4(reason) == HdpResults.WrongValue.selector);
        }
    }
}

/// @notice The same tests in the form in which satellites keep results.
contract FeeGateModuleTest is FeeGateTest {
    function taskForm() internal pure override returns (HdpForm) {
        return HdpForm.Module;
    }
}
