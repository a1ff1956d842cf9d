// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

enum TaskStatus {
    NONE,
    SCHEDULED,
    FINALIZED
}

struct TaskResult {
    TaskStatus status;
    bytes32 result;
}

error NotFinalized();

/// @notice Storage as the published execution store has it: roles first, then the results.
contract RealExecutionStore is AccessControl {
    mapping(bytes32 => TaskResult) public cachedTasksResult;
    mapping(uint256 => mapping(uint256 => mapping(uint256 => bytes32))) public cachedMMRsRoots;

    function getFinalizedTaskResult(bytes32 taskCommitment) external view returns (bytes32) {
        if (cachedTasksResult[taskCommitment].status != TaskStatus.FINALIZED) revert NotFinalized();
        return cachedTasksResult[taskCommitment].result;
    }

    function getTaskStatus(bytes32 taskCommitment) external view returns (TaskStatus) {
        return cachedTasksResult[taskCommitment].status;
    }
}

/// @notice Storage as the published satellite has it: a module's namespace, whose second member are the results.
contract RealSatellite {
    struct ModuleStorage {
        address satellite;
        mapping(bytes32 => TaskResult) cachedTasksResult;
        mapping(bytes32 => bool) authorizedProgramHashes;
    }

    function getDataProcessorFinalizedTaskResult(bytes32 taskCommitment) external view returns (bytes32) {
        TaskResult storage task = moduleStorage().cachedTasksResult[taskCommitment];
        if (task.status != TaskStatus.FINALIZED) revert NotFinalized();
        return task.result;
    }

    function getDataProcessorTaskStatus(bytes32 taskCommitment) external view returns (TaskStatus) {
        return moduleStorage().cachedTasksResult[taskCommitment].status;
    }

    function moduleStorage() private pure returns (ModuleStorage storage s) {
        bytes32 position = keccak256("diamond.standard.satellite.module.storage.data-processor");
        assembly {
            s.slot := position
        }
    }
}

/// @notice Results where nobody looks for them.
contract HiddenStore {
    function getFinalizedTaskResult(bytes32 taskCommitment) external view returns (bytes32 result) {
        if (getTaskStatus(taskCommitment) != TaskStatus.FINALIZED) revert NotFinalized();
        assembly {
            result := sload(not(taskCommitment))
        }
    }

    function getTaskStatus(bytes32 taskCommitment) public view returns (TaskStatus status) {
        assembly {
            status := sload(taskCommitment)
        }
    }
}
