// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpPrograms} from "../../../contracts/libraries/HdpPrograms.sol";
import {HdpSampledProperty} from "../../../contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "../../../contracts/libraries/HdpTaskHash.sol";
import {
    AccountField,
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    HdpTask,
    HeaderField,
    ModuleTask,
    ReceiptField,
    TransactionField,
    TransactionsInBlockDatalake
} from "../../../contracts/libraries/HdpTypes.sol";

/// @notice Makes the libraries callable from outside.
contract TaskHashHarness {
    struct Encoded {
        bytes datalake;
        bytes datalakeWithoutChainId;
        bytes compute;
        bytes32 taskHash;
        bytes32 taskHashWithoutChainId;
    }

    function blocks(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) external pure returns (Encoded memory) {
        return
            Encoded(
                HdpTaskHash.encodeDatalake(datalake),
                HdpTaskHash.encodeDatalakeWithoutChainId(datalake),
                HdpTaskHash.encodeCompute(compute),
                HdpTaskHash.taskHash(datalake, compute),
                HdpTaskHash.taskHashWithoutChainId(datalake, compute)
            );
    }

    function transactions(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) external pure returns (Encoded memory) {
        return
            Encoded(
                HdpTaskHash.encodeDatalake(datalake),
                HdpTaskHash.encodeDatalakeWithoutChainId(datalake),
                HdpTaskHash.encodeCompute(compute),
                HdpTaskHash.taskHash(datalake, compute),
                HdpTaskHash.taskHashWithoutChainId(datalake, compute)
            );
    }

    function module(ModuleTask memory task) external pure returns (bytes memory, bytes32) {
        return (HdpTaskHash.encodeModuleTask(task), HdpTaskHash.taskHash(task));
    }

    function blocksInForm(
        HdpForm form,
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) external pure returns (HdpTask memory) {
        return HdpTaskHash.inForm(form, datalake, compute);
    }

    function transactionsInForm(
        HdpForm form,
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) external pure returns (HdpTask memory) {
        return HdpTaskHash.inForm(form, datalake, compute);
    }

    function blocksAsModule(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) external pure returns (ModuleTask memory) {
        return HdpTaskHash.asModule(datalake, compute);
    }

    function transactionsAsModule(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) external pure returns (ModuleTask memory) {
        return HdpTaskHash.asModule(datalake, compute);
    }

    /// @notice Program hash and format word of the standard programs.
    function programs() external pure returns (bytes32[4] memory) {
        return
            [
                HdpPrograms.BLOCKS_PROGRAM,
                HdpPrograms.BLOCKS_FORMAT,
                HdpPrograms.TRANSACTIONS_PROGRAM,
                HdpPrograms.TRANSACTIONS_FORMAT
            ];
    }

    function header(HeaderField field) external pure returns (bytes memory) {
        return HdpSampledProperty.header(field);
    }

    function account(address target, AccountField field) external pure returns (bytes memory) {
        return HdpSampledProperty.account(target, field);
    }

    function storageSlot(address target, bytes32 slot) external pure returns (bytes memory) {
        return HdpSampledProperty.storageSlot(target, slot);
    }

    function transaction(TransactionField field) external pure returns (bytes memory) {
        return HdpSampledProperty.transaction(field);
    }

    function receipt(ReceiptField field) external pure returns (bytes memory) {
        return HdpSampledProperty.receipt(field);
    }

    function includedTypes(bool a, bool b, bool c, bool d) external pure returns (uint256) {
        return HdpSampledProperty.includedTypes(a, b, c, d);
    }
}
