// SPDX-License-Identifier: MIT
pragma solidity ^0.8.22;

import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpForm, HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Fee gate behind a proxy
/// @notice Open while the average base fee that a task computed is low. Store and task are in the implementation's code,
/// which no initializer and no caller sets: to take others is an upgrade, which the owner alone makes.
contract UpgradeableFeeGate is OwnableUpgradeable, UUPSUpgradeable {
    /// @notice The execution store that is asked.
    address public immutable store;
    bytes32 private immutable _taskHash;
    HdpForm private immutable _form;

    /// @notice The last average that was brought.
    uint256 public averageBaseFee;
    /// @notice Whether that average was at most 100 gwei.
    bool public isOpen;

    /// @notice The task's hash is 0: no task has it.
    error NoTask();

    /// @param executionStore The execution store that is asked
    /// @param task The task whose result opens the gate, in the form of that store
    constructor(address executionStore, HdpTask memory task) {
        HdpResults.requireStore(executionStore);
        if (task.hash == 0) revert NoTask();
        store = executionStore;
        (_taskHash, _form) = (task.hash, task.form);
        _disableInitializers();
    }

    /// @notice Sets who may upgrade.
    /// @param owner The owner of the proxy
    function initialize(address owner) external initializer {
        __Ownable_init(owner);
    }

    /// @notice Takes the average from anybody, and reverts unless it is the result.
    /// @param average The average base fee, in wei
    function update(uint256 average) external {
        HdpResults.requireValue(store, feeTask(), average);
        averageBaseFee = average;
        isOpen = average <= 100 gwei;
    }

    /// @notice The task of this implementation.
    /// @return task Its hash and form
    function feeTask() public view returns (HdpTask memory task) {
        return HdpTask(_taskHash, _form);
    }

    function _authorizeUpgrade(address) internal view override {
        _checkOwner();
    }
}
