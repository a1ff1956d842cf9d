// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpAggregatorsFactory} from "../interfaces/IHdpAggregatorsFactory.sol";
import {IHdpFactsRegistry} from "../interfaces/IHdpFactsRegistry.sol";
import {HdpExecutionStoreNamesMock} from "./HdpExecutionStoreNamesMock.sol";
import {HdpSatelliteNamesMock} from "./HdpSatelliteNamesMock.sol";
import {HdpStoreKind, HdpTaskStateMock} from "./HdpTaskStateMock.sol";

/// @title HdpStoreMock
/// @author The hardhat-hdp authors
/// @notice MOCK of the contract that keeps finalized results, over a facts registry and an aggregators factory that are
/// deployed already.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpStoreMock is HdpExecutionStoreNamesMock, HdpSatelliteNamesMock {
    /// @notice True: results in this contract may not have been proven.
    bool public constant IS_MOCK = true;

    /// @param factsRegistry Registry that is asked for facts
    /// @param aggregatorsFactory Factory that knows the aggregators of MMR roots
    /// @param programHash Hash of the proving program, authorized from the start
    /// @param chainId Source chain whose MMR roots cacheMmrRoot caches
    /// @param operators More accounts than the deployer that may finalize
    /// @param kind Kind of store that the mock stands for
    constructor(
        IHdpFactsRegistry factsRegistry,
        IHdpAggregatorsFactory aggregatorsFactory,
        bytes32 programHash,
        uint256 chainId,
        address[] memory operators,
        HdpStoreKind kind
    ) HdpTaskStateMock(kind) HdpExecutionStoreNamesMock(factsRegistry, aggregatorsFactory, programHash, chainId) {
        // As published, operators appoint operators.
        _setRoleAdmin(OPERATOR_ROLE, OPERATOR_ROLE);
        _grantRole(OPERATOR_ROLE, msg.sender);
        for (uint256 i = 0; i < operators.length; ++i) {
            _grantRole(OPERATOR_ROLE, operators[i]);
        }
        _authorize(programHash);
    }

    /// @inheritdoc HdpSatelliteNamesMock
    function _isFact(bytes32 fact) internal view override returns (bool) {
        return SHARP_FACTS_REGISTRY.isValid(fact);
    }
}
