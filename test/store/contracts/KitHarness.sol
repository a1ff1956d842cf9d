// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpSampledProperty} from "../../../contracts/libraries/HdpSampledProperty.sol";
import {
    AccountField,
    AggregateFn,
    HdpTask,
    HeaderField,
    Operator,
    ReceiptField,
    TransactionField
} from "../../../contracts/libraries/HdpTypes.sol";
import {HdpForge} from "../../../contracts/test/HdpForge.sol";

/// @notice Uses every function of the test kit, so that each compiler makes its code: what nobody calls is in no contract.
contract KitHarness is HdpForge {
    HdpTask[] private _tasks;

    function nameTasks(address target, bytes32 slot) external {
        bytes memory header = HdpSampledProperty.header(HeaderField.NUMBER);
        bytes memory receipt = HdpSampledProperty.receipt(ReceiptField.SUCCESS);
        uint256 types = HdpSampledProperty.includedTypes(true, true, true, true);
        _tasks.push(avgBaseFee(1, 5));
        _tasks.push(headerTask(AggregateFn.MAX, HeaderField.GAS_USED, 1, 5));
        _tasks.push(accountTask(AggregateFn.MIN, target, AccountField.BALANCE, 1, 5));
        _tasks.push(storageTask(AggregateFn.SUM, target, slot, 1, 5));
        _tasks.push(blocksTask(AggregateFn.SUM, header, 1, 5));
        _tasks.push(blocksTask(AggregateFn.SUM, header, 1, 5, 2));
        _tasks.push(countTask(header, Operator.GTEQ, 3, 1, 5));
        _tasks.push(transactionsTask(AggregateFn.SUM, TransactionField.VALUE, 7, 0, 4));
        _tasks.push(receiptsTask(AggregateFn.SUM, ReceiptField.SUCCESS, 7, 0, 4));
        _tasks.push(blockTask(AggregateFn.SUM, receipt, 7, 0, 4, 2, types));
        _tasks.push(countInBlockTask(receipt, Operator.EQ, 1, 7, 0, 4));
    }

    function finalizeModules(bytes32 program, uint256[] memory words, uint128[] memory values) external {
        bytes32 task = moduleTask(program, new bytes32[](1));
        finalizeFelt(task, words[0]);
        finalizeMarked(task, values);
        finalizeDigest(task, words);
        finalizeDigestOfBytes(task, abi.encode(words));
        finalizeRawWord(task, program);
    }

    function saveValues(address target, bytes32 slot) external {
        saveHeader(7, HeaderField.NONCE, 1);
        saveAccount(7, target, AccountField.NONCE, 1);
        saveSlot(7, target, slot, slot);
        saveBlockAt(1_000, 7);
    }

    function computeAndExpect(string memory file, address onFork) external {
        HdpTask memory task = compute(file).task;
        finalize(task, 7);
        expectFinalized(task, 7);
        finalizeOnFork(onFork, task, 7);
        finalizeRawWordOnFork(onFork, task.hash, bytes32(uint256(7)));
        expectFinalized(onFork, task, 7);
    }
}
