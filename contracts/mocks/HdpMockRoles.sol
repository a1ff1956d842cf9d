// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @title HdpMockRoles
/// @author The hardhat-hdp authors
/// @notice Roles with the functions, events and errors of OpenZeppelin's AccessControl, which the published contracts
/// use. Written out here so that the mocks compile in a project without that library.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpMockRoles {
    /// @notice The role that administers every role.
    bytes32 public constant DEFAULT_ADMIN_ROLE = 0x00;

    /// @notice Whether an account has a role.
    mapping(bytes32 role => mapping(address account => bool)) public hasRole;

    /// @notice The role that administers a role.
    mapping(bytes32 role => bytes32) public getRoleAdmin;

    /// @notice An account was given a role.
    /// @param role The role
    /// @param account Account that has it now
    /// @param sender Account that gave it
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);

    /// @notice A role was taken from an account.
    /// @param role The role
    /// @param account Account that had it
    /// @param sender Account that took it
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);

    /// @notice Another role administers a role.
    /// @param role The role
    /// @param previousAdminRole Role that administered it
    /// @param newAdminRole Role that administers it now
    event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole);

    /// @notice The caller lacks the role that the call needs.
    /// @param account The caller
    /// @param neededRole Role that it lacks
    error AccessControlUnauthorizedAccount(address account, bytes32 neededRole);

    /// @notice A role can be renounced for the caller's own account only.
    error AccessControlBadConfirmation();

    /// @notice Reverts with AccessControlUnauthorizedAccount unless the caller has a role.
    /// @param role The role
    modifier onlyRole(bytes32 role) {
        if (!hasRole[role][msg.sender]) revert AccessControlUnauthorizedAccount(msg.sender, role);
        _;
    }

    /// @notice Gives an account a role. The role's administrators only.
    /// @param role Role
    /// @param account Account
    function grantRole(bytes32 role, address account) external onlyRole(getRoleAdmin[role]) {
        _grantRole(role, account);
    }

    /// @notice Takes a role from an account. The role's administrators only.
    /// @param role Role
    /// @param account Account
    function revokeRole(bytes32 role, address account) external onlyRole(getRoleAdmin[role]) {
        _revokeRole(role, account);
    }

    /// @notice Gives up a role.
    /// @param role Role
    /// @param callerConfirmation The caller's own account
    function renounceRole(bytes32 role, address callerConfirmation) external {
        if (callerConfirmation != msg.sender) revert AccessControlBadConfirmation();
        _revokeRole(role, callerConfirmation);
    }

    /// @notice ERC-165: whether an interface is implemented (ERC-165 itself and IAccessControl).
    /// @param interfaceId Interface
    /// @return Whether it is
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == 0x7965db0b;
    }

    /// @dev Lets a role administer another.
    function _setRoleAdmin(bytes32 role, bytes32 adminRole) internal {
        emit RoleAdminChanged(role, getRoleAdmin[role], adminRole);
        getRoleAdmin[role] = adminRole;
    }

    /// @dev Gives an account a role; nothing happens where it has it.
    function _grantRole(bytes32 role, address account) internal {
        if (hasRole[role][account]) return;
        hasRole[role][account] = true;
        emit RoleGranted(role, account, msg.sender);
    }

    /// @dev Takes a role from an account; nothing happens where it does not have it.
    function _revokeRole(bytes32 role, address account) private {
        if (!hasRole[role][account]) return;
        hasRole[role][account] = false;
        emit RoleRevoked(role, account, msg.sender);
    }
}
