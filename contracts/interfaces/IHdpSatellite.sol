// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {ModuleTask} from "../libraries/HdpTypes.sol";
import {IHdpStorageProofs} from "./IHdpStorageProofs.sol";
import {IHdpTaskStore} from "./IHdpTaskStore.sol";

/// @title IHdpSatellite
/// @author The hardhat-hdp authors
/// @notice The data processor's part of a satellite, the current destination contract: module tasks are requested in
/// it, finalized one by one through facts, and read by task hash. With the satellite's reads of storage proofs.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpSatellite is IHdpTaskStore, IHdpStorageProofs {
    /// @notice A Merkle mountain range (MMR) of block headers that an execution was proven against.
    /// @param chainId Chain whose headers it holds
    /// @param mmrId Its id
    /// @param mmrSize Its size
    struct MmrData {
        uint256 chainId;
        uint256 mmrId;
        uint256 mmrSize;
    }

    /// @notice A proven execution of one task.
    /// @param mmrData MMRs it was proven against
    /// @param taskResultLow Low 128 bits of the result word
    /// @param taskResultHigh High 128 bits of the result word
    /// @param taskHashLow Low 128 bits of the task hash
    /// @param taskHashHigh High 128 bits of the task hash
    /// @param programHash Hash of the proving program
    struct TaskData {
        MmrData[] mmrData;
        uint256 taskResultLow;
        uint256 taskResultHigh;
        uint256 taskHashLow;
        uint256 taskHashHigh;
        bytes32 programHash;
    }

    /// @notice A finalized task was requested again. Carries the task hash (the published parameter name is kept).
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param result Task hash
    event TaskAlreadyStored(bytes32 result);

    /// @notice A task was finalized.
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param taskHash Task hash
    /// @param taskResult Result word
    event TaskFinalized(bytes32 taskHash, bytes32 taskResult);

    /// @notice A proving program was authorized.
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param enabledProgramHash Its hash
    event ProgramHashEnabled(bytes32 enabledProgramHash);

    /// @notice Proving programs lost their authorization.
    /// @dev No parameter is indexed, as published: a log is found by its data.
    /// @param disabledProgramHashes Their hashes
    event ProgramHashesDisabled(bytes32[] disabledProgramHashes);

    /// @notice The proving program is not authorized.
    error UnauthorizedProgramHash();

    /// @notice The root of an MMR is not known.
    error InvalidMmrRoot();

    /// @notice The task has a result already.
    error TaskAlreadyFinalized();

    /// @notice The caller is not the owner.
    error MustBeContractOwner();

    /// @notice Requests a module task. Open to anyone.
    /// @dev Emits TaskAlreadyStored when the task is finalized; reverts with DoubleRegistration when it is scheduled.
    /// @param moduleTask Program hash and public inputs
    function requestDataProcessorExecutionOfTask(ModuleTask calldata moduleTask) external;

    /// @notice Finalizes a task whose execution is a known fact. Open to anyone; a request is not needed.
    /// @dev Reverts, in this order: TaskAlreadyFinalized, UnauthorizedProgramHash, InvalidMmrRoot, InvalidFact.
    /// @param taskData The execution
    function authenticateDataProcessorTaskExecution(TaskData calldata taskData) external;

    /// @notice Authorizes a proving program. Owner only.
    /// @param programHash Its hash
    function setDataProcessorProgramHash(bytes32 programHash) external;

    /// @notice Withdraws the authorization of proving programs. Owner only.
    /// @param programHashes Their hashes
    function disableProgramHashes(bytes32[] calldata programHashes) external;

    /// @notice The result of a finalized task.
    /// @dev Reverts with NotFinalized.
    /// @param taskCommitment Task hash
    /// @return Result word
    function getDataProcessorFinalizedTaskResult(bytes32 taskCommitment) external view returns (bytes32);

    /// @notice State of a task.
    /// @param taskCommitment Task hash
    /// @return State
    function getDataProcessorTaskStatus(bytes32 taskCommitment) external view returns (TaskStatus);

    /// @notice Whether a proving program is authorized.
    /// @param programHash Its hash
    /// @return True when authorized
    function isProgramHashAuthorized(bytes32 programHash) external view returns (bool);
}
