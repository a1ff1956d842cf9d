// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpFactsRegistry} from "../interfaces/IHdpFactsRegistry.sol";
import {HdpMockKeepers} from "./HdpMockKeepers.sol";

/// @title HdpFactsRegistryMock
/// @author The hardhat-hdp authors
/// @notice MOCK of a facts registry: a fact is valid because a keeper said so. No proof is verified.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
contract HdpFactsRegistryMock is IHdpFactsRegistry, HdpMockKeepers {
    /// @inheritdoc IHdpFactsRegistry
    mapping(bytes32 fact => bool) public override isValid;

    /// @notice A fact was declared valid.
    /// @param fact Fact hash
    event MockFactRegistered(bytes32 indexed fact);

    /// @param keeper First account that may register facts
    /// @param more More such accounts
    constructor(address keeper, address[] memory more) HdpMockKeepers(keeper, more) {}

    /// @notice Declares a fact valid, without any proof. Keepers only.
    /// @param fact Fact hash
    function registerFact(bytes32 fact) external onlyKeeper {
        isValid[fact] = true;
        emit MockFactRegistered(fact);
    }
}
