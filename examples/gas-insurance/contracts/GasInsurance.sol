// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";

/// @title Pays the insured when gas was expensive over a range of blocks, and the insurer otherwise
/// @notice The task is fixed at deployment, before its blocks exist, so that neither party can choose the blocks.
contract GasInsurance {
    address public immutable store;
    bytes32 public immutable feeTask;
    uint256 public immutable strike;
    address payable public immutable insurer;
    address payable public immutable insured;

    event Settled(uint256 averageBaseFee, address paidTo);

    constructor(address executionStore, bytes32 averageFeeTask, uint256 strikeFee, address payable insuredParty) payable {
        store = executionStore;
        feeTask = averageFeeTask;
        strike = strikeFee;
        insurer = payable(msg.sender);
        insured = insuredParty;
    }

    /// @notice Pays all to one of the two; anybody may call it. Reverts with NotFinalized while there is no result.
    function settle() external {
        uint256 average = uint256(HdpResults.read(store, feeTask));
        address payable winner = average > strike ? insured : insurer;
        emit Settled(average, winner);
        (bool sent, ) = winner.call{value: address(this).balance}("");
        require(sent, "the winner refuses the payment");
    }
}
