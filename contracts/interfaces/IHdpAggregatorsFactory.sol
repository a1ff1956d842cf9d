// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpFactsAggregator} from "./IHdpFactsAggregator.sol";

/// @title IHdpAggregatorsFactory
/// @author The hardhat-hdp authors
/// @notice Knows the aggregator of each Merkle mountain range (MMR).
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpAggregatorsFactory {
    /// @notice The aggregator of an MMR.
    /// @param id Id of the MMR
    /// @return Its aggregator
    function aggregatorsById(uint256 id) external view returns (IHdpFactsAggregator);
}
