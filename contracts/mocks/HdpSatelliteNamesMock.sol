// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpSatellite} from "../interfaces/IHdpSatellite.sol";
import {IHdpSatelliteDevelop} from "../interfaces/IHdpSatelliteDevelop.sol";
import {HdpTaskHash} from "../libraries/HdpTaskHash.sol";
import {ModuleTask} from "../libraries/HdpTypes.sol";
import {HdpStorageProofsMock} from "./HdpStorageProofsMock.sol";
import {HdpStoreKind} from "./HdpTaskStateMock.sol";

/// @title HdpSatelliteNamesMock
/// @author The hardhat-hdp authors
/// @notice MOCK: the satellite's functions (names of 2025) over the shared state. Those that user contracts call exist in a
/// mock of that kind only.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpSatelliteNamesMock is HdpStorageProofsMock {
    /// @notice Owner of the satellite's settings: the account that deployed the mock.
    address public immutable owner = msg.sender;

    /// @inheritdoc IHdpSatellite
    mapping(bytes32 programHash => bool) public override isProgramHashAuthorized;

    /// @dev By chain id, MMR id and size.
    mapping(uint256 => mapping(uint256 => mapping(uint256 => bytes32))) private _keccakMmrRoots;

    /// @notice MOCK ONLY: an operator set an MMR root.
    /// @param chainId Chain whose headers the MMR holds
    /// @param mmrId Id of the MMR
    /// @param mmrSize Its size
    /// @param mmrRoot Its Poseidon or keccak root
    event MockMmrRootSet(uint256 indexed chainId, uint256 indexed mmrId, uint256 indexed mmrSize, bytes32 mmrRoot);

    /// @notice Reverts with MustBeContractOwner unless the caller deployed the mock.
    modifier onlyOwner() {
        if (msg.sender != owner) revert MustBeContractOwner();
        _;
    }

    /// @notice MOCK ONLY: authenticateDataProcessorTaskExecution in the shape of the development branch, in a mock of that
    /// kind: see IHdpSatelliteDevelop. Everything else reverts with empty data.
    /// @dev It has the name of the published function: a second function of that name in the ABI would make users choose.
    // solhint-disable-next-line no-complex-fallback
    fallback() external onlyKind(HdpStoreKind.SATELLITE_DEVELOP) {
        if (msg.sig != IHdpSatelliteDevelop.authenticateDataProcessorTaskExecution.selector) revert();
        IHdpSatelliteDevelop.GroupedTaskData memory data;
        data = abi.decode(msg.data[4:], (IHdpSatelliteDevelop.GroupedTaskData));
        IHdpSatelliteDevelop.MmrCollection memory mmrs = data.mmrData;
        _authenticate(data, abi.encode(mmrs.poseidonMmr.length, mmrs.keccakMmr.length));
    }

    /// @inheritdoc IHdpSatellite
    function setDataProcessorProgramHash(bytes32 programHash) external onlyOwner {
        _authorize(programHash);
    }

    /// @inheritdoc IHdpSatellite
    function disableProgramHashes(bytes32[] calldata programHashes) external onlyOwner {
        for (uint256 i = 0; i < programHashes.length; ++i) {
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

    /// @notice MOCK ONLY: sets the keccak root of an MMR of any chain, for a mock of the development branch. Operators only.
    /// @param chainId Chain whose headers the MMR holds
    /// @param mmrId Id of the MMR
    /// @param mmrSize Its size
    /// @param mmrRoot Its keccak root
    function setKeccakMmrRoot(uint256 chainId, uint256 mmrId, uint256 mmrSize, bytes32 mmrRoot) external onlyOperator {
        _keccakMmrRoots[chainId][mmrId][mmrSize] = mmrRoot;
        emit MockMmrRootSet(chainId, mmrId, mmrSize, mmrRoot);
    }

    /// @inheritdoc IHdpSatellite
    function requestDataProcessorExecutionOfTask(ModuleTask calldata moduleTask) external onlySatellite {
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
        if (storeKind == HdpStoreKind.SATELLITE_DEVELOP) revert();
        IHdpSatelliteDevelop.GroupedTaskData memory data;
        data.mmrData.poseidonMmr = taskData.mmrData;
        data.taskResultLow = taskData.taskResultLow;
        data.taskResultHigh = taskData.taskResultHigh;
        data.taskHashLow = taskData.taskHashLow;
        data.taskHashHigh = taskData.taskHashHigh;
        data.programHash = taskData.programHash;
        _authenticate(data, "");
    }

    /// @inheritdoc IHdpSatellite
    function getDataProcessorFinalizedTaskResult(bytes32 taskCommitment) external view onlySatellite returns (bytes32) {
        return _finalizedResult(taskCommitment);
    }

    /// @inheritdoc IHdpSatellite
    function getDataProcessorTaskStatus(bytes32 taskCommitment) external view onlySatellite returns (TaskStatus) {
        return _tasks[taskCommitment].status;
    }

    /// @dev Authorizes a proving program.
    function _authorize(bytes32 programHash) internal {
        isProgramHashAuthorized[programHash] = true;
        emit ProgramHashEnabled(programHash);
    }

    /// @dev Whether the facts registry knows the fact.
    function _isFact(bytes32 fact) internal view virtual returns (bool);

    /// @dev Finalizes the task. `lengths` are the numbers of MMRs, where the proving program's output has them.
    function _authenticate(IHdpSatelliteDevelop.GroupedTaskData memory data, bytes memory lengths) private {
        bytes32 task = _join(data.taskHashHigh, data.taskHashLow);
        bytes32 result = _join(data.taskResultHigh, data.taskResultLow);
        if (_tasks[task].status == TaskStatus.FINALIZED) revert TaskAlreadyFinalized();
        if (!isProgramHashAuthorized[data.programHash]) revert UnauthorizedProgramHash();
        bytes memory output = bytes.concat(
            abi.encode(data.taskHashLow, data.taskHashHigh, data.taskResultLow, data.taskResultHigh),
            lengths,
            _mmrWords(data.mmrData.poseidonMmr, false),
            _mmrWords(data.mmrData.keccakMmr, true)
        );
        if (!_isFact(_factHash(data.programHash, output))) revert InvalidFact();
        _finalize(task, result);
    }

    /// @dev Id, size, chain id and root of each MMR, a keccak root in two halves; InvalidMmrRoot when a root is not known.
    function _mmrWords(MmrData[] memory mmrs, bool isKeccak) private view returns (bytes memory words) {
        for (uint256 i = 0; i < mmrs.length; ++i) {
            MmrData memory mmr = mmrs[i];
            bytes32 root = (isKeccak ? _keccakMmrRoots : cachedMMRsRoots)[mmr.chainId][mmr.mmrId][mmr.mmrSize];
            if (root == 0) revert InvalidMmrRoot();
            words = bytes.concat(words, abi.encode(mmr.mmrId, mmr.mmrSize, mmr.chainId));
            words =
                isKeccak
                    ? bytes.concat(words, abi.encode(uint128(uint256(root)), uint256(root) >> 128))
                    : bytes.concat(words, root);
        }
    }

    /// @dev One word of two 128-bit halves.
    function _join(uint256 high, uint256 low) private pure returns (bytes32) {
        require(high < 1 << 128 && low < 1 << 128, "HdpExecutionStoreMock: half exceeds 128 bits");
        return bytes32((high << 128) | low);
    }
}
