// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @title IHdpFactsRegistry
/// @author The hardhat-hdp authors
/// @notice Registry of proven statements ("facts").
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpFactsRegistry {
    /// @notice Whether a fact was proven.
    /// @param fact Fact hash
    /// @return True when registered
    function isValid(bytes32 fact) external view returns (bool);
}
