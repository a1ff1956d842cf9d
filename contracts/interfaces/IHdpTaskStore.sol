// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {ModuleTask} from "../libraries/HdpTypes.sol";

/// @title IHdpTaskStore
/// @author The hardhat-hdp authors
/// @notice What the execution store (2024) and the satellite (2025) have in common: states, errors and one event.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpTaskStore {
    /// @notice State of a task.
    enum TaskStatus {
        NONE,
        SCHEDULED,
        FINALIZED
    }

    /// @notice A stored task.
    /// @param status State
    /// @param result Result word, 0 until finalized
    struct TaskResult {
        TaskStatus status;
        bytes32 result;
    }

    /// @notice A module task was requested.
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param moduleTask The task as requested
    event ModuleTaskScheduled(ModuleTask moduleTask);

    /// @notice The task was requested before.
    error DoubleRegistration();

    /// @notice The task has no finalized result.
    error NotFinalized();

    /// @notice The facts registry doesn't know the fact of this execution.
    error InvalidFact();
}
