// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";
import {IHdpCheatCodes} from "hardhat-hdp/contracts/test/IHdpCheatCodes.sol";

import {FeeGate} from "./FeeGate.sol";

contract Caller {
    address public last;

    function touch() external {
        last = msg.sender;
    }
}

/// @notice The kit inside pranks, which go on afterwards.
contract PranksTest is HdpTest {
    IHdpCheatCodes private constant VM = IHdpCheatCodes(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant ALICE = address(0xa11ce);

    function test_worksInsideAStartedPrank() public {
        Caller caller = new Caller();
        store();
        VM.startPrank(ALICE, ALICE);
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        finalize(avgBaseFee(0, 9), 7 gwei);
        gate.update(7 gwei);
        caller.touch();
        require(gate.isOpen() && caller.last() == ALICE, "the prank goes on");
        VM.stopPrank();
        caller.touch();
        require(caller.last() == address(this), "the prank has ended");
    }

    function test_operatesAStoreThatWasDeployedInsideAPrank() public {
        VM.startPrank(ALICE, ALICE);
        store();
        VM.stopPrank();
        finalize(avgBaseFee(0, 9), 7 gwei);
    }

    function test_leavesAPrankToTheCallOfTheTest() public {
        Caller caller = new Caller();
        VM.prank(ALICE, ALICE);
        finalize(avgBaseFee(0, 9), 7 gwei);
        caller.touch();
        require(caller.last() == ALICE, "the prank is of the next call");
        caller.touch();
        require(caller.last() == address(this), "and of no other");
    }
}
