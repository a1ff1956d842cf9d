// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {
    BlockSampledDatalake,
    ComputationalTask,
    ModuleTask,
    TransactionsInBlockDatalake
} from "../libraries/HdpTypes.sol";
import {IHdpAggregatorsFactory} from "./IHdpAggregatorsFactory.sol";
import {IHdpFactsRegistry} from "./IHdpFactsRegistry.sol";
import {IHdpTaskStore} from "./IHdpTaskStore.sol";

/// @title IHdpExecutionStore
/// @author The hardhat-hdp authors
/// @notice The execution store: datalake and module tasks are requested in it, finalized in batches, and read by
/// task hash.
/// @dev The edition that hashes chain ids and knows module tasks (from August 2024). Its successor on current
/// deployments is IHdpSatellite.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpExecutionStore is IHdpTaskStore {
    /// @notice A task over sampled blocks was requested.
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param datalake The sampled blocks
    /// @param task What is computed over them
    event TaskWithBlockSampledDatalakeScheduled(BlockSampledDatalake datalake, ComputationalTask task);

    /// @notice A task over a block's transactions was requested.
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param datalake The sampled transactions
    /// @param task What is computed over them
    event TaskWithTransactionsInBlockDatalakeScheduled(TransactionsInBlockDatalake datalake, ComputationalTask task);

    /// @notice The root of a Merkle mountain range (MMR) was copied from its aggregator.
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param mmrId Id of the MMR
    /// @param mmrSize Its size
    /// @param mmrRoot Its Poseidon root
    event MmrRootCached(uint256 mmrId, uint256 mmrSize, bytes32 mmrRoot);

    /// @notice The caller is not an operator.
    error Unauthorized();

    /// @notice A task or its result is not part of the proven batch.
    error NotInBatch();

    /// @notice Requests a task over sampled blocks. Open to anyone.
    /// @dev Reverts with DoubleRegistration unless the task is unknown.
    /// @param blockSampledDatalake The sampled blocks
    /// @param computationalTask What is computed over them
    function requestExecutionOfTaskWithBlockSampledDatalake(
        BlockSampledDatalake calldata blockSampledDatalake,
        ComputationalTask calldata computationalTask
    ) external;

    /// @notice Requests a task over the transactions of one block. Open to anyone.
    /// @dev Reverts with DoubleRegistration unless the task is unknown.
    /// @param transactionsInBlockDatalake The sampled transactions
    /// @param computationalTask What is computed over them
    function requestExecutionOfTaskWithTransactionsInBlockDatalake(
        TransactionsInBlockDatalake calldata transactionsInBlockDatalake,
        ComputationalTask calldata computationalTask
    ) external;

    /// @notice Requests a module task. Open to anyone.
    /// @dev Reverts with DoubleRegistration unless the task is unknown.
    /// @param moduleTask Program hash and public inputs
    function requestExecutionOfModuleTask(ModuleTask calldata moduleTask) external;

    /// @notice Finalizes the tasks of a proven batch. Operators only; the tasks need not have been requested.
    /// @dev Reverts, in this order: Unauthorized, InvalidFact, NotInBatch. All Merkle trees are those of
    /// OpenZeppelin's StandardMerkleTree with the leaves in batch order; leaves are standardLeafHash of the task
    /// hash, and of keccak256(task hash, result). A single task has empty proofs.
    /// @param mmrIds Ids of the MMRs the batch was proven against
    /// @param mmrSizes Their sizes, one for each id
    /// @param taskMerkleRootLow Low 128 bits of the root over the task hashes
    /// @param taskMerkleRootHigh High 128 bits of the root over the task hashes
    /// @param resultMerkleRootLow Low 128 bits of the root over the results
    /// @param resultMerkleRootHigh High 128 bits of the root over the results
    /// @param tasksInclusionProofs For each task, its proof under the tasks' root
    /// @param resultsInclusionProofs For each task, its result's proof under the results' root
    /// @param taskCommitments Task hashes
    /// @param taskResults Result words, one for each task hash
    function authenticateTaskExecution(
        uint256[] calldata mmrIds,
        uint256[] calldata mmrSizes,
        uint256 taskMerkleRootLow,
        uint256 taskMerkleRootHigh,
        uint256 resultMerkleRootLow,
        uint256 resultMerkleRootHigh,
        bytes32[][] calldata tasksInclusionProofs,
        bytes32[][] calldata resultsInclusionProofs,
        bytes32[] calldata taskCommitments,
        bytes32[] calldata taskResults
    ) external;

    /// @notice Copies the current root of an MMR from its aggregator. Open to anyone.
    /// @param mmrId Id of the MMR
    function cacheMmrRoot(uint256 mmrId) external;

    /// @notice The cached root of an MMR of the store's own source chain.
    /// @param mmrId Id of the MMR
    /// @param mmrSize Its size
    /// @return The root, 0 when not cached
    function loadMmrRoot(uint256 mmrId, uint256 mmrSize) external view returns (bytes32);

    /// @notice The cached root of an MMR.
    /// @param chainId Chain whose headers the MMR holds
    /// @param mmrId Id of the MMR
    /// @param mmrSize Its size
    /// @return The root, 0 when not cached
    function cachedMMRsRoots(uint256 chainId, uint256 mmrId, uint256 mmrSize) external view returns (bytes32);

    /// @notice State and result word of a task.
    /// @param taskCommitment Task hash
    /// @return status State
    /// @return result Result word, 0 until finalized
    function cachedTasksResult(bytes32 taskCommitment) external view returns (TaskStatus status, bytes32 result);

    /// @notice The result of a finalized task.
    /// @dev Reverts with NotFinalized.
    /// @param taskCommitment Task hash
    /// @return Result word
    function getFinalizedTaskResult(bytes32 taskCommitment) external view returns (bytes32);

    /// @notice State of a task.
    /// @param taskCommitment Task hash
    /// @return State
    function getTaskStatus(bytes32 taskCommitment) external view returns (TaskStatus);

    /// @notice Leaf of a standard Merkle tree: the value hashed twice.
    /// @param value Task hash or result commitment
    /// @return Leaf
    function standardLeafHash(bytes32 value) external pure returns (bytes32);

    // solhint-disable func-name-mixedcase
    /// @notice Source chain whose MMR roots the store caches.
    /// @return Chain id
    function CHAIN_ID() external view returns (uint256);

    /// @notice Hash of the program whose facts finalize batches.
    /// @return Program hash
    function PROGRAM_HASH() external view returns (bytes32);

    /// @notice Registry that is asked for facts.
    /// @return Facts registry
    function SHARP_FACTS_REGISTRY() external view returns (IHdpFactsRegistry);

    /// @notice Factory that knows the aggregators of MMR roots.
    /// @return Aggregators factory
    function AGGREGATORS_FACTORY() external view returns (IHdpAggregatorsFactory);

    /// @notice Role that may finalize.
    /// @return Role id, keccak256("OPERATOR_ROLE")
    function OPERATOR_ROLE() external view returns (bytes32);
    // solhint-enable func-name-mixedcase
}
