// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpExecutionStore} from "../interfaces/IHdpExecutionStore.sol";
import {IHdpSatellite} from "../interfaces/IHdpSatellite.sol";
import {HdpMockRoles} from "./HdpMockRoles.sol";

/// @notice The two kinds of published stores, which differ in the names of what user contracts call; and the satellite of
/// the development branch, which differs from the published one in how executions are authenticated.
enum HdpStoreKind {
    SATELLITE,
    EXECUTION_STORE,
    SATELLITE_DEVELOP
}

/// @title HdpTaskStateMock
/// @author The hardhat-hdp authors
/// @notice MOCK: the one state behind both families of names, and the mock's own way to write it, plain finalizing.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpTaskStateMock is HdpMockRoles, IHdpExecutionStore, IHdpSatellite {
    /// @inheritdoc IHdpExecutionStore
    bytes32 public constant override OPERATOR_ROLE = keccak256("OPERATOR_ROLE");

    /// @notice MOCK ONLY: kind of store that this mock stands for.
    HdpStoreKind public immutable storeKind;

    mapping(bytes32 taskCommitment => TaskResult) internal _tasks;

    /// @inheritdoc IHdpExecutionStore
    mapping(uint256 chainId => mapping(uint256 mmrId => mapping(uint256 mmrSize => bytes32)))
        public
        override cachedMMRsRoots;

    /// @notice Whether results enter through the published, fact-based functions only.
    bool public authenticOnly;

    /// @notice Plain finalizing was switched off for good.
    event MockAuthenticOnly();

    /// @notice Plain finalizing is switched off: results need authenticateTaskExecution or
    /// authenticateDataProcessorTaskExecution.
    error MockPlainFinalizingDisabled();

    /// @notice Two lists that belong together have different lengths: task hashes and results, or ids and sizes of MMRs.
    /// @param first Length of the first list
    /// @param second Length of the second list
    error MockLengthMismatch(uint256 first, uint256 second);

    /// @notice Reverts with empty data, as a contract without the function does, in a mock of another kind.
    /// @param kind Kind that has the function
    modifier onlyKind(HdpStoreKind kind) {
        _requireKind(kind);
        _;
    }

    /// @notice Reverts with empty data in a mock that is no satellite.
    modifier onlySatellite() {
        _requireSatellite();
        _;
    }

    /// @notice Reverts with Unauthorized unless the caller is an operator.
    modifier onlyOperator() {
        _requireOperator();
        _;
    }

    /// @param kind Kind of store that this mock stands for
    constructor(HdpStoreKind kind) {
        storeKind = kind;
    }

    /// @notice MOCK ONLY: finalizes one task with any word, without a proof. Operators only.
    /// @dev May be repeated: the last word stays, so that a test can change its mind.
    /// @param taskCommitment Task hash
    /// @param taskResult Result word
    function finalizeTask(bytes32 taskCommitment, bytes32 taskResult) external onlyOperator {
        if (authenticOnly) revert MockPlainFinalizingDisabled();
        _finalize(taskCommitment, taskResult);
    }

    /// @notice MOCK ONLY: finalizes many tasks with any words, without a proof. Operators only.
    /// @dev One TaskFinalized event for each task. About 330 new tasks fit the gas of one transaction (2^24).
    /// @param taskCommitments Task hashes
    /// @param taskResults Result words, one for each task hash
    function finalizeTasks(bytes32[] calldata taskCommitments, bytes32[] calldata taskResults) external onlyOperator {
        if (authenticOnly) revert MockPlainFinalizingDisabled();
        if (taskCommitments.length != taskResults.length) {
            revert MockLengthMismatch(taskCommitments.length, taskResults.length);
        }
        for (uint256 i = 0; i < taskCommitments.length; ++i) {
            _finalize(taskCommitments[i], taskResults[i]);
        }
    }

    /// @notice MOCK ONLY: switches plain finalizing off, for good. Operators only.
    function requireAuthentication() external onlyOperator {
        authenticOnly = true;
        emit MockAuthenticOnly();
    }

    /// @dev Stores a result. The published execution store emits nothing here; the mock emits the satellite's event
    /// for both families, so that a result's transaction can be found.
    function _finalize(bytes32 taskCommitment, bytes32 taskResult) internal virtual {
        _tasks[taskCommitment] = TaskResult(TaskStatus.FINALIZED, taskResult);
        emit TaskFinalized(taskCommitment, taskResult);
    }

    /// @dev Marks an unknown task as scheduled.
    function _schedule(bytes32 taskCommitment) internal {
        if (_tasks[taskCommitment].status != TaskStatus.NONE) revert DoubleRegistration();
        _tasks[taskCommitment].status = TaskStatus.SCHEDULED;
    }

    /// @dev The result word, or NotFinalized.
    function _finalizedResult(bytes32 taskCommitment) internal view returns (bytes32) {
        TaskResult storage task = _tasks[taskCommitment];
        if (task.status != TaskStatus.FINALIZED) {
            _failedRead(taskCommitment);
            revert NotFinalized();
        }
        return task.result;
    }

    /// @dev Called before a read of a task without a result reverts. A test's mock says what was asked for.
    function _failedRead(bytes32 taskCommitment) internal view virtual {}

    /// @dev Body of onlyKind. A function of its own, as the next two: a modifier's code is repeated wherever it is used.
    function _requireKind(HdpStoreKind kind) private view {
        if (storeKind != kind) revert();
    }

    /// @dev Body of onlySatellite.
    function _requireSatellite() private view {
        if (storeKind == HdpStoreKind.EXECUTION_STORE) revert();
    }

    /// @dev Body of onlyOperator.
    function _requireOperator() private view {
        if (!hasRole[OPERATOR_ROLE][msg.sender]) revert Unauthorized();
    }

    /// @dev Fact hash of an execution: keccak256(program hash, keccak256(program output)).
    function _factHash(bytes32 programHash, bytes memory programOutput) internal pure returns (bytes32) {
        return keccak256(abi.encode(programHash, keccak256(programOutput)));
    }
}
