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
    Operator
} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Counts votes by what each voter held of a token at a past block
/// @notice The token needs no snapshots: its balances mapping is read from storage. The contract derives the task of each
/// voter, so that nobody can vote with the result of another one.
contract Poll {
    uint256 public constant SOURCE_CHAIN = 11155111;
    address public immutable store;
    HdpForm public immutable form;
    address public immutable token;
    uint256 public immutable balancesSlot;
    uint256 public immutable snapshot;
    /// @notice Time from which nobody may vote.
    uint256 public immutable closesAt;

    uint256 public yes;
    uint256 public no;
    mapping(address voter => bool) public voted;

    error AlreadyVoted();
    error Closed();
    error NotPast();

    constructor(
        address executionStore,
        HdpForm taskForm,
        address votingToken,
        uint256 slotOfBalances,
        uint256 snapshotBlock,
        uint256 closing
    ) {
        HdpResults.requireStore(executionStore);
        if (closing <= block.timestamp) revert Closed();
        // With a snapshot ahead, votes can be bought until then. Another chain's blocks are not known here.
        if (block.chainid == SOURCE_CHAIN && snapshotBlock >= block.number) revert NotPast();
        store = executionStore;
        form = taskForm;
        token = votingToken;
        balancesSlot = slotOfBalances;
        snapshot = snapshotBlock;
        closesAt = closing;
    }

    /// @notice Task of a voter's balance at the snapshot.
    function powerTask(address voter) public view returns (HdpTask memory) {
        bytes memory balance = HdpSampledProperty.erc20Balance(token, voter, balancesSlot);
        return
            HdpTaskHash.inForm(
                form,
                BlockSampledDatalake(SOURCE_CHAIN, snapshot, snapshot, 1, balance),
                ComputationalTask(AggregateFn.SUM, Operator.NONE, 0)
            );
    }

    /// @notice Votes once with the whole balance. Reverts with WrongValue for another balance than the task's, and with
    /// NotFinalized while it has no result.
    function vote(bool support, uint256 power) external {
        if (block.timestamp >= closesAt) revert Closed();
        if (voted[msg.sender]) revert AlreadyVoted();
        HdpResults.requireValue(store, powerTask(msg.sender), power);
        voted[msg.sender] = true;
        if (support) yes += power;
        else no += power;
    }
}
