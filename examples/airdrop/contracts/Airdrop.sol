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

/// @title Gives points for the smallest balance that an account had over several blocks
/// @notice The minimum keeps out those who borrowed for one block. The contract derives the task of each account.
contract Airdrop {
    uint256 public constant SOURCE_CHAIN = 11155111;
    address public immutable store;
    HdpForm public immutable form;
    uint256 public immutable firstBlock;
    uint256 public immutable lastBlock;
    uint256 public immutable step;

    mapping(address account => uint256) public points;
    mapping(address account => bool) public claimed;

    error AlreadyClaimed();
    error TooFewBlocks();

    constructor(address executionStore, HdpForm taskForm, uint256 first, uint256 last, uint256 every) {
        HdpResults.requireStore(executionStore);
        // One sample would credit who borrowed for one block.
        if (every == 0 || first + every > last) revert TooFewBlocks();
        store = executionStore;
        form = taskForm;
        firstBlock = first;
        lastBlock = last;
        step = every;
    }

    /// @notice Task of an account's smallest sampled balance.
    function shareTask(address account) public view returns (HdpTask memory) {
        bytes memory balance = HdpSampledProperty.account(account, AccountField.BALANCE);
        return
            HdpTaskHash.inForm(
                form,
                BlockSampledDatalake(SOURCE_CHAIN, firstBlock, lastBlock, step, balance),
                ComputationalTask(AggregateFn.MIN, Operator.NONE, 0)
            );
    }

    /// @notice Credits an account once, whoever calls. Reverts with WrongValue for another balance than the task's, and with
    /// NotFinalized while it has no result.
    function claim(address account, uint256 balance) external {
        if (claimed[account]) revert AlreadyClaimed();
        HdpResults.requireValue(store, shareTask(account), balance);
        claimed[account] = true;
        points[account] = balance / 1 ether;
    }
}
