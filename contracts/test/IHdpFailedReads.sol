// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @title IHdpFailedReads
/// @author The hardhat-hdp authors
/// @notice A test contract that says why a read failed.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpFailedReads {
    /// @notice Logs which task was asked for, and which have results, in words where the test named them.
    /// @param asked Task hash without a result
    /// @param finalized Hashes of the tasks with results, oldest first
    function hdpFailedRead(bytes32 asked, bytes32[] calldata finalized) external view;
}
