// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpExecutionStore} from "../../../contracts/interfaces/IHdpExecutionStore.sol";
import {HdpOutputRoot} from "../../../contracts/libraries/HdpOutputRoot.sol";
import {HdpResults} from "../../../contracts/libraries/HdpResults.sol";
import {HdpSampledProperty} from "../../../contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "../../../contracts/libraries/HdpTaskHash.sol";
import {
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HeaderField,
    Operator
} from "../../../contracts/libraries/HdpTypes.sol";

/// @notice Gas of the libraries' functions, and of the same written by hand for the one case.
contract GasHarness {
    function unorderedRoot(uint256 count) external view returns (uint256 gasUsed) {
        uint256[] memory felts = new uint256[](count);
        for (uint256 i = 0; i < count; ++i) felts[i] = i * 3;
        uint256 before = gasleft();
        HdpOutputRoot.unorderedRoot(felts);
        return before - gasleft();
    }

    function rootOfMarked(uint256 count) external view returns (uint256 gasUsed) {
        uint128[] memory values = new uint128[](count);
        uint256 before = gasleft();
        HdpOutputRoot.rootOfMarked(values);
        return before - gasleft();
    }

    /// @notice Of a datalake's hash by the library, and by hand.
    function taskHash(uint256 from, uint256 to) external view returns (uint256 library_, uint256 byHand) {
        bytes memory property = HdpSampledProperty.header(HeaderField.BASE_FEE_PER_GAS);
        BlockSampledDatalake memory datalake = BlockSampledDatalake(11155111, from, to, 1, property);
        ComputationalTask memory compute = ComputationalTask(AggregateFn.AVG, Operator.NONE, 0);
        uint256 before = gasleft();
        bytes32 task = HdpTaskHash.taskHash(datalake, compute);
        library_ = before - gasleft();
        before = gasleft();
        bytes32 encoded = keccak256(
            abi.encode(
                uint256(0),
                datalake.chainId,
                datalake.blockRangeStart,
                datalake.blockRangeEnd,
                datalake.increment,
                datalake.sampledProperty
            )
        );
        bytes32 other = keccak256(
            abi.encode(encoded, compute.aggregateFnId, compute.operatorId, compute.valueToCompare)
        );
        byHand = before - gasleft();
        require(task == other, "another hash");
    }

    /// @notice Of reading an execution store by the library, and by the store's own function.
    function readExecutionStore(address store, bytes32 task) external view returns (uint256 library_, uint256 byHand) {
        HdpResults.read(store, task);
        uint256 before = gasleft();
        HdpResults.read(store, task);
        library_ = before - gasleft();
        before = gasleft();
        IHdpExecutionStore(store).getFinalizedTaskResult(task);
        byHand = before - gasleft();
    }
}
