// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpSampledProperty} from "../../../contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "../../../contracts/libraries/HdpTaskHash.sol";
import {
    AccountField,
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    HdpTask,
    HeaderField,
    ModuleTask,
    Operator,
    ReceiptField,
    TransactionField,
    TransactionsInBlockDatalake
} from "../../../contracts/libraries/HdpTypes.sol";
import {HdpResults} from "../../../contracts/libraries/HdpResults.sol";
import {HdpStoreKind} from "../../../contracts/mocks/HdpTaskStateMock.sol";
import {HdpTest} from "../../../contracts/test/HdpTest.sol";

/// @notice Uses the Solidity test helper as a test would.
contract HelperTest is HdpTest {
    function slots(address target) external returns (bytes32[2] memory) {
        bytes32 nested = HdpSampledProperty.mappingSlot(
            uint256(HdpSampledProperty.mappingSlot(4, target)),
            bytes32(uint256(7))
        );
        return [nested, blocksTask(AggregateFn.MIN, HdpSampledProperty.erc20Balance(target, target, 9), 1, 5).hash];
    }

    function namespace(string memory id) external pure returns (bytes32) {
        return HdpSampledProperty.erc7201Slot(id);
    }

    function sampled(bytes memory property) external returns (bytes32[2] memory) {
        uint256 types = HdpSampledProperty.includedTypes(false, false, true, true);
        return
            [
                blocksTask(AggregateFn.AVG, property, 1, 50, 7).hash,
                blockTask(AggregateFn.MAX, HdpSampledProperty.transaction(TransactionField.VALUE), 7, 0, 9, 2, types)
                    .hash
            ];
    }

    function selector() external pure returns (bytes4) {
        return NOT_FINALIZED;
    }
}

/// @notice Names a task of each kind.
contract TasksHelperTest is HdpTest {
    function hashes(address target) external returns (bytes32[7] memory) {
        return
            [
                headerTask(AggregateFn.MAX, HeaderField.GAS_USED, 1, 5).hash,
                accountTask(AggregateFn.MIN, target, AccountField.BALANCE, 1, 5).hash,
                storageTask(AggregateFn.SUM, target, bytes32(uint256(2)), 1, 5).hash,
                countTask(HdpSampledProperty.header(HeaderField.NUMBER), Operator.GTEQ, 3, 1, 5).hash,
                transactionsTask(AggregateFn.SUM, TransactionField.VALUE, 7, 0, 4).hash,
                receiptsTask(AggregateFn.SUM, ReceiptField.CUMULATIVE_GAS_USED, 7, 0, 4).hash,
                countInBlockTask(HdpSampledProperty.receipt(ReceiptField.SUCCESS), Operator.EQ, 1, 7, 0, 4).hash
            ];
    }
}

/// @notice Finalizes modules.
contract ModulesHelperTest is HdpTest {
    function finalizeRawWordAndRead(bytes32 word) external returns (bytes32) {
        return store().getDataProcessorFinalizedTaskResult(finalizeRawWord(_module(), word));
    }

    /// @notice A module of each form of output, finalized by what its main returned.
    function finalizeModules(uint128[] memory values, uint256[] memory words, bytes memory data) external {
        bytes32 task = _module();
        address target = address(store());
        HdpResults.requireFelt(target, finalizeFelt(task, values[0]), values[0]);
        HdpResults.requireMarked(target, finalizeMarked(task, values), values);
        HdpResults.requireDigest(target, finalizeDigest(task, words), words);
        HdpResults.requireDigestOfBytes(target, finalizeDigestOfBytes(task, data), data);
        HdpResults.requireValue(target, finalize(HdpTask(task, HdpForm.Module), words[0]), words[0]);
    }

    function _module() private returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](1);
        inputs[0] = bytes32(uint256(5));
        return moduleTask(bytes32(uint256(3)), inputs);
    }
}

/// @notice Names tasks that no data processor takes.
contract RefusedHelperTest is HdpTest {
    function reversedRange() external returns (bytes32) {
        return avgBaseFee(9, 0).hash;
    }

    function noFelt() external returns (bytes32) {
        return moduleTask(bytes32(type(uint256).max), new bytes32[](0));
    }
}

