// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpTaskHash} from "hardhat-hdp/contracts/libraries/HdpTaskHash.sol";
import {ModuleTask} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

/// @notice Stands for any contract that somebody else wrote: what it answers is in no storage slot.
contract Staking {
    mapping(address account => uint256) public staked;
    mapping(address account => uint256) public since;

    error PaymentRefused();

    /// @notice Stakes what is sent.
    function stake() external payable {
        staked[msg.sender] += msg.value;
        since[msg.sender] = block.number;
    }

    /// @notice Pays the caller's stake back.
    function unstake() external {
        uint256 stake_ = staked[msg.sender];
        staked[msg.sender] = 0;
        (bool sent, ) = msg.sender.call{value: stake_}("");
        if (!sent) revert PaymentRefused();
    }

    /// @notice An account's stake times the blocks since it last staked.
    function power(address account) external view returns (uint256) {
        return staked[account] * (block.number - since[account]);
    }
}

/// @title Admits by what a view function answered at a past block
/// @notice Derives the task hash of the very call it trusts: this program, this function, this account, this block.
contract ViewGate {
    uint256 public constant SOURCE_CHAIN = 11155111;
    uint256 public constant MIN_POWER = 10 ether;
    address public immutable store;
    bytes32 public immutable program;
    Staking public immutable staking;
    uint256 public immutable snapshot;

    mapping(address account => bool) public admitted;

    error TooLittlePower(uint256 power);
    error NoProgram();
    error NotPast();

    constructor(address executionStore, bytes32 ethCallProgram, Staking stakingContract, uint256 snapshotBlock) {
        HdpResults.requireStore(executionStore);
        if (ethCallProgram == 0) revert NoProgram();
        // With a snapshot ahead, a stake can be made for it. Another chain's blocks are not known here.
        if (block.chainid == SOURCE_CHAIN && snapshotBlock >= block.number) revert NotPast();
        store = executionStore;
        program = ethCallProgram;
        staking = stakingContract;
        snapshot = snapshotBlock;
    }

    /// @notice Task hash of `staking.power(account)` at the snapshot, called by the account itself.
    function powerTask(address account) public view returns (bytes32) {
        bytes memory data = abi.encodeCall(Staking.power, (account));
        // Chain, block, sender, target, and the calldata as its length and its bytes.
        bytes32[] memory inputs = new bytes32[](5 + data.length);
        inputs[0] = bytes32(SOURCE_CHAIN);
        inputs[1] = bytes32(snapshot);
        inputs[2] = bytes32(uint256(uint160(account)));
        inputs[3] = bytes32(uint256(uint160(address(staking))));
        inputs[4] = bytes32(data.length);
        for (uint256 i = 0; i < data.length; ++i) inputs[5 + i] = bytes32(uint256(uint8(data[i])));
        return HdpTaskHash.taskHash(ModuleTask(program, inputs));
    }

    /// @notice Admits the caller by the answer, which is checked against the digest that the module returned. A call that
    /// failed has no digest that passes.
    function enter(uint256 power) external {
        HdpResults.requireDigestOfBytes(store, powerTask(msg.sender), abi.encode(power));
        if (power < MIN_POWER) revert TooLittlePower(power);
        admitted[msg.sender] = true;
    }
}
