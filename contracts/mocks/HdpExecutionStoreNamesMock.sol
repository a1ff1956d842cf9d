// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpAggregatorsFactory} from "../interfaces/IHdpAggregatorsFactory.sol";
import {IHdpExecutionStore} from "../interfaces/IHdpExecutionStore.sol";
import {IHdpFactsAggregator} from "../interfaces/IHdpFactsAggregator.sol";
import {IHdpFactsRegistry} from "../interfaces/IHdpFactsRegistry.sol";
import {HdpTaskHash} from "../libraries/HdpTaskHash.sol";
import {
    BlockSampledDatalake,
    ComputationalTask,
    ModuleTask,
    TransactionsInBlockDatalake
} from "../libraries/HdpTypes.sol";
import {HdpStoreKind, HdpTaskStateMock} from "./HdpTaskStateMock.sol";

/// @title HdpExecutionStoreNamesMock
/// @author The hardhat-hdp authors
/// @notice MOCK: the execution store's functions (names of 2024) over the shared state. Those that user contracts call
/// exist in a mock of that kind only.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpExecutionStoreNamesMock is HdpTaskStateMock {
    /// @inheritdoc IHdpExecutionStore
    uint256 public immutable override CHAIN_ID;

    /// @inheritdoc IHdpExecutionStore
    bytes32 public immutable override PROGRAM_HASH;

    /// @inheritdoc IHdpExecutionStore
    IHdpFactsRegistry public immutable override SHARP_FACTS_REGISTRY;

    /// @inheritdoc IHdpExecutionStore
    IHdpAggregatorsFactory public immutable override AGGREGATORS_FACTORY;

    /// @param factsRegistry Registry that is asked for facts
    /// @param aggregatorsFactory Factory that knows the aggregators of MMR roots
    /// @param programHash Hash of the program whose facts finalize batches
    /// @param chainId Source chain whose MMR roots are cached
    constructor(
        IHdpFactsRegistry factsRegistry,
        IHdpAggregatorsFactory aggregatorsFactory,
        bytes32 programHash,
        uint256 chainId
    ) {
        SHARP_FACTS_REGISTRY = factsRegistry;
        AGGREGATORS_FACTORY = aggregatorsFactory;
        PROGRAM_HASH = programHash;
        CHAIN_ID = chainId;
    }

    /// @inheritdoc IHdpExecutionStore
    function requestExecutionOfTaskWithBlockSampledDatalake(
        BlockSampledDatalake calldata blockSampledDatalake,
        ComputationalTask calldata computationalTask
    ) external onlyKind(HdpStoreKind.EXECUTION_STORE) {
        _schedule(HdpTaskHash.taskHash(blockSampledDatalake, computationalTask));
        emit TaskWithBlockSampledDatalakeScheduled(blockSampledDatalake, computationalTask);
    }

    /// @inheritdoc IHdpExecutionStore
    function requestExecutionOfTaskWithTransactionsInBlockDatalake(
        TransactionsInBlockDatalake calldata transactionsInBlockDatalake,
        ComputationalTask calldata computationalTask
    ) external onlyKind(HdpStoreKind.EXECUTION_STORE) {
        _schedule(HdpTaskHash.taskHash(transactionsInBlockDatalake, computationalTask));
        emit TaskWithTransactionsInBlockDatalakeScheduled(transactionsInBlockDatalake, computationalTask);
    }

    /// @inheritdoc IHdpExecutionStore
    function requestExecutionOfModuleTask(
        ModuleTask calldata moduleTask
    ) external onlyKind(HdpStoreKind.EXECUTION_STORE) {
        _schedule(HdpTaskHash.taskHash(moduleTask));
        emit ModuleTaskScheduled(moduleTask);
    }

    /// @inheritdoc IHdpExecutionStore
    function cacheMmrRoot(uint256 mmrId) external {
        IHdpFactsAggregator.AggregatorState memory state = AGGREGATORS_FACTORY.aggregatorsById(mmrId).aggregatorState();
        cachedMMRsRoots[CHAIN_ID][mmrId][state.mmrSize] = state.poseidonMmrRoot;
        emit MmrRootCached(mmrId, state.mmrSize, state.poseidonMmrRoot);
    }

    /// @inheritdoc IHdpExecutionStore
    /// @dev As published, words after the last result are ignored. Lists of MMRs of different lengths, which end in a panic
    /// as published, revert with MockLengthMismatch: forge takes a panic for a broken invariant.
    function authenticateTaskExecution(
        uint256[] memory mmrIds,
        uint256[] memory mmrSizes,
        uint256 taskMerkleRootLow,
        uint256 taskMerkleRootHigh,
        uint256 resultMerkleRootLow,
        uint256 resultMerkleRootHigh,
        bytes32[][] memory tasksInclusionProofs,
        bytes32[][] memory resultsInclusionProofs,
        bytes32[] memory taskCommitments,
        bytes32[] memory taskResults
    ) external onlyOperator {
        uint256[4] memory roots = [resultMerkleRootLow, resultMerkleRootHigh, taskMerkleRootLow, taskMerkleRootHigh];
        _requireBatchFact(roots, mmrIds, mmrSizes);
        _finalizeBatch(roots, tasksInclusionProofs, resultsInclusionProofs, taskCommitments, taskResults);
    }

    /// @inheritdoc IHdpExecutionStore
    function getFinalizedTaskResult(
        bytes32 taskCommitment
    ) external view onlyKind(HdpStoreKind.EXECUTION_STORE) returns (bytes32) {
        return _finalizedResult(taskCommitment);
    }

    /// @inheritdoc IHdpExecutionStore
    function getTaskStatus(
        bytes32 taskCommitment
    ) external view onlyKind(HdpStoreKind.EXECUTION_STORE) returns (TaskStatus) {
        return _tasks[taskCommitment].status;
    }

    /// @inheritdoc IHdpExecutionStore
    function cachedTasksResult(
        bytes32 taskCommitment
    ) external view onlyKind(HdpStoreKind.EXECUTION_STORE) returns (TaskStatus status, bytes32 result) {
        TaskResult storage task = _tasks[taskCommitment];
        return (task.status, task.result);
    }

    /// @inheritdoc IHdpExecutionStore
    function loadMmrRoot(uint256 mmrId, uint256 mmrSize) public view returns (bytes32) {
        return cachedMMRsRoots[CHAIN_ID][mmrId][mmrSize];
    }

    /// @inheritdoc IHdpExecutionStore
    function standardLeafHash(bytes32 value) public pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(abi.encode(value))));
    }

    /// @dev Reverts with InvalidFact unless the program output of the batch is a registered fact: the four halves of
    /// the roots, then four words for each MMR.
    function _requireBatchFact(
        uint256[4] memory roots,
        uint256[] memory mmrIds,
        uint256[] memory mmrSizes
    ) private view {
        if (mmrIds.length != mmrSizes.length) revert MockLengthMismatch(mmrIds.length, mmrSizes.length);
        bytes memory programOutput = abi.encode(roots);
        for (uint256 i = 0; i < mmrIds.length; ++i) {
            bytes32 root = loadMmrRoot(mmrIds[i], mmrSizes[i]);
            programOutput = bytes.concat(programOutput, abi.encode(mmrIds[i], mmrSizes[i], CHAIN_ID, root));
        }
        if (!SHARP_FACTS_REGISTRY.isValid(_factHash(PROGRAM_HASH, programOutput))) revert InvalidFact();
    }

    /// @dev Finalizes each task whose hash and result are under the batch's roots; NotInBatch for any other.
    function _finalizeBatch(
        uint256[4] memory roots,
        bytes32[][] memory taskProofs,
        bytes32[][] memory resultProofs,
        bytes32[] memory tasks,
        bytes32[] memory results
    ) private {
        bytes32 tasksRoot = bytes32((roots[3] << 128) | roots[2]);
        bytes32 resultsRoot = bytes32((roots[1] << 128) | roots[0]);
        for (uint256 i = 0; i < results.length; ++i) {
            _requireInBatch(taskProofs[i], tasksRoot, tasks[i]);
            _requireInBatch(resultProofs[i], resultsRoot, keccak256(abi.encode(tasks[i], results[i])));
            _finalize(tasks[i], results[i]);
        }
    }

    /// @dev Reverts with NotInBatch unless the value's leaf is under the root.
    function _requireInBatch(bytes32[] memory proof, bytes32 root, bytes32 value) private pure {
        bytes32 node = standardLeafHash(value);
        for (uint256 i = 0; i < proof.length; ++i) {
            node = node < proof[i] ? keccak256(abi.encode(node, proof[i])) : keccak256(abi.encode(proof[i], node));
        }
        if (node != root) revert NotInBatch();
    }
}
