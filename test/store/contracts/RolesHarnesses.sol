// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";

import {HdpMockRoles} from "../../../contracts/mocks/HdpMockRoles.sol";

/// @notice The mock's roles, set up as in the execution store.
contract OwnRoles is HdpMockRoles {
    constructor(bytes32 role, bytes32 adminRole) {
        _setRoleAdmin(role, adminRole);
        _grantRole(role, msg.sender);
        _grantRole(adminRole, msg.sender);
    }
}

/// @notice The same over the library.
contract LibraryRoles is AccessControl {
    constructor(bytes32 role, bytes32 adminRole) {
        _setRoleAdmin(role, adminRole);
        _grantRole(role, msg.sender);
        _grantRole(adminRole, msg.sender);
    }
}
