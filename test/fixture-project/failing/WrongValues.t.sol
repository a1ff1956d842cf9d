// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpOutputRoot} from "hardhat-hdp/contracts/libraries/HdpOutputRoot.sol";
import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpForm, HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "../contracts/FeeGate.sol";

/// @notice Each test fails.
contract WrongValuesTest is HdpTest {
    function test_anotherForm() public {
        _bring(HdpTask(_finalized(HdpForm.Datalake), HdpForm.Module), 7 gwei);
    }

    function test_anotherValue() public {
        _bring(HdpTask(_finalized(HdpForm.Datalake), HdpForm.Datalake), 9 gwei);
    }

    function test_anotherUnitInTheModuleForm() public {
        _bring(HdpTask(_finalized(HdpForm.Module), HdpForm.Module), 7);
    }

    function test_theWord() public {
        HdpTask memory task = HdpTask(_finalized(HdpForm.Module), HdpForm.Module);
        _bring(task, uint256(HdpResults.read(address(store()), task.hash)));
    }

    function test_theWordOfAnUnknownValue() public {
        HdpTask memory task = finalize(HdpTask(avgBaseFee(0, 9).hash, HdpForm.Module), block.chainid);
        _bring(task, uint256(HdpResults.read(address(store()), task.hash)));
    }

    function test_aFeltOfAMarkedResult() public {
        HdpResults.requireFelt(address(store()), _finalized(HdpForm.Module), 7 gwei);
    }

    function test_aFeltOfAnUnknownResult() public {
        bytes32 task = finalizeFelt(avgBaseFee(0, 9).hash, block.chainid);
        HdpResults.requireFelt(address(store()), task, block.chainid + 1);
    }

    function test_aValueOfAFelt() public {
        _bring(HdpTask(finalizeFelt(avgBaseFee(0, 9).hash, 7 gwei), HdpForm.Module), 7 gwei);
    }

    function test_aMarkedResultInAnotherOrder() public {
        uint128[] memory values = new uint128[](3);
        (values[0], values[1], values[2]) = (3, 7000, 12);
        bytes32 task = finalizeMarked(avgBaseFee(0, 9).hash, values);
        (values[0], values[1]) = (values[1], values[0]);
        HdpResults.requireMarked(address(store()), task, values);
    }

    function test_packedNumbers() public {
        bytes32 task = finalizeDigestOfBytes(avgBaseFee(0, 9).hash, abi.encode(uint128(2950 ether), uint64(17e8)));
        HdpResults.requireDigestOfBytes(address(store()), task, abi.encodePacked(uint128(2950 ether), uint64(17e8)));
    }

    function test_aGateForAStore() public {
        FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
        new FeeGate(address(gate), avgBaseFee(0, 9));
    }

    function test_anythingElse() public pure {
        require(false, "no value");
    }

    function _bring(HdpTask memory task, uint256 value) private {
        new FeeGate(address(store()), task).update(value);
    }

    /// @dev A task that is finalized with 7 gwei.
    function _finalized(HdpForm form) private returns (bytes32) {
        return finalizeRawWord(avgBaseFee(0, 9).hash, HdpOutputRoot.wordOf(form, 7 gwei));
    }
}
