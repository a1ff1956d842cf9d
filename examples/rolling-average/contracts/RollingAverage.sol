// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpSampledProperty} from "hardhat-hdp/contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    HdpTask,
    HeaderField,
    Operator
} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Keeps the average base fee of each period of 10 blocks
/// @notice Period n has the blocks 10 * n to 10 * n + 9. The contract derives the task of each period, so that nobody can bring
/// the average of other blocks.
contract RollingAverage {
    uint256 public constant SOURCE_CHAIN = 11155111;
    uint256 public constant PERIOD = 10;
    address public immutable store;
    HdpForm public immutable form;

    uint256 public latestPeriod;
    uint256 public latestAverage;
    mapping(uint256 period => uint256) public averages;
    /// @notice How often a period was brought: a second time changes nothing and costs gas.
    mapping(uint256 period => uint256) public deliveries;

    constructor(address executionStore, HdpForm taskForm) {
        HdpResults.requireStore(executionStore);
        store = executionStore;
        form = taskForm;
    }

    /// @notice Task of a period.
    function averageTask(uint256 period) public view returns (HdpTask memory) {
        bytes memory baseFee = HdpSampledProperty.header(HeaderField.BASE_FEE_PER_GAS);
        uint256 first = period * PERIOD;
        return
            HdpTaskHash.inForm(
                form,
                BlockSampledDatalake(SOURCE_CHAIN, first, first + PERIOD - 1, 1, baseFee),
                ComputationalTask(AggregateFn.AVG, Operator.NONE, 0)
            );
    }

    /// @notice Keeps the average of a period. Anybody may bring it: the call reverts unless it is the result of the task.
    function update(uint256 period, uint256 average) external {
        HdpResults.requireValue(store, averageTask(period), average);
        ++deliveries[period];
        averages[period] = average;
        if (period < latestPeriod) return;
        latestPeriod = period;
        latestAverage = average;
    }
}
