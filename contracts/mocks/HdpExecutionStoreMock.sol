// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpAggregatorsFactoryMock} from "./HdpAggregatorsFactoryMock.sol";
import {HdpFactsRegistryMock} from "./HdpFactsRegistryMock.sol";
import {HdpStoreMock} from "./HdpStoreMock.sol";
import {HdpStoreKind} from "./HdpTaskStateMock.sol";

/// @title HdpExecutionStoreMock
/// @author The hardhat-hdp authors
/// @notice MOCK of the contract that keeps finalized results. As the published stores, it is read by the names of its
/// kind only: a satellite by getDataProcessorFinalizedTaskResult, an execution store by getFinalizedTaskResult. What
/// proves and finalizes is there for both kinds. For tests and development only: its operators can finalize any result
/// without a proof.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
contract HdpExecutionStoreMock is HdpStoreMock {
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
        HdpStoreMock(
            new HdpFactsRegistryMock(msg.sender, operators),
            new HdpAggregatorsFactoryMock(msg.sender, operators),
            programHash,
            chainId,
            operators,
            kind
        )
    {}
}
