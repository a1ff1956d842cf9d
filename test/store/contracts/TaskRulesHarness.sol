// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {
    BlockSampledDatalake,
    ComputationalTask,
    ModuleTask,
    TransactionsInBlockDatalake
} from "../../../contracts/libraries/HdpTypes.sol";
import {HdpTaskRules} from "../../../contracts/test/HdpTaskRules.sol";

/// @notice Makes the rules callable from outside.
contract TaskRulesHarness {
    function blocks(BlockSampledDatalake memory datalake, ComputationalTask memory compute) external pure {
        HdpTaskRules.requireValid(datalake, compute);
    }

    function transactions(TransactionsInBlockDatalake memory datalake, ComputationalTask memory compute) external pure {
        HdpTaskRules.requireValid(datalake, compute);
    }

    function module(ModuleTask memory task) external pure {
        HdpTaskRules.requireValid(task);
    }
}
