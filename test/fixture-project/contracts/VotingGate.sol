// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpSampledProperty} from "hardhat-hdp/contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {
    AccountField,
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    HdpTask,
    Operator
} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Lets those vote who held enough, long enough
/// @notice A voter's power is the smallest balance they had over a range of blocks. The contract derives the hash of
/// that very task by itself, so nobody can vote with the result of another computation.
contract VotingGate {
    address public immutable store;
    HdpForm public immutable form;
    uint256 public immutable firstBlock;
    uint256 public immutable lastBlock;
    uint256 public constant MIN_BALANCE = 100 ether;

    mapping(address voter => uint256 power) public votes;

    error TooLittlePower(uint256 power);

    constructor(address executionStore, HdpForm taskForm, uint256 first, uint256 last) {
        HdpResults.requireStore(executionStore);
        store = executionStore;
        form = taskForm;
        firstBlock = first;
        lastBlock = last;
    }

    /// @notice The task that computes a voter's power.
    function powerTask(address voter) public view returns (HdpTask memory) {
        return
            HdpTaskHash.inForm(
                form,
                BlockSampledDatalake({
                    chainId: 11155111,
                    blockRangeStart: firstBlock,
                    blockRangeEnd: lastBlock,
                    increment: 1,
                    sampledProperty: HdpSampledProperty.account(voter, AccountField.BALANCE)
                }),
                ComputationalTask({aggregateFnId: AggregateFn.MIN, operatorId: Operator.NONE, valueToCompare: 0})
            );
    }

    /// @notice Votes with the power that the data processor computed, which the voter brings; reverts unless it is the task's,
    /// and while there is no result.
    function vote(uint256 power) external {
        HdpResults.requireValue(store, powerTask(msg.sender), power);
        if (power < MIN_BALANCE) revert TooLittlePower(power);
        votes[msg.sender] = power;
    }
}
