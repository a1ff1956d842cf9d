// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {IHdpSatellite} from "../interfaces/IHdpSatellite.sol";
import {HdpTaskHash} from "../libraries/HdpTaskHash.sol";
import {ModuleTask} from "../libraries/HdpTypes.sol";
import {HdpStoreKind, HdpTaskStateMock} from "./HdpTaskStateMock.sol";

/// @title HdpSatelliteNamesMock
/// @notice MOCK: the satellite's functions (names of 2025) over the shared state. Those that user contracts call exist in a
/// mock of that kind only.
abstract contract HdpSatelliteNamesMock is HdpTaskStateMock {
    /// @notice Owner of the satellite's settings: the account that deployed the mock.
    address public immutable owner = msg.sender;

    /// @inheritdoc IHdpSatellite
    mapping(bytes32 programHash => bool) public override isProgramHashAuthorized;

    /// @notice MOCK ONLY: an operator set an MMR root.
    /// @param chainId Chain whose headers the MMR holds
    /// @param mmrId Id of the MMR
    /// @param mmrSize Its size
    /// @param mmrRoot Its Poseidon root
    event MockMmrRootSet(uint256 chainId, uint256 mmrId, uint256 mmrSize, bytes32 mmrRoot);

    /// @notice Reverts with MustBeContractOwner unless the caller deployed the mock.
    modifier onlyOwner() {
        if (msg.sender != owner) revert MustBeContractOwner();
        _;
    }

    /// @inheritdoc IHdpSatellite
    function setDataProcessorProgramHash(bytes32 programHash) external onlyOwner {
        _authorize(programHash);
    }

    /// @inheritdoc IHdpSatellite
    function disableProgramHashes(bytes32[] calldata programHashes) external onlyOwner {
        for (uint256 i = 0; i < programHashes.length; i++) {
            isProgramHashAuthorized[programHashes[i]] = false;
        }
        emit ProgramHashesDisabled(programHashes);
    }

    /// @notice MOCK ONLY: sets the root of an MMR of any chain, where a satellite would have grown it. Operators only.
    /// @param chainId Chain whose headers the MMR holds
    /// @param mmrId Id of the MMR
    /// @param mmrSize Its size
    /// @param mmrRoot Its Poseidon root
    function setMmrRoot(uint256 chainId, uint256 mmrId, uint256 mmrSize, bytes32 mmrRoot) external onlyOperator {
        cachedMMRsRoots[chainId][mmrId][mmrSize] = mmrRoot;
        emit MockMmrRootSet(chainId, mmrId, mmrSize, mmrRoot);
    }

    /// @inheritdoc IHdpSatellite
    function requestDataProcessorExecutionOfTask(
        ModuleTask calldata moduleTask
    ) external onlyKind(HdpStoreKind.SATELLITE) {
        bytes32 task = HdpTaskHash.taskHash(moduleTask);
        if (_tasks[task].status == TaskStatus.FINALIZED) {
            emit TaskAlreadyStored(task);
            return;
        }
        _schedule(task);
        emit ModuleTaskScheduled(moduleTask);
    }

    /// @inheritdoc IHdpSatellite
    /// @dev Halves of 2^128 and more revert with a text reason.
    function authenticateDataProcessorTaskExecution(TaskData calldata taskData) external {
        bytes32 task = _join(taskData.taskHashHigh, taskData.taskHashLow);
        bytes32 result = _join(taskData.taskResultHigh, taskData.taskResultLow);
        if (_tasks[task].status == TaskStatus.FINALIZED) revert TaskAlreadyFinalized();
        if (!isProgramHashAuthorized[taskData.programHash]) revert UnauthorizedProgramHash();
        if (!_isFact(_factHash(taskData.programHash, _programOutput(taskData)))) revert InvalidFact();
        _finalize(task, result);
    }

    /// @inheritdoc IHdpSatellite
    function getDataProcessorFinalizedTaskResult(
        bytes32 taskCommitment
    ) external view onlyKind(HdpStoreKind.SATELLITE) returns (bytes32) {
        return _finalizedResult(taskCommitment);
    }

    /// @inheritdoc IHdpSatellite
    function getDataProcessorTaskStatus(
        bytes32 taskCommitment
    ) external view onlyKind(HdpStoreKind.SATELLITE) returns (TaskStatus) {
        return _tasks[taskCommitment].status;
    }

    /// @dev Authorizes a proving program.
    function _authorize(bytes32 programHash) internal {
        isProgramHashAuthorized[programHash] = true;
        emit ProgramHashEnabled(programHash);
    }

    /// @dev Whether the facts registry knows the fact.
    function _isFact(bytes32 fact) internal view virtual returns (bool);

    /// @dev The output words of the proving program; InvalidMmrRoot when the root of an MMR is not known.
    function _programOutput(TaskData calldata taskData) private view returns (uint256[] memory output) {
        output = new uint256[](4 + 4 * taskData.mmrData.length);
        output[0] = taskData.taskHashLow;
        output[1] = taskData.taskHashHigh;
        output[2] = taskData.taskResultLow;
        output[3] = taskData.taskResultHigh;
        for (uint256 i = 0; i < taskData.mmrData.length; i++) {
            MmrData calldata mmr = taskData.mmrData[i];
            bytes32 root = cachedMMRsRoots[mmr.chainId][mmr.mmrId][mmr.mmrSize];
            if (root == 0) revert InvalidMmrRoot();
            uint256 at = 4 + 4 * i;
            output[at] = mmr.mmrId;
            output[at + 1] = mmr.mmrSize;
            output[at + 2] = mmr.chainId;
            output[at + 3] = uint256(root);
        }
    }

    /// @dev One word of two 128-bit halves.
    function _join(uint256 high, uint256 low) private pure returns (bytes32) {
        require(high < 1 << 128 && low < 1 << 128, "HdpExecutionStoreMock: half exceeds 128 bits");
        return bytes32((high << 128) | low);
    }
}
