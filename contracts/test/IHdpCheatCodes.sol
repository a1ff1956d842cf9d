// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @title IHdpCheatCodes
/// @author The hardhat-hdp authors
/// @notice The cheat codes that HdpTest and HdpForge use, so that they need no forge-std.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpCheatCodes {
    /// @notice What a command did.
    /// @param exitCode Its exit code
    /// @param stdout What it printed
    /// @param stderr What it printed as errors
    struct FfiResult {
        int32 exitCode;
        bytes stdout;
        bytes stderr;
    }

    /// @notice Runs a command; needs `ffi = true`.
    /// @param command The program and its arguments
    /// @return What it did
    function tryFfi(string[] calldata command) external returns (FfiResult memory);

    /// @notice Writes a storage slot.
    /// @param target The account
    /// @param slot The slot
    /// @param value Its new word
    function store(address target, bytes32 slot, bytes32 value) external;

    /// @notice Sets an account's code.
    /// @param target The account
    /// @param code Its new code
    function etch(address target, bytes calldata code) external;

    /// @notice Names an account in traces.
    /// @param account The account
    /// @param name Its name
    function label(address account, string calldata name) external;

    /// @notice Counts no gas until resumeGasMetering.
    function pauseGasMetering() external;

    /// @notice Counts gas again.
    function resumeGasMetering() external;

    /// @notice Ends a started prank.
    function stopPrank() external;

    /// @notice Lets an account make the next call.
    /// @param sender Its `msg.sender`
    /// @param origin Its `tx.origin`
    function prank(address sender, address origin) external;

    /// @notice Lets an account make all calls until stopPrank.
    /// @param sender Their `msg.sender`
    /// @param origin Their `tx.origin`
    function startPrank(address sender, address origin) external;

    /// @notice Who makes the calls of a test.
    /// @return mode Kind of prank: see HdpTest
    /// @return sender Their `msg.sender`
    /// @return origin Their `tx.origin`
    function readCallers() external view returns (uint256 mode, address sender, address origin);

    /// @notice Reads a storage slot.
    /// @param target The account
    /// @param slot The slot
    /// @return Its word
    function load(address target, bytes32 slot) external view returns (bytes32);

    /// @notice Reads a boolean of a JSON text.
    /// @param json The text
    /// @param key Its path, such as `.a.b`
    /// @return The value
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);

    /// @notice Reads a word of a JSON text.
    /// @param json The text
    /// @param key Its path, such as `.a.b`
    /// @return The value
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);

    /// @notice Reads a number of a JSON text.
    /// @param json The text
    /// @param key Its path, such as `.a.b`
    /// @return The value
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
}
