// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpPrograms} from "./HdpPrograms.sol";
import {
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    HdpTask,
    ModuleTask,
    TransactionsInBlockDatalake
} from "./HdpTypes.sol";

/// @title HdpTaskHash
/// @author The hardhat-hdp authors
/// @notice Computes the hash (task commitment) under which an execution store keeps a task's result, so that a
/// contract can derive the hash it reads by instead of trusting one passed in.
/// @dev Datalakes are hashed with the source chain's id. Stores from before July 2024 hash them without it: use the
/// functions ending in `WithoutChainId` for those only. `inForm` gives the hash in either form: see HdpForm.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpTaskHash {
    /// @dev Datalake codes: the first encoded word.
    uint256 private constant BLOCK_SAMPLED = 0;
    uint256 private constant TRANSACTIONS_IN_BLOCK = 1;
    /// @dev Numbers of inputs of the standard programs.
    uint256 private constant BLOCKS_INPUTS = 14;
    uint256 private constant TRANSACTIONS_INPUTS = 13;
    /// @dev Numbers of words in the datalakes' structs before the property.
    uint256 private constant BLOCKS_WORDS = 4;
    uint256 private constant TRANSACTIONS_WORDS = 6;
    /// @dev Bytes of encoded properties of sampled blocks, by their kind from 1 on, as HdpSampledProperty encodes them.
    uint256 private constant FIELD_BYTES = 2;
    uint256 private constant ACCOUNT_BYTES = 22;
    uint256 private constant SLOT_BYTES = 53;

    /// @notice The bytes are no property of the datalake: see HdpSampledProperty.
    /// @param property The bytes
    error UnknownProperty(bytes property);

    /// @notice A task over sampled blocks in a form, for contracts that compute range or account.
    /// @dev Reverts with UnknownProperty in the form Module.
    /// @param form Form, fixed at deployment: never take it from a caller
    /// @param datalake The sampled blocks
    /// @param compute What is computed over them
    /// @return Task hash and form
    function inForm(
        HdpForm form,
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (HdpTask memory) {
        if (form == HdpForm.Datalake) return HdpTask(taskHash(datalake, compute), form);
        return HdpTask(taskHash(asModule(datalake, compute)), form);
    }

    /// @notice A task over the transactions of one block in a form.
    /// @dev Reverts with UnknownProperty in the form Module.
    /// @param form Form, fixed at deployment: never take it from a caller
    /// @param datalake The sampled transactions
    /// @param compute What is computed over them
    /// @return Task hash and form
    function inForm(
        HdpForm form,
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (HdpTask memory) {
        if (form == HdpForm.Datalake) return HdpTask(taskHash(datalake, compute), form);
        return HdpTask(taskHash(asModule(datalake, compute)), form);
    }

    /// @notice A task over sampled blocks as a task of the standard program.
    /// @dev Inputs: format word, chain id, first block, last block, step, kind (1 header, 2 account, 3 storage), field,
    /// address, slot (low, high), function, operator, value to compare (low, high). Unused ones are 0. Reverts with
    /// UnknownProperty.
    /// @param datalake The sampled blocks
    /// @param compute What is computed over them
    /// @return task Program hash and inputs
    function asModule(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (ModuleTask memory task) {
        task = ModuleTask(HdpPrograms.BLOCKS_PROGRAM, new bytes32[](BLOCKS_INPUTS));
        bytes32[] memory inputs = task.inputs;
        inputs[0] = HdpPrograms.BLOCKS_FORMAT;
        inputs[1] = bytes32(datalake.chainId);
        inputs[2] = bytes32(datalake.blockRangeStart);
        inputs[3] = bytes32(datalake.blockRangeEnd);
        inputs[4] = bytes32(datalake.increment);
        _setProperty(inputs, datalake.sampledProperty);
        _setCompute(inputs, 10, compute);
    }

    /// @notice A task over the transactions of one block as a task of the standard program.
    /// @dev Inputs: format word, chain id, block, start, end (exclusive), step, included types, kind (1 transaction, 2
    /// receipt), field, function, operator, value to compare (low, high). Reverts with UnknownProperty.
    /// @param datalake The sampled transactions
    /// @param compute What is computed over them
    /// @return task Program hash and inputs
    function asModule(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (ModuleTask memory task) {
        bytes memory property = datalake.sampledProperty;
        uint256 kind = property.length == FIELD_BYTES ? uint8(property[0]) : 0;
        if (kind != 1 && kind != 2) revert UnknownProperty(property);
        task = ModuleTask(HdpPrograms.TRANSACTIONS_PROGRAM, new bytes32[](TRANSACTIONS_INPUTS));
        bytes32[] memory inputs = task.inputs;
        inputs[0] = HdpPrograms.TRANSACTIONS_FORMAT;
        inputs[1] = bytes32(datalake.chainId);
        inputs[2] = bytes32(datalake.targetBlock);
        inputs[3] = bytes32(datalake.startIndex);
        inputs[4] = bytes32(datalake.endIndex);
        inputs[5] = bytes32(datalake.increment);
        inputs[6] = bytes32(datalake.includedTypes);
        inputs[7] = bytes32(kind);
        inputs[8] = bytes32(uint256(uint8(property[1])));
        _setCompute(inputs, 9, compute);
    }

    /// @notice Hash of a task over sampled blocks.
    /// @param datalake The sampled blocks
    /// @param compute What is computed over them
    /// @return Task hash
    function taskHash(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (bytes32) {
        uint256 words;
        assembly ("memory-safe") {
            words := datalake
        }
        return _hash(BLOCK_SAMPLED, words, BLOCKS_WORDS, compute);
    }

    /// @notice Hash of a task over the transactions of one block.
    /// @param datalake The sampled transactions
    /// @param compute What is computed over them
    /// @return Task hash
    function taskHash(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (bytes32) {
        uint256 words;
        assembly ("memory-safe") {
            words := datalake
        }
        return _hash(TRANSACTIONS_IN_BLOCK, words, TRANSACTIONS_WORDS, compute);
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

    /// @dev Sets kind, field, address and slot of a sampled property: inputs 5 to 9 of the standard program.
    function _setProperty(bytes32[] memory inputs, bytes memory property) private pure {
        uint256 kind = property.length == 0 ? 0 : uint8(property[0]);
        if (kind == 1 && property.length == FIELD_BYTES) {
            inputs[6] = bytes32(_wordAt(property, 1) >> 248);
        } else if (kind == 2 && property.length == ACCOUNT_BYTES) {
            inputs[6] = bytes32(_wordAt(property, 21) >> 248);
            inputs[7] = bytes32(_wordAt(property, 1) >> 96);
        } else if (kind == 3 && property.length == SLOT_BYTES) {
            inputs[7] = bytes32(_wordAt(property, 1) >> 96);
            _setHalves(inputs, 8, _wordAt(property, 21));
        } else {
            revert UnknownProperty(property);
        }
        inputs[5] = bytes32(kind);
    }

    /// @dev Sets the function, and for COUNT operator and value to compare: the others have no use for them.
    function _setCompute(bytes32[] memory inputs, uint256 place, ComputationalTask memory compute) private pure {
        inputs[place] = bytes32(uint256(compute.aggregateFnId));
        if (compute.aggregateFnId != AggregateFn.COUNT) return;
        inputs[place + 1] = bytes32(uint256(compute.operatorId));
        _setHalves(inputs, place + 2, compute.valueToCompare);
    }

    /// @dev Sets the low and the high half of a word.
    function _setHalves(bytes32[] memory inputs, uint256 place, uint256 word) private pure {
        inputs[place] = bytes32(uint256(uint128(word)));
        inputs[place + 1] = bytes32(word >> 128);
    }

    /// @dev The 32 bytes from an offset on. Those behind the end are whatever memory has: the callers shift them out.
    function _wordAt(bytes memory data, uint256 offset) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 32), offset))
        }
    }

    /// @dev _commit of encodeDatalake in assembly, since it costs a third less: code, words, offset, length and bytes of the
    /// property. `datalake` is where the struct is in memory, which has the place of the property after its words.
    function _hash(
        uint256 code,
        uint256 datalake,
        uint256 words,
        ComputationalTask memory compute
    ) private pure returns (bytes32 hash) {
        assembly ("memory-safe") {
            let start := mload(64)
            mstore(start, code)
            let to := add(start, 32)
            let end := add(datalake, shl(5, words))
            for {} lt(datalake, end) {} {
                mstore(to, mload(datalake))
                to := add(to, 32)
                datalake := add(datalake, 32)
            }
            mstore(to, sub(add(to, 32), start))
            let property := mload(end)
            let size := mload(property)
            mstore(add(to, 32), size)
            to := add(to, 64)
            let copied := 0
            for {} lt(copied, size) {} {
                mstore(add(to, copied), mload(add(add(property, 32), copied)))
                copied := add(copied, 32)
            }
            // Memory behind the property is whatever it is.
            mstore(add(to, size), 0)
            to := add(to, and(add(size, 31), not(31)))
            mstore(start, keccak256(start, sub(to, start)))
            mstore(add(start, 32), mload(compute))
            mstore(add(start, 64), mload(add(compute, 32)))
            mstore(add(start, 96), mload(add(compute, 64)))
            hash := keccak256(start, 128)
        }
    }

    /// @dev Task commitment: keccak256(datalakeCommitment, encodedCompute).
    function _commit(bytes memory encodedDatalake, ComputationalTask memory compute) private pure returns (bytes32) {
        bytes32 datalake = keccak256(encodedDatalake);
        return keccak256(abi.encode(datalake, compute.aggregateFnId, compute.operatorId, compute.valueToCompare));
    }
}
