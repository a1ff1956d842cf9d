// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpAggregatorsFactory} from "../interfaces/IHdpAggregatorsFactory.sol";
import {IHdpFactsRegistry} from "../interfaces/IHdpFactsRegistry.sol";
import {HdpAggregatorsFactoryMock} from "./HdpAggregatorsFactoryMock.sol";
import {HdpExecutionStoreNamesMock} from "./HdpExecutionStoreNamesMock.sol";
import {HdpFactsRegistryMock} from "./HdpFactsRegistryMock.sol";
import {HdpSatelliteNamesMock} from "./HdpSatelliteNamesMock.sol";
import {HdpStoreKind, HdpTaskStateMock} from "./HdpTaskStateMock.sol";

/// @title HdpExecutionStoreMock
/// @author The hardhat-hdp authors
/// @notice MOCK of the contract that keeps finalized results. As the published stores, it is read by the names of its
/// kind only: a satellite by getDataProcessorFinalizedTaskResult, an execution store by getFinalizedTaskResult. What
/// proves and finalizes is there for both kinds. For tests and development only: its operators can finalize any result
/// without a proof.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
contract HdpExecutionStoreMock is HdpExecutionStoreNamesMock, HdpSatelliteNamesMock {
    /// @notice True: results in this contract may not have been proven.
    bool public constant IS_MOCK = true;

    /// @notice Deploys the mock with its own facts registry mock and aggregators factory mock. The deployer is owner,
    /// operator and keeper of both; the other operators are keepers too.
    /// @param programHash Hash of the proving program, authorized from the start
    /// @param chainId Source chain whose MMR roots cacheMmrRoot caches
    /// @param operators More accounts that may finalize
    /// @param kind Kind of store that the mock stands for
    constructor(
        bytes32 programHash,
        uint256 chainId,
        address[] memory operators,
        HdpStoreKind kind
    )
        HdpTaskStateMock(kind)
        HdpExecutionStoreNamesMock(
            IHdpFactsRegistry(new HdpFactsRegistryMock(msg.sender, operators)),
            IHdpAggregatorsFactory(new HdpAggregatorsFactoryMock(msg.sender, operators)),
            programHash,
            chainId
        )
    {
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
