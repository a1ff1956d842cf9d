// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpResults} from "hardhat-hdp/contracts/libraries/HdpResults.sol";
import {HdpForge} from "hardhat-hdp/contracts/test/HdpForge.sol";

interface IPranks {
    function prank(address sender, address origin) external;
}

/// @notice Brings to a contract what is not proven, and then what is.
abstract contract Claims is HdpForge {
    IPranks private constant PRANKS = IPranks(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @notice An account with a key, which makes the calls.
    address internal constant ANYBODY = address(0xa11ce);

    /// @dev Expects the first call to be refused for its value or output, and the second one to be taken.
    function _bring(address contract_, bytes memory wrong, bytes memory right) internal {
        PRANKS.prank(ANYBODY, ANYBODY);
        (bool isTaken, bytes memory reason) = contract_.call(wrong);
        bytes4 name = bytes4(reason);
        bool isNamed = name == HdpResults.WrongValue.selector || name == HdpResults.WrongOutput.selector;
        require(!isTaken && isNamed, "took what is not proven");
        PRANKS.prank(ANYBODY, ANYBODY);
        (isTaken, ) = contract_.call(right);
        require(isTaken, "refused what is proven");
    }

    /// @dev Expects a call to be refused by an error of this name.
    function _refuse(address contract_, bytes memory data, bytes4 name) internal {
        (bool isTaken, bytes memory reason) = contract_.call(data);
        require(!isTaken && bytes4(reason) == name, "taken, or refused for something else");
    }

    /// @dev A value that is not the proven one.
    function _another(uint256 value, uint256 proven) internal pure returns (uint256) {
        return value == proven ? ~proven : value;
    }
}
