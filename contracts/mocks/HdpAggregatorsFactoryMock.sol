// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpAggregatorsFactory} from "../interfaces/IHdpAggregatorsFactory.sol";
import {IHdpFactsAggregator} from "../interfaces/IHdpFactsAggregator.sol";
import {HdpAggregatorMock} from "./HdpAggregatorMock.sol";
import {HdpMockKeepers} from "./HdpMockKeepers.sol";

/// @title HdpAggregatorsFactoryMock
/// @author The hardhat-hdp authors
/// @notice MOCK of the aggregators factory: keepers set the state of any Merkle mountain range (MMR).
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
contract HdpAggregatorsFactoryMock is IHdpAggregatorsFactory, HdpMockKeepers {
    mapping(uint256 mmrId => HdpAggregatorMock) private _aggregators;

    /// @param keeper First account that may set states
    /// @param more More such accounts
    constructor(address keeper, address[] memory more) HdpMockKeepers(keeper, more) {}

    /// @notice Sets the state of an MMR, with a new aggregator on first use. Keepers only.
    /// @param mmrId Id of the MMR
    /// @param state New state
    function setAggregatorState(uint256 mmrId, IHdpFactsAggregator.AggregatorState calldata state) external onlyKeeper {
        HdpAggregatorMock aggregator = _aggregators[mmrId];
        if (address(aggregator) == address(0)) {
            aggregator = new HdpAggregatorMock();
            _aggregators[mmrId] = aggregator;
        }
        aggregator.setState(state);
    }

    /// @inheritdoc IHdpAggregatorsFactory
    function aggregatorsById(uint256 id) external view returns (IHdpFactsAggregator) {
        return _aggregators[id];
    }
}
