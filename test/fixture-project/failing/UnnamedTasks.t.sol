// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpSampledProperty} from "hardhat-hdp/contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    HdpTask,
    ModuleTask,
    Operator
} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";
import {HdpExecutionStoreMock} from "hardhat-hdp/contracts/mocks/HdpExecutionStoreMock.sol";
import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "../contracts/FeeGate.sol";

/// @notice Derives the task of its caller's slot.
contract SenderSlots {
    function taskOf(address token, ComputationalTask calldata average) external view returns (bytes32) {
        bytes32 slot = HdpSampledProperty.mappingSlot(4, msg.sender);
        bytes memory property = HdpSampledProperty.storageSlot(token, slot);
        BlockSampledDatalake memory datalake = BlockSampledDatalake(11155111, 0, 9, 1, property);
        return HdpTaskHash.inForm(HdpForm.Datalake, datalake, average).hash;
    }
}

/// @notice Is the caller of what it asks.
contract Router {
    function taskOf(
        SenderSlots slots,
        address token,
        ComputationalTask calldata average
    ) external view returns (bytes32) {
        return slots.taskOf(token, average);
    }
}

/// @notice Each test fails: its contract asks for a task that no test names.
contract UnnamedTasksTest is HdpTest {
    uint256 private constant LAUNCH = 5_432_100;
    uint256 private constant LENGTH = 7_777;
    address private constant TOKEN = address(0xABCD1);
    address private constant POOL = address(0xB0B);

    ComputationalTask private _average = ComputationalTask(AggregateFn.AVG, Operator.NONE, 0);

    function test_aRangeOfTwoNumbers() public {
        finalize(avgBaseFee(0, 9), 7 gwei);
        bytes memory property = hex"010f";
        BlockSampledDatalake memory datalake = BlockSampledDatalake(11155111, LAUNCH, LAUNCH + LENGTH - 1, 1, property);
        _ask(HdpTaskHash.inForm(HdpForm.Datalake, datalake, _average).hash);
    }

    function test_theKeysOfANestedMappingSwapped() public {
        address alice = address(uint160(uint256(keccak256("alice"))));
        bytes32 slot = HdpSampledProperty.mappingSlot(uint256(HdpSampledProperty.mappingSlot(4, POOL)), alice);
        finalize(storageTask(AggregateFn.AVG, TOKEN, slot, 0, 9), 7 gwei);
        slot = HdpSampledProperty.mappingSlot(uint256(HdpSampledProperty.mappingSlot(4, alice)), POOL);
        bytes memory property = HdpSampledProperty.storageSlot(TOKEN, slot);
        BlockSampledDatalake memory datalake = BlockSampledDatalake(11155111, 0, 9, 1, property);
        _ask(HdpTaskHash.inForm(HdpForm.Datalake, datalake, _average).hash);
    }

    function test_theFunctionBeforeTheDatalake() public {
        finalize(avgBaseFee(0, 9), 7 gwei);
        BlockSampledDatalake memory datalake = BlockSampledDatalake(11155111, 0, 9, 1, hex"010f");
        bytes32 commitment = keccak256(HdpTaskHash.encodeDatalake(datalake));
        _ask(keccak256(abi.encodePacked(HdpTaskHash.encodeCompute(_average), commitment)));
    }

    function test_anInputThatIsMissing() public {
        bytes32[] memory inputs = new bytes32[](3);
        (inputs[0], inputs[1], inputs[2]) = (bytes32(uint256(11155111)), bytes32(LAUNCH), bytes32(LENGTH));
        finalizeFelt(moduleTask(bytes32(uint256(7)), inputs), 3);
        bytes32[] memory fewer = new bytes32[](2);
        (fewer[0], fewer[1]) = (inputs[0], inputs[2]);
        _ask(HdpTaskHash.taskHash(ModuleTask(bytes32(uint256(7)), fewer)));
    }

    function test_theSlotOfTheRouterThatCalls() public {
        finalize(storageTask(AggregateFn.AVG, TOKEN, HdpSampledProperty.mappingSlot(4, POOL), 0, 9), 7 gwei);
        SenderSlots slots = new SenderSlots();
        _ask(new Router().taskOf(slots, TOKEN, _average));
    }

    function test_anUnknownTask() public {
        finalize(avgBaseFee(0, 9), 7 gwei);
        _ask(keccak256("another"));
    }

    function test_aMockByHand() public {
        address[] memory none = new address[](0);
        HdpExecutionStoreMock mock = new HdpExecutionStoreMock(bytes32(0), block.chainid, none, storeKind());
        finalize(avgBaseFee(0, 9), 7 gwei);
        new FeeGate(address(mock), avgBaseFee(0, 9)).update(7 gwei);
    }

    function _ask(bytes32 task) private {
        new FeeGate(address(store()), HdpTask(task, HdpForm.Datalake)).update(7 gwei);
    }
}
