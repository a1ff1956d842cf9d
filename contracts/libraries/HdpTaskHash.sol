// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {BlockSampledDatalake, ComputationalTask, ModuleTask, TransactionsInBlockDatalake} from "./HdpTypes.sol";

/// @title HdpTaskHash
/// @notice Computes the hash (task commitment) under which an execution store keeps a task's result, so that a
/// contract can derive the hash it reads by instead of trusting one passed in.
/// @dev Datalakes are hashed with the source chain's id. Stores from before July 2024 hash them without it: use the
/// functions ending in `WithoutChainId` for those only.
library HdpTaskHash {
    /// @dev Datalake codes: the first encoded word.
    uint256 private constant BLOCK_SAMPLED = 0;
    uint256 private constant TRANSACTIONS_IN_BLOCK = 1;

    /// @notice Hash of a task over sampled blocks.
    /// @param datalake The sampled blocks
    /// @param compute What is computed over them
    /// @return Task hash
    function taskHash(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (bytes32) {
        return _commit(encodeDatalake(datalake), compute);
    }

    /// @notice Hash of a task over the transactions of one block.
    /// @param datalake The sampled transactions
    /// @param compute What is computed over them
    /// @return Task hash
    function taskHash(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (bytes32) {
        return _commit(encodeDatalake(datalake), compute);
    }

    /// @notice Hash of a module task.
    /// @param task Program hash and public inputs
    /// @return Task hash
    function taskHash(ModuleTask memory task) internal pure returns (bytes32) {
        return keccak256(encodeModuleTask(task));
    }

    /// @notice Hash of a task over sampled blocks, for stores from before July 2024.
    /// @param datalake The sampled blocks; its chain id is not hashed
    /// @param compute What is computed over them
    /// @return Task hash
    function taskHashWithoutChainId(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (bytes32) {
        return _commit(encodeDatalakeWithoutChainId(datalake), compute);
    }

    /// @notice Hash of a task over the transactions of one block, for stores from before July 2024.
    /// @param datalake The sampled transactions; its chain id is not hashed
    /// @param compute What is computed over them
    /// @return Task hash
    function taskHashWithoutChainId(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (bytes32) {
        return _commit(encodeDatalakeWithoutChainId(datalake), compute);
    }

    /// @notice Encoding of sampled blocks; its keccak256 is the datalake commitment.
    /// @param datalake The sampled blocks
    /// @return abi.encode(0, chainId, start, end, increment, property)
    function encodeDatalake(BlockSampledDatalake memory datalake) internal pure returns (bytes memory) {
        return
            abi.encode(
                BLOCK_SAMPLED,
                datalake.chainId,
                datalake.blockRangeStart,
                datalake.blockRangeEnd,
                datalake.increment,
                datalake.sampledProperty
            );
    }

    /// @notice Encoding of a block's sampled transactions; its keccak256 is the datalake commitment.
    /// @param datalake The sampled transactions
    /// @return abi.encode(1, chainId, block, start, end, increment, includedTypes, property)
    function encodeDatalake(TransactionsInBlockDatalake memory datalake) internal pure returns (bytes memory) {
        return
            abi.encode(
                TRANSACTIONS_IN_BLOCK,
                datalake.chainId,
                datalake.targetBlock,
                datalake.startIndex,
                datalake.endIndex,
                datalake.increment,
                datalake.includedTypes,
                datalake.sampledProperty
            );
    }

    /// @notice Encoding of sampled blocks for stores from before July 2024.
    /// @param datalake The sampled blocks; its chain id is left out
    /// @return abi.encode(0, start, end, increment, property)
    function encodeDatalakeWithoutChainId(BlockSampledDatalake memory datalake) internal pure returns (bytes memory) {
        return
            abi.encode(
                BLOCK_SAMPLED,
                datalake.blockRangeStart,
                datalake.blockRangeEnd,
                datalake.increment,
                datalake.sampledProperty
            );
    }

    /// @notice Encoding of a block's sampled transactions for stores from before July 2024.
    /// @param datalake The sampled transactions; its chain id is left out
    /// @return abi.encode(1, block, start, end, increment, includedTypes, property)
    function encodeDatalakeWithoutChainId(
        TransactionsInBlockDatalake memory datalake
    ) internal pure returns (bytes memory) {
        return
            abi.encode(
                TRANSACTIONS_IN_BLOCK,
                datalake.targetBlock,
                datalake.startIndex,
                datalake.endIndex,
                datalake.increment,
                datalake.includedTypes,
                datalake.sampledProperty
            );
    }

    /// @notice Encoding of a computation: function, operator, value.
    /// @param compute The computation
    /// @return Three words
    function encodeCompute(ComputationalTask memory compute) internal pure returns (bytes memory) {
        return abi.encode(compute.aggregateFnId, compute.operatorId, compute.valueToCompare);
    }

    /// @notice Encoding of a module task; its keccak256 is the task hash.
    /// @param task Program hash and public inputs
    /// @return abi.encode(programHash, inputs)
    function encodeModuleTask(ModuleTask memory task) internal pure returns (bytes memory) {
        return abi.encode(task.programHash, task.inputs);
    }

    /// @dev Task commitment: keccak256(datalakeCommitment, encodedCompute).
    function _commit(bytes memory encodedDatalake, ComputationalTask memory compute) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(keccak256(encodedDatalake), encodeCompute(compute)));
    }
}
