// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpForm} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "./FeeGate.sol";

contract FeeGateTest is HdpTest {
    function test_opens() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 7 gwei);
        gate.update(7 gwei);
        require(gate.isOpen(), "cheap gas opens the gate");
    }

    function test_staysShutOverTheLimit(uint64 excess) public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        uint256 value = gate.MAX_AVERAGE_BASE_FEE() + 1 + excess;
        finalize(avgBaseFee(0, 9), value);
        gate.update(value);
        require(!gate.isOpen(), "expensive gas shuts the gate");
    }

    function test_takesNoOtherValue(uint256 other) public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 101 gwei);
        if (other == 101 gwei) return;
        try gate.update(other) {
            revert("another value was taken");
        } catch (bytes memory reason) {
            require(bytes4(reason) == HdpResults.WrongValue.selector, "another reason");
        }
    }

    function test_revertsWhileNotFinalized() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        try gate.update(7 gwei) {
            revert("a task without a result opened the gate");
        } catch (bytes memory reason) {
            require(bytes4(reason) == NOT_FINALIZED, "another reason");
        }
    }
}

/// @notice The same tests in the form in which satellites keep results.
contract FeeGateModuleTest is FeeGateTest {
    function taskForm() internal pure override returns (HdpForm) {
        return HdpForm.Module;
    }
}
