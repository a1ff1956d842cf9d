// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpTaskStore} from "../interfaces/IHdpTaskStore.sol";
import {HdpOutputRoot} from "../libraries/HdpOutputRoot.sol";
import {HdpResults} from "../libraries/HdpResults.sol";
import {HdpSampledProperty} from "../libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "../libraries/HdpTaskHash.sol";
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
} from "../libraries/HdpTypes.sol";
import {HdpAggregatorsFactoryMock} from "../mocks/HdpAggregatorsFactoryMock.sol";
import {HdpExecutionStoreMock} from "../mocks/HdpExecutionStoreMock.sol";
import {HdpFactsRegistryMock} from "../mocks/HdpFactsRegistryMock.sol";
import {HdpStoreKind} from "../mocks/HdpTaskStateMock.sol";
import {HdpNamedTask, HdpNamedTasks, HdpTaskKind} from "./HdpNamedTasks.sol";
import {HdpTaskRules} from "./HdpTaskRules.sol";
import {HdpTaskText} from "./HdpTaskText.sol";
import {HdpTestStore} from "./HdpTestStore.sol";
import {IHdpCheatCodes} from "./IHdpCheatCodes.sol";
import {IHdpFailedReads} from "./IHdpFailedReads.sol";

/// @title HdpTest
/// @author The hardhat-hdp authors
/// @notice Base of Solidity tests for contracts that read finalized results: an execution store mock and functions
/// that name tasks and finalize them. Needs no other test library.
/// @dev All `uint256 from, uint256 to` block ranges are inclusive. Functions that name a task revert with
/// HdpTaskRules.InvalidTask where no data processor takes it, and keep what it computes: a read of a task without a result
/// logs (console) which task was asked for and which are finalized, in words. Example, a contract in both forms:
///   contract FeeGateTest is HdpTest {
///       function test_opens() public {
///           FeeGate gate = new FeeGate(address(store()), avgBaseFee(0, 9));
///           finalize(avgBaseFee(0, 9), 7 gwei);
///           gate.update(7 gwei);
///           require(gate.isOpen());
///       }
///   }
///   contract FeeGateModuleTest is FeeGateTest {
///       function taskForm() internal pure override returns (HdpForm) {
///           return HdpForm.Module;
///       }
///   }
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpTest is IHdpFailedReads {
    /// @notice Selector of the store's error for a task without a result, for `vm.expectRevert(NOT_FINALIZED)`.
    bytes4 internal constant NOT_FINALIZED = 0x1bee0d5a;

    /// @dev Cheat codes of Hardhat's Solidity tests and of Foundry. There is no code at the address elsewhere.
    IHdpCheatCodes private constant CHEATS = IHdpCheatCodes(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Kinds of prank that `readCallers` returns.
    uint256 private constant ONE_PRANK = 3;
    uint256 private constant STARTED_PRANK = 4;

    /// @dev Where `console.log` of Hardhat and Foundry takes its texts.
    address private constant CONSOLE = 0x000000000000000000636F6e736F6c652e6c6f67;

    /// @dev Account without code whose storage lists the mocks of every HdpTest of a test, their number first: a helper
    /// contract may be one too.
    address private constant STORES = address(uint160(uint256(keccak256("hardhat-hdp.test-stores"))));

    /// @dev Results that a failed read lists, the latest.
    uint256 private constant MAX_LISTED = 3;

    /// @dev The kit cannot know of a result that was undone: what it knew of it is undone too.
    string private constant NOTHING =
        "hdp: nothing is finalized in the asked store: each test begins anew, and vm.revertToState undoes results";

    HdpExecutionStoreMock private _store;

    /// @dev The tasks that were named here.
    mapping(bytes32 hash => HdpNamedTask) private _named;

    /// @notice Makes calls as this contract, the operator, also inside a prank, which goes on afterwards.
    modifier outsidePranks() {
        (uint256 mode, address sender, address origin) = _endPrank();
        _;
        if (mode == ONE_PRANK) CHEATS.prank(sender, origin);
        if (mode == STARTED_PRANK) CHEATS.startPrank(sender, origin);
    }

    /// @inheritdoc IHdpFailedReads
    function hdpFailedRead(bytes32 asked, bytes32[] calldata finalized) external view {
        _log(string.concat("hdp: no result of task ", _inWords(asked)));
        if (asked == bytes32(0)) _log("hdp: the hash is zero: the contract was given no task");
        if (msg.sender != address(_store)) _logOtherStore(asked);
        else _logStoreOfOther(asked);
        if (finalized.length == 0) _log(NOTHING);
        for (uint256 i = finalized.length; i > 0 && i + MAX_LISTED > finalized.length; --i) {
            _log(string.concat("hdp: finalized is task ", _inWords(finalized[i - 1])));
        }
    }

    /// @notice The execution store mock, deployed on first use. This test contract is its operator.
    /// @return Store
    function store() internal returns (HdpExecutionStoreMock) {
        if (address(_store) == address(0)) {
            _store = _deployStore();
        }
        return _store;
    }

    /// @notice Kind of store that the mock stands for. Override it for contracts that read an execution store of 2024.
    /// @return Kind, a satellite as all stores published since 2025
    function storeKind() internal view virtual returns (HdpStoreKind) {
        return HdpStoreKind.SATELLITE;
    }

    /// @notice Chain whose data the tasks named here are about. Override it for another one than Ethereum Sepolia.
    /// @return Chain id
    function sourceChainId() internal view virtual returns (uint256) {
        return 11155111;
    }

    /// @notice Form of the tasks named here. Override it to test a contract in the other form.
    /// @return Form, that of the specification
    function taskForm() internal view virtual returns (HdpForm) {
        return HdpForm.Datalake;
    }

    /// @notice Finalizes a task with a value, as a service of the task's form does. May be repeated: the last one stays.
    /// @dev Called as this contract, also inside a prank, which goes on afterwards.
    /// @param task Task hash and form
    /// @param value Value: the word is the value in the form Datalake, HdpOutputRoot.rootOfValue of it in the form Module
    /// @return The task
    function finalize(HdpTask memory task, uint256 value) internal returns (HdpTask memory) {
        finalizeRawWord(task.hash, HdpOutputRoot.wordOf(task.form, value));
        return task;
    }

    /// @notice Finalizes a module that returns one felt.
    /// @dev As `finalize`. Reverts with HdpOutputRoot.NotAFelt.
    /// @param task Task hash
    /// @param felt What its `main` returned
    /// @return The task hash
    function finalizeFelt(bytes32 task, uint256 felt) internal returns (bytes32) {
        return finalizeRawWord(task, HdpOutputRoot.rootOfFelt(felt));
    }

    /// @notice Finalizes a module that returns `marked(values)`. For `marked_u256(value)`, finalize
    /// `HdpTask(task, HdpForm.Module)` with the value.
    /// @dev As `finalize`. Reverts with HdpOutputRoot.TooFewValues.
    /// @param task Task hash
    /// @param values The values in order, without marks
    /// @return The task hash
    function finalizeMarked(bytes32 task, uint128[] memory values) internal returns (bytes32) {
        return finalizeRawWord(task, HdpOutputRoot.rootOfMarked(values));
    }

    /// @notice Finalizes a module that returns `digest(words)`.
    /// @dev As `finalize`.
    /// @param task Task hash
    /// @param words The words in order
    /// @return The task hash
    function finalizeDigest(bytes32 task, uint256[] memory words) internal returns (bytes32) {
        return finalizeFelt(task, HdpOutputRoot.digest(words));
    }

    /// @notice Finalizes a module that returns the digest of bytes.
    /// @dev As `finalize`.
    /// @param task Task hash
    /// @param data The bytes
    /// @return The task hash
    function finalizeDigestOfBytes(bytes32 task, bytes memory data) internal returns (bytes32) {
        return finalizeFelt(task, HdpOutputRoot.digestOfBytes(data));
    }

    /// @notice Finalizes a task with any word, also one that no store ever holds: try with it what a contract refuses.
    /// @dev As `finalize`.
    /// @param task Task hash
    /// @param word Result word
    /// @return The task hash
    function finalizeRawWord(bytes32 task, bytes32 word) internal outsidePranks returns (bytes32) {
        store().finalizeTask(task, word);
        return task;
    }

    /// @notice Saves a header field of the source chain in the mock, as a storage proof does.
    /// @param blockNumber Number of the block
    /// @param field Field, up to NONCE; neither LOGS_BLOOM nor NUMBER
    /// @param value The field
    function saveHeader(uint256 blockNumber, HeaderField field, uint256 value) internal outsidePranks {
        store().setHeaderField(sourceChainId(), blockNumber, field, bytes32(value));
    }

    /// @notice Saves an account's field of the source chain in the mock, as a storage proof does.
    /// @param blockNumber Number of the block
    /// @param target The account
    /// @param field Field
    /// @param value The field
    function saveAccount(
        uint256 blockNumber,
        address target,
        AccountField field,
        uint256 value
    ) internal outsidePranks {
        store().setAccountField(sourceChainId(), blockNumber, target, field, bytes32(value));
    }

    /// @notice Saves a storage slot of the source chain in the mock, as a storage proof does.
    /// @param blockNumber Number of the block
    /// @param target The contract
    /// @param slot Storage slot
    /// @param value The word in the slot
    function saveSlot(uint256 blockNumber, address target, bytes32 slot, bytes32 value) internal outsidePranks {
        store().setStorageSlot(sourceChainId(), blockNumber, target, slot, value);
    }

    /// @notice Saves the block of a time in the mock: the block has that timestamp, and the next one a later one.
    /// @param timestamp Time in seconds
    /// @param blockNumber Number of the block
    function saveBlockAt(uint256 timestamp, uint256 blockNumber) internal outsidePranks {
        saveHeader(blockNumber, HeaderField.TIMESTAMP, timestamp);
        saveHeader(blockNumber + 1, HeaderField.TIMESTAMP, timestamp + 1);
        store().proveTimestamp(sourceChainId(), timestamp, blockNumber);
    }

    /// @notice Task: average base fee per gas over blocks.
    /// @param from First block
    /// @param to Last block, inclusive
    /// @return Task hash and form
    function avgBaseFee(uint256 from, uint256 to) internal returns (HdpTask memory) {
        return headerTask(AggregateFn.AVG, HeaderField.BASE_FEE_PER_GAS, from, to);
    }

    /// @notice Task: a function of a header field over blocks.
    /// @param fn Function; for COUNT use countTask
    /// @param field Header field
    /// @param from First block
    /// @param to Last block, inclusive
    /// @return Task hash and form
    function headerTask(AggregateFn fn, HeaderField field, uint256 from, uint256 to) internal returns (HdpTask memory) {
        return blocksTask(fn, HdpSampledProperty.header(field), from, to);
    }

    /// @notice Task: a function of an account's field over blocks.
    /// @param fn Function; for COUNT use countTask
    /// @param target The account
    /// @param field Account field
    /// @param from First block
    /// @param to Last block, inclusive
    /// @return Task hash and form
    function accountTask(
        AggregateFn fn,
        address target,
        AccountField field,
        uint256 from,
        uint256 to
    ) internal returns (HdpTask memory) {
        return blocksTask(fn, HdpSampledProperty.account(target, field), from, to);
    }

    /// @notice Task: a function of a storage slot over blocks.
    /// @param fn Function; for COUNT use countTask
    /// @param target The contract
    /// @param slot Storage slot
    /// @param from First block
    /// @param to Last block, inclusive
    /// @return Task hash and form
    function storageTask(
        AggregateFn fn,
        address target,
        bytes32 slot,
        uint256 from,
        uint256 to
    ) internal returns (HdpTask memory) {
        return blocksTask(fn, HdpSampledProperty.storageSlot(target, slot), from, to);
    }

    /// @notice Task: a function of any property over blocks, every block.
    /// @param fn Function; for COUNT use countTask
    /// @param property Encoded property: see HdpSampledProperty
    /// @param from First block
    /// @param to Last block, inclusive
    /// @return Task hash and form
    function blocksTask(
        AggregateFn fn,
        bytes memory property,
        uint256 from,
        uint256 to
    ) internal returns (HdpTask memory) {
        return blocksTask(fn, property, from, to, 1);
    }

    /// @notice Task: a function of any property over every `step`-th block.
    /// @param fn Function; for COUNT use countTask
    /// @param property Encoded property: see HdpSampledProperty
    /// @param from First block
    /// @param to Last block, inclusive
    /// @param step Blocks from one sample to the next
    /// @return Task hash and form
    function blocksTask(
        AggregateFn fn,
        bytes memory property,
        uint256 from,
        uint256 to,
        uint256 step
    ) internal returns (HdpTask memory) {
        BlockSampledDatalake memory datalake = BlockSampledDatalake(sourceChainId(), from, to, step, property);
        return _taskOf(datalake, ComputationalTask(fn, Operator.NONE, 0));
    }

    /// @notice Task: in how many blocks a property compares so with a value.
    /// @param property Encoded property: see HdpSampledProperty
    /// @param operator Comparison
    /// @param value Right side of the comparison
    /// @param from First block
    /// @param to Last block, inclusive
    /// @return Task hash and form
    function countTask(
        bytes memory property,
        Operator operator,
        uint256 value,
        uint256 from,
        uint256 to
    ) internal returns (HdpTask memory) {
        BlockSampledDatalake memory datalake = BlockSampledDatalake(sourceChainId(), from, to, 1, property);
        return _taskOf(datalake, ComputationalTask(AggregateFn.COUNT, operator, value));
    }

    /// @notice Task: a function of a field over a block's transactions of every type.
    /// @param fn Function
    /// @param field Transaction field
    /// @param targetBlock The block
    /// @param startIndex First transaction index
    /// @param endIndex End of the range, exclusive
    /// @return Task hash and form
    function transactionsTask(
        AggregateFn fn,
        TransactionField field,
        uint256 targetBlock,
        uint256 startIndex,
        uint256 endIndex
    ) internal returns (HdpTask memory) {
        return blockTask(fn, HdpSampledProperty.transaction(field), targetBlock, startIndex, endIndex, 1, _allTypes());
    }

    /// @notice Task: a function of a receipt field over a block's transactions of every type.
    /// @param fn Function
    /// @param field Receipt field
    /// @param targetBlock The block
    /// @param startIndex First transaction index
    /// @param endIndex End of the range, exclusive
    /// @return Task hash and form
    function receiptsTask(
        AggregateFn fn,
        ReceiptField field,
        uint256 targetBlock,
        uint256 startIndex,
        uint256 endIndex
    ) internal returns (HdpTask memory) {
        return blockTask(fn, HdpSampledProperty.receipt(field), targetBlock, startIndex, endIndex, 1, _allTypes());
    }

    /// @notice Task: execution of a module. Finalize it by its output: finalizeFelt, finalizeMarked, finalizeDigest,
    /// finalizeDigestOfBytes, or with the value of `marked_u256` as `HdpTask(task, HdpForm.Module)`.
    /// @param programHash Hash of the module's program
    /// @param publicInputs Public inputs, one felt per word
    /// @return Task hash
    function moduleTask(bytes32 programHash, bytes32[] memory publicInputs) internal returns (bytes32) {
        ModuleTask memory task = ModuleTask(programHash, publicInputs);
        HdpTaskRules.requireValid(task);
        bytes32 hash = HdpTaskHash.taskHash(task);
        if (_isNamed(hash)) return hash;
        (_named[hash].kind, _named[hash].module) = (HdpTaskKind.MODULE, task);
        return hash;
    }

    /// @notice Task: a function of any property over every `step`-th transaction of a block.
    /// @param fn Function
    /// @param property Encoded property: see HdpSampledProperty
    /// @param targetBlock The block
    /// @param startIndex First transaction index
    /// @param endIndex End of the range, exclusive
    /// @param step Transactions from one sample to the next
    /// @param includedTypes Types that take part: see HdpSampledProperty.includedTypes
    /// @return Task hash and form
    function blockTask(
        AggregateFn fn,
        bytes memory property,
        uint256 targetBlock,
        uint256 startIndex,
        uint256 endIndex,
        uint256 step,
        uint256 includedTypes
    ) internal returns (HdpTask memory) {
        TransactionsInBlockDatalake memory datalake = _datalake(targetBlock, startIndex, endIndex, property);
        (datalake.increment, datalake.includedTypes) = (step, includedTypes);
        return _taskOf(datalake, ComputationalTask(fn, Operator.NONE, 0));
    }

    /// @notice Task: for how many of a block's transactions of every type a property compares so with a value.
    /// @param property Encoded property: HdpSampledProperty.transaction or receipt
    /// @param operator Comparison
    /// @param value Right side of the comparison
    /// @param targetBlock The block
    /// @param startIndex First transaction index
    /// @param endIndex End of the range, exclusive
    /// @return Task hash and form
    function countInBlockTask(
        bytes memory property,
        Operator operator,
        uint256 value,
        uint256 targetBlock,
        uint256 startIndex,
        uint256 endIndex
    ) internal returns (HdpTask memory) {
        TransactionsInBlockDatalake memory datalake = _datalake(targetBlock, startIndex, endIndex, property);
        return _taskOf(datalake, ComputationalTask(AggregateFn.COUNT, operator, value));
    }

    /// @dev Deploys the mock. This contract, its creator, is its operator.
    function _deployStore() internal virtual outsidePranks returns (HdpExecutionStoreMock deployed) {
        bytes memory keepers = abi.encode(this, new address[](0));
        address registry = _deploy(abi.encodePacked(type(HdpFactsRegistryMock).creationCode, keepers));
        address factory = _deploy(abi.encodePacked(type(HdpAggregatorsFactoryMock).creationCode, keepers));
        bytes memory own = abi.encode(registry, factory, sourceChainId(), storeKind(), this);
        deployed = HdpExecutionStoreMock(_deploy(abi.encodePacked(type(HdpTestStore).creationCode, own)));
        _list(address(deployed));
    }

    /// @dev Deploys a contract of the mock.
    /// @param creationCode Its creation code and arguments
    /// @return deployed Its address
    function _deploy(bytes memory creationCode) internal virtual returns (address deployed) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            deployed := create(0, add(creationCode, 32), mload(creationCode))
        }
    }

    /// @dev Ends a prank, if there are cheat codes and one is under way.
    function _endPrank() private returns (uint256 mode, address sender, address origin) {
        if (address(CHEATS).code.length == 0) return (0, address(0), address(0));
        (mode, sender, origin) = CHEATS.readCallers();
        if (mode == ONE_PRANK || mode == STARTED_PRANK) CHEATS.stopPrank();
    }

    /// @dev Whether a task was named here: it is kept once.
    function _isNamed(bytes32 task) private view returns (bool) {
        return _named[task].kind != HdpTaskKind.NONE;
    }

    /// @dev A task's hash, and what it computes where it was named here.
    function _inWords(bytes32 task) private view returns (string memory) {
        string memory hash = HdpTaskText.hexadecimal(abi.encodePacked(task));
        return
            string.concat(hash, ": ", _isNamed(task) ? HdpNamedTasks.textOf(_named[task]) : "not named by this test");
    }

    /// @dev Says that a failed read asked another mock than the test's own, and whether that has the result.
    function _logOtherStore(bytes32 asked) private view {
        string memory line = string.concat("hdp: asked was store ", _inHex(msg.sender), ", not store() of the test");
        if (address(_store) != address(0)) line = string.concat(line, ", ", _inHex(address(_store)));
        _log(_hasResult(address(_store), asked) ? string.concat(line, ", which has the result") : line);
    }

    /// @dev An account in hexadecimal digits.
    function _inHex(address account) private pure returns (string memory) {
        return HdpTaskText.hexadecimal(abi.encodePacked(account));
    }

    /// @dev Says that the mock of another HdpTest has the result that a failed read asked this one's for.
    function _logStoreOfOther(bytes32 asked) private view {
        if (address(CHEATS).code.length == 0) return;
        for (uint256 i = uint256(CHEATS.load(STORES, 0)); i > 0; --i) {
            address other = address(uint160(uint256(CHEATS.load(STORES, bytes32(i)))));
            if (other == address(_store) || !_hasResult(other, asked)) continue;
            _log(string.concat("hdp: asked was ", _ofTest(address(_store))));
            string memory line = string.concat("hdp: ", _ofTest(other), ", has the result");
            return _log(string.concat(line, ": each HdpTest has a store() of its own"));
        }
    }

    /// @dev A mock, and the test that deployed it.
    function _ofTest(address mock) private view returns (string memory) {
        address test = address(HdpTestStore(mock).TEST());
        return string.concat("store ", _inHex(mock), ", that of the HdpTest ", _inHex(test));
    }

    /// @dev Lists a mock where every HdpTest finds it, if there are cheat codes.
    function _list(address mock) private {
        if (address(CHEATS).code.length == 0) return;
        bytes32 count = bytes32(uint256(CHEATS.load(STORES, 0)) + 1);
        CHEATS.store(STORES, count, bytes32(uint256(uint160(mock))));
        CHEATS.store(STORES, 0, count);
    }

    /// @dev Whether a mock has the result of a task.
    function _hasResult(address mock, bytes32 task) private view returns (bool) {
        return mock != address(0) && HdpResults.status(mock, task) == IHdpTaskStore.TaskStatus.FINALIZED;
    }

    /// @dev Prints a line as `console.log` does. Nothing listens there on chains.
    function _log(string memory line) private view {
        // solhint-disable-next-line avoid-low-level-calls
        (bool isTaken, ) = CONSOLE.staticcall(abi.encodeWithSignature("log(string)", line));
        isTaken;
    }

    /// @dev Every transaction of a range, of every type.
    function _datalake(
        uint256 targetBlock,
        uint256 startIndex,
        uint256 endIndex,
        bytes memory property
    ) private view returns (TransactionsInBlockDatalake memory) {
        uint256 types = _allTypes();
        return TransactionsInBlockDatalake(sourceChainId(), targetBlock, startIndex, endIndex, 1, types, property);
    }

    /// @dev A task over sampled blocks in this contract's form.
    function _taskOf(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) private returns (HdpTask memory task) {
        HdpTaskRules.requireValid(datalake, compute);
        task = HdpTaskHash.inForm(taskForm(), datalake, compute);
        if (_isNamed(task.hash)) return task;
        HdpNamedTask storage named = _named[task.hash];
        (named.kind, named.form, named.compute) = (HdpTaskKind.BLOCKS, task.form, compute);
        named.blocks = datalake;
    }

    /// @dev A task over a block's transactions in this contract's form.
    function _taskOf(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) private returns (HdpTask memory task) {
        HdpTaskRules.requireValid(datalake, compute);
        task = HdpTaskHash.inForm(taskForm(), datalake, compute);
        if (_isNamed(task.hash)) return task;
        HdpNamedTask storage named = _named[task.hash];
        (named.kind, named.form, named.compute) = (HdpTaskKind.TRANSACTIONS, task.form, compute);
        named.transactions = datalake;
    }

    /// @dev Every transaction type.
    function _allTypes() private pure returns (uint256) {
        return HdpSampledProperty.includedTypes(true, true, true, true);
    }
}
