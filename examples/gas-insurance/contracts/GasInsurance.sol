// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Pays the insured when gas was expensive over a range of blocks, and the insurer otherwise
/// @notice Task and form are fixed at deployment, before the blocks exist, so that neither party can choose the blocks.
contract GasInsurance {
    address public immutable store;
    HdpTask public feeTask;
    uint256 public immutable strike;
    address payable public immutable insurer;
    address payable public immutable insured;
    address public paidTo;

    event Settled(uint256 averageBaseFee, address paidTo);

    error AlreadySettled();

    constructor(
        address executionStore,
        HdpTask memory averageFeeTask,
        uint256 strikeFee,
        address payable insuredParty
    ) payable {
        store = executionStore;
        feeTask = averageFeeTask;
        strike = strikeFee;
        insurer = payable(msg.sender);
        insured = insuredParty;
    }

    /// @notice Pays all to one of the two, once; anybody may bring the average. Reverts with WrongValue for another one, and
    /// with NotFinalized while there is no result.
    function settle(uint256 average) external {
        if (paidTo != address(0)) revert AlreadySettled();
        HdpResults.requireValue(store, feeTask, average);
        address payable winner = average > strike ? insured : insurer;
        paidTo = winner;
        emit Settled(average, winner);
        (bool sent, ) = winner.call{value: address(this).balance}("");
        require(sent, "the winner refuses the payment");
    }
}
