// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpOutputRoot} from "../../../contracts/libraries/HdpOutputRoot.sol";
import {HdpForm} from "../../../contracts/libraries/HdpTypes.sol";

/// @notice Makes the library callable from outside.
contract OutputRootHarness {
    function unorderedRoot(uint256[] memory felts) external pure returns (bytes32) {
        return HdpOutputRoot.unorderedRoot(felts);
    }

    function rootOfFelt(uint256 felt) external pure returns (bytes32) {
        return HdpOutputRoot.rootOfFelt(felt);
    }

    function rootOfMarked(uint128[] memory values) external pure returns (bytes32) {
        return HdpOutputRoot.rootOfMarked(values);
    }

    /// @notice As a contract may have it in memory that was written in assembly: bits above the type's.
    function rootOfUncleanMarked(uint256[] memory words) external pure returns (bytes32) {
        uint128[] memory values;
        assembly ("memory-safe") {
            values := words
        }
        return HdpOutputRoot.rootOfMarked(values);
    }

    function rootOfValue(uint256 value) external pure returns (bytes32) {
        return HdpOutputRoot.rootOfValue(value);
    }

    function digest(uint256[] memory words) external pure returns (uint256) {
        return HdpOutputRoot.digest(words);
    }

    function digestOfBytes(bytes memory data) external pure returns (uint256) {
        return HdpOutputRoot.digestOfBytes(data);
    }

    function wordOf(HdpForm form, uint256 value) external pure returns (bytes32) {
        return HdpOutputRoot.wordOf(form, value);
    }

    function isFelt(uint256 value) external pure returns (bool) {
        return HdpOutputRoot.isFelt(value);
    }
}
