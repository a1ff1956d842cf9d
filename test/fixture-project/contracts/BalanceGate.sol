// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {HdpForm, HdpTask, ModuleTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @title Lets those in whose balance, summed over blocks by a module, was high enough
/// @notice Derives the task hash of the very module run it trusts: this program, this account, these blocks. The store
/// keeps a root over the marked halves that the module returned, so the sum comes from the caller and is checked.
contract BalanceGate {
    address public immutable store;
    bytes32 public immutable programHash;
    uint256 public immutable firstBlock;
    uint256 public immutable lastBlock;
    uint256 public constant MIN_SUM = 100 ether;

    mapping(address account => uint256 sum) public admitted;

    error TooLittle(uint256 sum);
    error NoProgram();

    constructor(address executionStore, bytes32 program, uint256 first, uint256 last) {
        HdpResults.requireStore(executionStore);
        if (program == 0) revert NoProgram();
        store = executionStore;
        programHash = program;
        firstBlock = first;
        lastBlock = last;
    }

    /// @notice Hash of the task that sums an account's balance: inputs are chain id, account, first and last block.
    function sumTask(address account) public view returns (bytes32) {
        bytes32[] memory inputs = new bytes32[](4);
        inputs[0] = bytes32(uint256(11155111));
        inputs[1] = bytes32(uint256(uint160(account)));
        inputs[2] = bytes32(firstBlock);
        inputs[3] = bytes32(lastBlock);
        return HdpTaskHash.taskHash(ModuleTask({programHash: programHash, inputs: inputs}));
    }

    /// @notice Admits the caller with the sum the module returned; reverts for any other sum.
    function enter(uint256 sum) external {
        HdpResults.requireValue(store, HdpTask(sumTask(msg.sender), HdpForm.Module), sum);
        if (sum < MIN_SUM) revert TooLittle(sum);
        admitted[msg.sender] = sum;
    }
}
