// SPDX-License-Identifier: MIT
pragma solidity ^0.8.22;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @title Proxy of the fee gate
/// @notice Keeps the state and calls the implementation.
contract FeeGateProxy is ERC1967Proxy {
    /// @param implementation The first implementation
    /// @param data The call that initializes it
    constructor(address implementation, bytes memory data) ERC1967Proxy(implementation, data) {}
}