/// @notice Reads tasks without a result.
contract FailedReadHelperTest is HdpTest {
    HdpForm private _form = HdpForm.Datalake;

    function taskForm() internal view virtual override returns (HdpForm) {
        return _form;
    }

    function readAnother() external returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](2);
        finalizeFelt(moduleTask(bytes32(uint256(3)), inputs), 5);
        finalize(countTask(HdpSampledProperty.header(HeaderField.NUMBER), Operator.GTEQ, 3, 1, 5), 4);
        finalize(transactionsTask(AggregateFn.SUM, TransactionField.VALUE, 7, 0, 4), 4);
        finalize(accountTask(AggregateFn.MIN, address(0xab), AccountField.BALANCE, 1, 5), 4);
        finalize(avgBaseFee(0, 9), 7 gwei);
        // Not listed twice.
        finalize(avgBaseFee(0, 9), 8 gwei);
        return HdpResults.read(address(store()), avgBaseFee(0, 10).hash);
    }

    /// @notice Inputs of a module, swapped.
    function readSwappedInputs() external returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](66);
        (inputs[0], inputs[1]) = (bytes32(uint256(0xaa36a7)), bytes32(uint256(7)));
        finalizeFelt(moduleTask(bytes32(uint256(3)), inputs), 5);
        (inputs[0], inputs[1]) = (inputs[1], inputs[0]);
        return HdpResults.read(address(store()), moduleTask(bytes32(uint256(3)), inputs));
    }

    /// @notice The other form of a task, and of a module without inputs.
    function readOtherForm() external returns (bytes32) {
        finalize(HdpTask(moduleTask(bytes32(uint256(3)), new bytes32[](0)), HdpForm.Module), 5);
        finalize(avgBaseFee(0, 9), 7 gwei);
        _form = HdpForm.Module;
        return HdpResults.read(address(store()), avgBaseFee(0, 9).hash);
    }

    /// @notice A mock beside that of the test, in which the task is finalized.
    function readSecondStore() external returns (bytes32) {
        address second = address(_deployStore());
        finalize(avgBaseFee(0, 9), 7 gwei);
        return HdpResults.read(second, avgBaseFee(0, 9).hash);
    }

    /// @notice A mock beside that of the test, which does not have the task either.
    function readSecondStoreOfNone() external returns (bytes32) {
        return HdpResults.read(address(_deployStore()), avgBaseFee(0, 9).hash);
    }

    function readUnnamed() external returns (bytes32) {
        return HdpResults.read(address(store()), bytes32(uint256(1)));
    }

    /// @notice What a contract derives itself, with one field of another value than the test has.
    function readDerived(uint256 fault) external returns (bytes32) {
        BlockSampledDatalake memory blocks = BlockSampledDatalake(
            11155111,
            0,
            9,
            1,
            HdpSampledProperty.header(HeaderField.BASE_FEE_PER_GAS)
        );
        ComputationalTask memory compute = ComputationalTask(AggregateFn.AVG, Operator.NONE, 0);
        HdpForm form = taskForm();
        finalize(avgBaseFee(0, 9), 7 gwei);
        if (fault == 0) blocks.chainId = 1;
        if (fault == 1) blocks.blockRangeEnd = 10;
        if (fault == 2) (blocks.blockRangeStart, blocks.blockRangeEnd) = (1, 10);
        if (fault == 3) blocks.increment = 2;
        if (fault == 4) blocks.sampledProperty = HdpSampledProperty.header(HeaderField.GAS_USED);
        if (fault == 5) compute.aggregateFnId = AggregateFn.MAX;
        if (fault == 6) form = form == HdpForm.Module ? HdpForm.Datalake : HdpForm.Module;
        if (fault == 7) (blocks.blockRangeEnd, blocks.chainId) = (10, 1);
        if (fault == 8) blocks.chainId = block.chainid;
        if (fault == 9) (blocks.blockRangeStart, blocks.blockRangeEnd) = (9, 0);
        return HdpResults.read(address(store()), HdpTaskHash.inForm(form, blocks, compute).hash);
    }

    /// @notice The same of tasks over slots, comparisons, transactions and modules.
    function readDerivedOfOthers(uint256 fault) external returns (bytes32) {
        bytes memory slot = HdpSampledProperty.storageSlot(address(0xab), bytes32(uint256(2)));
        bytes32[] memory inputs = new bytes32[](2);
        (inputs[0], inputs[1]) = (bytes32(uint256(7)), bytes32(uint256(9)));
        if (fault < 2 || fault > 5) finalize(countTask(slot, Operator.GT, 5, 0, 9), 3);
        if (fault == 2 || fault == 3) finalize(transactionsTask(AggregateFn.SUM, TransactionField.VALUE, 7, 0, 4), 4);
        if (fault == 4 || fault == 5) finalizeFelt(moduleTask(bytes32(uint256(3)), inputs), 5);

        if (fault == 0) slot = HdpSampledProperty.storageSlot(address(0xab), bytes32(uint256(3)));
        Operator operator = fault == 1 ? Operator.GTEQ : Operator.GT;
        if (fault == 4) inputs[1] = bytes32(uint256(8));
        if (fault == 5) (inputs[0], inputs[1]) = (inputs[1], inputs[0]);
        BlockSampledDatalake memory blocks = BlockSampledDatalake(11155111, 0, 9, 1, slot);
        TransactionsInBlockDatalake memory transactions = TransactionsInBlockDatalake(
            11155111,
            fault == 2 ? 8 : 7,
            0,
            fault == 3 ? 5 : 4,
            1,
            HdpSampledProperty.includedTypes(true, true, true, true),
            HdpSampledProperty.transaction(TransactionField.VALUE)
        );
        bytes32 ofModule = HdpTaskHash.taskHash(ModuleTask(bytes32(uint256(3)), inputs));
        uint256 value =
            fault == 6
                ? 5 gwei
                : fault == 7
                    ? 6 gwei
                    : 5;
        ComputationalTask memory count = ComputationalTask(AggregateFn.COUNT, operator, value);
        ComputationalTask memory sum = ComputationalTask(AggregateFn.SUM, Operator.NONE, 0);
        bytes32 ofBlocks = HdpTaskHash.inForm(taskForm(), blocks, count).hash;
        bytes32 ofTransactions = HdpTaskHash.inForm(taskForm(), transactions, sum).hash;
        return
            HdpResults.read(
                address(store()),
                fault < 2 || fault > 5
                    ? ofBlocks
                    : fault < 4
                        ? ofTransactions
                        : ofModule
            );
    }

    /// @notice What a contract derives of a period: both ends of a range moved, of a datalake or among a module's inputs.
    function readMoved(uint256 first, uint256 last, bool isOfModule) external returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](3);
        (inputs[0], inputs[1], inputs[2]) = (bytes32(uint256(11155111)), bytes32(uint256(700)), bytes32(uint256(709)));
        if (isOfModule) finalizeFelt(moduleTask(bytes32(uint256(3)), inputs), 5);
        else finalize(avgBaseFee(700, 709), 7 gwei);

        (inputs[1], inputs[2]) = (bytes32(first), bytes32(last));
        bytes memory fee = HdpSampledProperty.header(HeaderField.BASE_FEE_PER_GAS);
        BlockSampledDatalake memory blocks = BlockSampledDatalake(11155111, first, last, 1, fee);
        ComputationalTask memory avg = ComputationalTask(AggregateFn.AVG, Operator.NONE, 0);
        bytes32 ofModule = HdpTaskHash.taskHash(ModuleTask(bytes32(uint256(3)), inputs));
        bytes32 ofBlocks = HdpTaskHash.inForm(taskForm(), blocks, avg).hash;
        return HdpResults.read(address(store()), isOfModule ? ofModule : ofBlocks);
    }

    /// @notice The index range of transactions and their block, moved.
    function readMovedTransactions(uint256 block_, uint256 first, uint256 end) external returns (bytes32) {
        finalize(transactionsTask(AggregateFn.SUM, TransactionField.VALUE, 7, 0, 25), 4);
        TransactionsInBlockDatalake memory moved = TransactionsInBlockDatalake(
            11155111,
            block_,
            first,
            end,
            1,
            HdpSampledProperty.includedTypes(true, true, true, true),
            HdpSampledProperty.transaction(TransactionField.VALUE)
        );
        ComputationalTask memory sum = ComputationalTask(AggregateFn.SUM, Operator.NONE, 0);
        return HdpResults.read(address(store()), HdpTaskHash.inForm(taskForm(), moved, sum).hash);
    }

    /// @notice A range of another step than the test's.
    function readStepped(uint256 step, uint256 asked) external returns (bytes32) {
        bytes memory fee = HdpSampledProperty.header(HeaderField.BASE_FEE_PER_GAS);
        finalize(blocksTask(AggregateFn.AVG, fee, 0, 9, step), 7 gwei);
        BlockSampledDatalake memory blocks = BlockSampledDatalake(11155111, 0, 9, asked, fee);
        ComputationalTask memory avg = ComputationalTask(AggregateFn.AVG, Operator.NONE, 0);
        return HdpResults.read(address(store()), HdpTaskHash.inForm(taskForm(), blocks, avg).hash);
    }

    /// @notice A module with another last input than the test's.
    function readOtherInput(uint256 input, uint256 asked) external returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](2);
        (inputs[0], inputs[1]) = (bytes32(uint256(11155111)), bytes32(input));
        finalizeFelt(moduleTask(bytes32(uint256(3)), inputs), 5);
        inputs[1] = bytes32(asked);
        return HdpResults.read(address(store()), HdpTaskHash.taskHash(ModuleTask(bytes32(uint256(3)), inputs)));
    }

    /// @notice A module of many inputs, of which a hash is asked that no change of one gives.
    function readManyInputs(uint256 count) external returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            inputs[i] = bytes32(1000 * i);
        }
        finalizeFelt(moduleTask(bytes32(uint256(3)), inputs), 5);
        return HdpResults.read(address(store()), bytes32(uint256(1)));
    }

    /// @notice A finalized task, hashed by hand in another encoding.
    function readEncoded(uint256 fault) external returns (bytes32) {
        bytes32 program = bytes32(uint256(3));
        bytes32[] memory inputs = new bytes32[](2);
        (inputs[0], inputs[1]) = (bytes32(uint256(7)), bytes32(uint256(9)));
        bytes memory fee = HdpSampledProperty.header(HeaderField.BASE_FEE_PER_GAS);
        BlockSampledDatalake memory blocks = BlockSampledDatalake(11155111, 0, 9, 1, fee);
        ComputationalTask memory avg = ComputationalTask(AggregateFn.AVG, Operator.NONE, 0);
        if (fault < 4) finalizeFelt(moduleTask(program, inputs), 5);
        else finalize(avgBaseFee(0, 9), 7 gwei);

        bytes32 hash;
        if (fault == 0) hash = keccak256(abi.encodePacked(program, inputs));
        if (fault == 1) hash = keccak256(abi.encode(program, inputs[0], inputs[1]));
        if (fault == 2) hash = keccak256(abi.encode(ModuleTask(program, inputs)));
        if (fault == 3) hash = keccak256(abi.encodePacked(program, inputs[1], inputs[0]));
        if (fault == 4) hash = HdpTaskHash.taskHashWithoutChainId(blocks, avg);
        bytes32 encoded = keccak256(HdpTaskHash.encodeDatalake(blocks));
        bytes32 packed = keccak256(
            abi.encodePacked(uint256(0), blocks.chainId, uint256(0), uint256(9), uint256(1), fee)
        );
        if (fault == 5) hash = keccak256(abi.encodePacked(encoded, AggregateFn.AVG, Operator.NONE, uint256(0)));
        if (fault == 6) hash = keccak256(abi.encode(packed, AggregateFn.AVG, Operator.NONE, uint256(0)));
        if (fault == 7) hash = keccak256(abi.encodePacked(packed, AggregateFn.AVG, Operator.NONE, uint256(0)));
        ModuleTask memory standard = HdpTaskHash.asModule(blocks, avg);
        if (fault == 8) hash = keccak256(abi.encodePacked(standard.programHash, standard.inputs));
        if (fault == 9) hash = keccak256(abi.encode(standard));
        return HdpResults.read(address(store()), hash);
    }

    /// @notice What a read ends with whose gas is too little for the log.
    function readWithLittleGas() external returns (bytes4) {
        finalize(avgBaseFee(0, 9), 7 gwei);
        try store().getDataProcessorFinalizedTaskResult{gas: 100_000}(bytes32(uint256(1))) {
            return 0;
        } catch (bytes memory reason) {
            return bytes4(reason);
        }
    }

    function readZero() external returns (bytes32) {
        return HdpResults.read(address(store()), bytes32(0));
    }
}

/// @notice As a test of a contract in the module form would.
contract FailedModuleReadHelperTest is FailedReadHelperTest {
    function taskForm() internal pure override returns (HdpForm) {
        return HdpForm.Module;
    }
}

/// @notice Finalizes as a test of a contract in either form would.
contract FormHelperTest is HdpTest {
    function finalizeAndRead() external returns (HdpTask memory task, bytes32 word) {
        task = finalize(avgBaseFee(0, 9), 7 gwei);
        HdpResults.requireValue(address(store()), task, 7 gwei);
        word = HdpResults.read(address(store()), task.hash);
    }
}

/// @notice The same test in the module form.
contract ModuleFormHelperTest is FormHelperTest {
    function taskForm() internal pure override returns (HdpForm) {
        return HdpForm.Module;
    }
}

/// @notice As a test of a contract for an execution store of 2024 would.
contract ExecutionStoreHelperTest is HdpTest {
    function storeKind() internal pure override returns (HdpStoreKind) {
        return HdpStoreKind.EXECUTION_STORE;
    }

    function finalizeAndRead() external returns (bytes32) {
        return store().getFinalizedTaskResult(finalize(avgBaseFee(0, 9), 7 gwei).hash);
    }
}
