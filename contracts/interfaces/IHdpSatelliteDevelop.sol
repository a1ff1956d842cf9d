// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpSatellite} from "./IHdpSatellite.sol";

/// @title IHdpSatelliteDevelop
/// @author The hardhat-hdp authors
/// @notice What the satellite's development branch has in place of the published function of the same name: an execution
/// is proven against MMRs under Poseidon and under keccak.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpSatelliteDevelop {
    /// @notice The MMRs of an execution, by the hash function of their roots.
    /// @param poseidonMmr MMRs with a Poseidon root
    /// @param keccakMmr MMRs with a keccak root
    struct MmrCollection {
        IHdpSatellite.MmrData[] poseidonMmr;
        IHdpSatellite.MmrData[] keccakMmr;
    }

    /// @notice A proven execution of one task.
    /// @param mmrData MMRs it was proven against
    /// @param taskResultLow Low 128 bits of the result word
    /// @param taskResultHigh High 128 bits of the result word
    /// @param taskHashLow Low 128 bits of the task hash
    /// @param taskHashHigh High 128 bits of the task hash
    /// @param programHash Hash of the proving program
    struct GroupedTaskData {
        MmrCollection mmrData;
        uint256 taskResultLow;
        uint256 taskResultHigh;
        uint256 taskHashLow;
        uint256 taskHashHigh;
        bytes32 programHash;
    }

    /// @notice Finalizes a task whose execution is a known fact. Open to anyone; a request is not needed.
    /// @dev The program's output has the numbers of MMRs of both groups after the four halves. Reverts, in this order:
    /// TaskAlreadyFinalized, UnauthorizedProgramHash, InvalidMmrRoot, InvalidFact.
    /// @param taskData The execution
    function authenticateDataProcessorTaskExecution(GroupedTaskData calldata taskData) external;
}
