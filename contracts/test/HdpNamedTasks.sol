// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    ModuleTask,
    TransactionsInBlockDatalake
} from "../libraries/HdpTypes.sol";
import {HdpTaskText} from "./HdpTaskText.sol";

/// @notice Kind of a task that a test named; NONE where it named none.
enum HdpTaskKind {
    NONE,
    BLOCKS,
    TRANSACTIONS,
    MODULE
}

/// @notice A task that a test named, of one kind.
/// @param kind Its kind
/// @param form Form of a datalake task
/// @param compute Function of a datalake task
/// @param blocks Sampled blocks
/// @param transactions Sampled transactions
/// @param module Module
struct HdpNamedTask {
    HdpTaskKind kind;
    HdpForm form;
    ComputationalTask compute;
    BlockSampledDatalake blocks;
    TransactionsInBlockDatalake transactions;
    ModuleTask module;
}

/// @title HdpNamedTasks
/// @author The hardhat-hdp authors
/// @notice The tasks that a test named, in words.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpNamedTasks {
    /// @notice A named task in words.
    /// @param task The task
    /// @return The words
    function textOf(HdpNamedTask memory task) internal pure returns (string memory) {
        if (task.kind == HdpTaskKind.MODULE) return HdpTaskText.textOf(task.module);
        string memory text =
            task.kind == HdpTaskKind.BLOCKS
                ? HdpTaskText.textOf(task.blocks, task.compute)
                : HdpTaskText.textOf(task.transactions, task.compute);
        return string.concat(text, task.form == HdpForm.Module ? ", in the module form" : ", in the datalake form");
    }
}
