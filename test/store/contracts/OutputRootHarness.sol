// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {HdpOutputRoot} from "../../../contracts/libraries/HdpOutputRoot.sol";

/// @notice Makes the library callable from outside.
contract OutputRootHarness {
    function outputRoot(uint256[] memory felts) external pure returns (bytes32) {
        return HdpOutputRoot.outputRoot(felts);
    }

    function ofUint256(uint256 value) external pure returns (bytes32) {
        return HdpOutputRoot.outputRootOfUint256(value);
    }

    function ofFelt(uint256 felt) external pure returns (bytes32) {
        return HdpOutputRoot.outputRootOfFelt(felt);
    }
}
