// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {AccountField, HeaderField} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";
import {IHdpCheatCodes} from "hardhat-hdp/contracts/test/IHdpCheatCodes.sol";

/// @notice What only a satellite keeps, saved inside a prank.
contract SavingPranksTest is HdpTest {
    IHdpCheatCodes private constant VM = IHdpCheatCodes(address(uint160(uint256(keccak256("hevm cheat code")))));
    address private constant ALICE = address(0xa11ce);

    function test_savesInsideAStartedPrank() public {
        store();
        VM.startPrank(ALICE, ALICE);
        saveHeader(5, HeaderField.GAS_USED, 3);
        saveAccount(5, ALICE, AccountField.NONCE, 4);
        saveSlot(5, ALICE, bytes32(0), bytes32(uint256(5)));
        saveBlockAt(1000, 7);
        VM.stopPrank();
    }
}
