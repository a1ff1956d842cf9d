// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpSampledProperty} from "hardhat-hdp/contracts/libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    Operator
} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Counts votes by what each voter held of a token at a past block
/// @notice The token needs no snapshots: its balances mapping is read from storage. The contract derives the task of each
/// voter, so that nobody can vote with the result of another one.
contract Poll {
    uint256 public constant SOURCE_CHAIN = 11155111;
    address public immutable store;
    address public immutable token;
    uint256 public immutable balancesSlot;
    uint256 public immutable snapshot;

    uint256 public yes;
    uint256 public no;
    mapping(address voter => bool) public voted;

    error AlreadyVoted();

    constructor(address executionStore, address votingToken, uint256 slotOfBalances, uint256 snapshotBlock) {
        store = executionStore;
        token = votingToken;
        balancesSlot = slotOfBalances;
        snapshot = snapshotBlock;
    }

    /// @notice Task hash of a voter's balance at the snapshot.
    function powerTask(address voter) public view returns (bytes32) {
        bytes memory balance = HdpSampledProperty.erc20Balance(token, voter, balancesSlot);
        return
            HdpTaskHash.taskHash(
                BlockSampledDatalake(SOURCE_CHAIN, snapshot, snapshot, 1, balance),
                ComputationalTask(AggregateFn.SUM, Operator.NONE, 0)
            );
    }

    /// @notice Votes once with the whole balance; reverts with NotFinalized while the voter's task has no result.
    function vote(bool support) external {
        uint256 power = uint256(HdpResults.read(store, powerTask(msg.sender)));
        if (voted[msg.sender]) revert AlreadyVoted();
        voted[msg.sender] = true;
        if (support) yes += power;
        else no += power;
    }
}
