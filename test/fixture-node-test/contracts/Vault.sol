// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

/// @notice Variables of all the kinds that have a slot.
contract Vault {
    struct Account {
        uint128 low;
        uint128 high;
        uint256 balance;
    }

    uint256 public total = 5;
    uint64 public first = 1;
    uint64 public second = 2;
    mapping(address => Account) public accounts;
    mapping(string => mapping(uint256 => uint256)) public named;

    function put(address holder, uint256 balance, string calldata name, uint256 key) external {
        accounts[holder] = Account(1, 2, balance);
        named[name][key] = balance + 1;
    }
}
