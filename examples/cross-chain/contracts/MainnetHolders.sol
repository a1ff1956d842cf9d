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

/// @title Admits on one chain those who held enough on another
/// @notice Lives on World Chain and asks for balances on Ethereum: the source chain's id is part of the task hash, so that a
/// balance on any other chain does not count.
contract MainnetHolders {
    uint256 public constant SOURCE_CHAIN = 11155111;
    uint256 public constant MIN_BALANCE = 100 ether;
    address public immutable store;
    HdpForm public immutable form;
    uint256 public immutable snapshot;

    mapping(address account => bool) public admitted;

    error HeldTooLittle(uint256 balance);
    error NoKey();

    constructor(address executionStore, HdpForm taskForm, uint256 snapshotBlock) {
        HdpResults.requireStore(executionStore);
        store = executionStore;
        form = taskForm;
        snapshot = snapshotBlock;
    }

    /// @notice Task of an account's balance on the source chain at the snapshot.
    function balanceTask(address account) public view returns (HdpTask memory) {
        bytes memory balance = HdpSampledProperty.account(account, AccountField.BALANCE);
        return
            HdpTaskHash.inForm(
                form,
                BlockSampledDatalake(SOURCE_CHAIN, snapshot, snapshot, 1, balance),
                ComputationalTask(AggregateFn.MIN, Operator.NONE, 0)
            );
    }

    /// @notice Admits the caller, an account with a key. Reverts with WrongValue for another balance than the task's, and with
    /// NotFinalized while it has no result.
    function enter(uint256 balance) external {
        // A contract's address may be somebody else's on the other chain; who has a key has it on both.
        // solhint-disable-next-line avoid-tx-origin
        if (msg.sender != tx.origin) revert NoKey();
        HdpResults.requireValue(store, balanceTask(msg.sender), balance);
        if (balance < MIN_BALANCE) revert HeldTooLittle(balance);
        admitted[msg.sender] = true;
    }
}
