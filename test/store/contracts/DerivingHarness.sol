// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpResults} from "../../../contracts/libraries/HdpResults.sol";
import {HdpSampledProperty} from "../../../contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "../../../contracts/libraries/HdpTaskHash.sol";
import {
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    Operator
} from "../../../contracts/libraries/HdpTypes.sol";

/// @notice Keeps the hash of what it is made with.
contract KeepingHarness {
    bytes32 public kept;

    constructor(bytes memory preimage) {
        kept = keccak256(preimage);
    }
}

/// @notice Derives hashes of tasks from whatever it is given, right or wrong, and reads their results.
contract DerivingHarness {
    bytes32 public kept;

    constructor(bytes memory preimage) {
        kept = keccak256(preimage);
    }

    function keep(bytes calldata preimage) external {
        kept = keccak256(preimage);
    }

    function readKept(address store) external view returns (bytes32) {
        return HdpResults.read(store, kept);
    }

    function readHashed(address store, bytes calldata preimage) external view returns (bytes32) {
        return HdpResults.read(store, keccak256(preimage));
    }

    function readDatalake(
        address store,
        bytes calldata datalake,
        bytes calldata compute
    ) external view returns (bytes32) {
        return HdpResults.read(store, keccak256(bytes.concat(keccak256(datalake), compute)));
    }

    /// @notice The allowance of a spender, by an owner: a nested mapping.
    function readAllowance(
        address store,
        address token,
        address outer,
        address inner,
        uint256 mapping_
    ) external view returns (bytes32) {
        bytes32 slot = HdpSampledProperty.mappingSlot(uint256(HdpSampledProperty.mappingSlot(mapping_, outer)), inner);
        bytes memory property = HdpSampledProperty.storageSlot(token, slot);
        BlockSampledDatalake memory datalake = BlockSampledDatalake(11155111, 4, 9, 1, property);
        ComputationalTask memory compute = ComputationalTask(AggregateFn.MAX, Operator.NONE, 0);
        return HdpResults.read(store, HdpTaskHash.taskHash(datalake, compute));
    }

    /// @notice The result of a task that another contract hashes, made by this one.
    function readMade(address store, bytes calldata preimage) external returns (bytes32) {
        KeepingHarness made = new KeepingHarness(preimage);
        return HdpResults.read(store, made.kept());
    }

    /// @notice The result of a task of which another call returns what is hashed.
    function readEchoed(address store, bytes calldata preimage) external view returns (bytes32) {
        return HdpResults.read(store, keccak256(this.echo(preimage)));
    }

    function echo(bytes calldata data) external pure returns (bytes memory) {
        return data;
    }
}
