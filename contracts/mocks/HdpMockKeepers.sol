// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @title HdpMockKeepers
/// @author The hardhat-hdp authors
/// @notice Who may change the state of a mock that a test network shares.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpMockKeepers {
    /// @notice Whether an account may change the mock.
    mapping(address account => bool) public isKeeper;

    /// @notice The caller is not a keeper.
    error Unauthorized();

    /// @notice Reverts with Unauthorized unless the caller is a keeper.
    modifier onlyKeeper() {
        if (!isKeeper[msg.sender]) revert Unauthorized();
        _;
    }

    /// @param keeper First keeper
    /// @param more More keepers
    constructor(address keeper, address[] memory more) {
        isKeeper[keeper] = true;
        for (uint256 i = 0; i < more.length; ++i) {
            isKeeper[more[i]] = true;
        }
    }

    /// @notice Adds a keeper. Keepers only.
    /// @param keeper Account
    function addKeeper(address keeper) external onlyKeeper {
        isKeeper[keeper] = true;
    }
}
