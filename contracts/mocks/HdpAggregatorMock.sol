// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpFactsAggregator} from "../interfaces/IHdpFactsAggregator.sol";

/// @title HdpAggregatorMock
/// @author The hardhat-hdp authors
/// @notice MOCK of an aggregator: its state is whatever the factory mock that created it sets. It grows nothing.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
contract HdpAggregatorMock is IHdpFactsAggregator {
    address private immutable _factory = msg.sender;

    AggregatorState private _state;

    /// @notice The caller is not the factory that created the aggregator.
    error Unauthorized();

    /// @notice Replaces the state. The factory mock only.
    /// @param state New state
    function setState(AggregatorState calldata state) external {
        if (msg.sender != _factory) revert Unauthorized();
        _state = state;
    }

    /// @inheritdoc IHdpFactsAggregator
    function aggregatorState() external view returns (AggregatorState memory) {
        return _state;
    }
}
