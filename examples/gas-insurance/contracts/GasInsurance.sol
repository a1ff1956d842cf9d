// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {IHdpTaskStore} from "hardhat-hdp/contracts/interfaces/IHdpTaskStore.sol";
import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Pays the insured when gas was expensive over a range of blocks, and the insurer otherwise
/// @notice Task and form are fixed at deployment, and the task must have no result yet. That its blocks do not exist yet is
/// no fact that this chain knows: the insured checks the task's range before relying on the contract.
contract GasInsurance {
    address public immutable store;
    HdpTask public feeTask;
    uint256 public immutable strike;
    address payable public immutable insurer;
    address payable public immutable insured;
    /// @notice Time from which the insurer may take the money back if nobody settled.
    uint256 public immutable settleBy;
    address public paidTo;

    event Settled(uint256 averageBaseFee, address indexed paidTo);

    error AlreadySettled();
    error NobodyInsured();
    error NoTask();
    error NoTimeToSettle();
    error ResultIsKnown();
    error NotYet(uint256 settleBy);
    error PaymentRefused(address winner);

    constructor(
        address executionStore,
        HdpTask memory averageFeeTask,
        uint256 strikeFee,
        address payable insuredParty,
        uint256 settlementEnds
    ) payable {
        if (insuredParty == address(0)) revert NobodyInsured();
        if (averageFeeTask.hash == 0) revert NoTask();
        // The insurer could take the money back at once.
        if (settlementEnds <= block.timestamp) revert NoTimeToSettle();
        // Reverts with NotAStore where there is no store.
        if (HdpResults.status(executionStore, averageFeeTask.hash) == IHdpTaskStore.TaskStatus.FINALIZED) {
            revert ResultIsKnown();
        }
        store = executionStore;
        feeTask = averageFeeTask;
        strike = strikeFee;
        insurer = payable(msg.sender);
        insured = insuredParty;
        settleBy = settlementEnds;
    }

    /// @notice Pays all to one of the two, once; anybody may bring the average. Reverts with WrongValue for another one, and
    /// with NotFinalized while there is no result.
    function settle(uint256 average) external {
        if (paidTo != address(0)) revert AlreadySettled();
        HdpResults.requireValue(store, feeTask, average);
        address payable winner = average > strike ? insured : insurer;
        emit Settled(average, winner);
        _pay(winner);
    }

    /// @notice Gives the money back to the insurer once the time to settle is over, so that it is not locked for ever where
    /// the task has no result. Until then anybody may submit the task and settle; afterwards too, if it is first.
    function refund() external {
        if (paidTo != address(0)) revert AlreadySettled();
        if (block.timestamp < settleBy) revert NotYet(settleBy);
        _pay(insurer);
    }

    /// @dev Ends the contract before it pays: the winner's code may call it again.
    function _pay(address payable winner) private {
        paidTo = winner;
        (bool sent, ) = winner.call{value: address(this).balance}("");
        if (!sent) revert PaymentRefused(winner);
    }
}
