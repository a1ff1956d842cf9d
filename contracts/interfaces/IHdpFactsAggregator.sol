// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @title IHdpFactsAggregator
/// @author The hardhat-hdp authors
/// @notice Grows one Merkle mountain range (MMR) of block headers.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
interface IHdpFactsAggregator {
    /// @notice State of the MMR.
    /// @param poseidonMmrRoot Root under the Poseidon hash
    /// @param keccakMmrRoot Root under keccak
    /// @param mmrSize Size
    /// @param continuableParentHash Parent hash of the oldest block in it
    struct AggregatorState {
        bytes32 poseidonMmrRoot;
        bytes32 keccakMmrRoot;
        uint256 mmrSize;
        bytes32 continuableParentHash;
    }

    /// @notice The current state.
    /// @return State
    function aggregatorState() external view returns (AggregatorState memory);
}
