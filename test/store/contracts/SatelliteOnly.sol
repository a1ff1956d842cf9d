// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {HdpExecutionStoreMock} from "../../../contracts/mocks/HdpExecutionStoreMock.sol";

/// @notice Answers to the satellite's two reading functions only, as a deployed satellite does.
contract SatelliteOnly {
    HdpExecutionStoreMock private immutable _STORE;

    constructor(HdpExecutionStoreMock store) {
        _STORE = store;
    }

    function getDataProcessorTaskStatus(bytes32 task) external view returns (uint8) {
        return uint8(_STORE.getDataProcessorTaskStatus(task));
    }

    function getDataProcessorFinalizedTaskResult(bytes32 task) external view returns (bytes32) {
        return _STORE.getDataProcessorFinalizedTaskResult(task);
    }
}
