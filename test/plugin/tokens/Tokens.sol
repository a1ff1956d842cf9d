// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Upgradeable} from "@openzeppelin/contracts-upgradeable/token/ERC20/ERC20Upgradeable.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ERC20 as ERC20Of4} from "openzeppelin-contracts-4/token/ERC20/ERC20.sol";
import {TransparentUpgradeableProxy} from "openzeppelin-contracts-4/proxy/transparent/TransparentUpgradeableProxy.sol";
import {ERC20VotesUpgradeable as VotesOf4} from "openzeppelin-upgradeable-4/token/ERC20/extensions/ERC20VotesUpgradeable.sol";
import {ERC20 as ERC20OfSolmate} from "solmate/src/tokens/ERC20.sol";
import {ERC20 as ERC20OfSolady} from "solady/src/tokens/ERC20.sol";

contract Plain5 is ERC20("Plain", "P") {
    constructor(address holder, uint256 amount) {
        _mint(holder, amount);
    }
}

contract Plain4 is ERC20Of4("Plain", "P") {
    constructor(address holder, uint256 amount) {
        _mint(holder, amount);
    }
}

contract Upgradeable5 is ERC20Upgradeable {
    uint256 public extra;
    constructor() {
        _disableInitializers();
    }
    function initialize(address holder, uint256 amount) external initializer {
        __ERC20_init("Upgradeable", "U");
        _mint(holder, amount);
        extra = 7;
    }
}

contract Upgradeable4 is VotesOf4 {
    function initialize(address holder, uint256 amount) external initializer {
        __ERC20_init("Upgradeable", "U");
        _mint(holder, amount);
    }
}

contract Solmate is ERC20OfSolmate("Solmate", "S", 18) {
    constructor(address holder, uint256 amount) {
        _mint(holder, amount);
    }
}

contract Solady is ERC20OfSolady {
    constructor(address holder, uint256 amount) {
        _mint(holder, amount);
    }
    function name() public pure override returns (string memory) {
        return "Solady";
    }
    function symbol() public pure override returns (string memory) {
        return "S";
    }
}

/// @notice The storage of USDC (FiatTokenV2_2): the balance and whether its holder is blocked share a word at slot 9.
contract UsdcShape {
    address internal owner;
    address internal pauser;
    address internal blacklister;
    mapping(address => bool) internal deprecatedBlacklisted;
    string internal name;
    string internal symbol;
    uint8 internal decimals;
    string internal currency;
    address internal masterMinter;
    bool internal initialized;
    mapping(address => uint256) internal balanceAndBlacklistStates;

    function initialize(address holder, uint256 amount) external {
        require(!initialized);
        initialized = true;
        balanceAndBlacklistStates[holder] = amount;
    }

    function blacklist(address holder) external {
        balanceAndBlacklistStates[holder] |= 1 << 255;
    }

    function balanceOf(address holder) external view returns (uint256) {
        return balanceAndBlacklistStates[holder] & ((1 << 255) - 1);
    }
}

/// @notice A proxy of before ERC-1967, as USDC has.
contract EarlyProxy {
    bytes32 internal constant SLOT = keccak256("org.zeppelinos.proxy.implementation");

    constructor(address implementation) {
        bytes32 slot = SLOT;
        assembly {
            sstore(slot, implementation)
        }
    }

    // solhint-disable-next-line no-complex-fallback
    fallback() external payable {
        bytes32 slot = SLOT;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}

/// @notice The balance is one half of a slot: stETH's and aTokens' kind of record.
contract Packed {
    struct Account {
        uint128 balance;
        uint128 index;
    }
    mapping(address => Account) internal accounts;
    constructor(address holder, uint128 amount) {
        accounts[holder] = Account(amount, 3);
    }
    function balanceOf(address holder) external view returns (uint256) {
        return accounts[holder].balance;
    }
}

/// @notice A balance is computed from shares.
contract Rebasing {
    mapping(address => uint256) internal shares;
    constructor(address holder, uint256 amount) {
        shares[holder] = amount / 2;
    }
    function balanceOf(address holder) external view returns (uint256) {
        return shares[holder] * 2;
    }
}

/// @notice Balances in a nested mapping, which no table of layouts has: MiniMe's and others' own ways.
contract Unusual {
    mapping(uint256 => mapping(address => uint256)) internal balances;
    constructor(address holder, uint256 amount) {
        balances[5][holder] = amount;
    }
    function balanceOf(address holder) external view returns (uint256) {
        return balances[5][holder];
    }
}

/// @notice Balances in another contract, as Synthetix had them.
contract BalancesOfOther {
    mapping(uint256 => mapping(address => uint256)) internal balances;
    constructor(address holder, uint256 amount) {
        balances[9][holder] = amount;
    }
    function at(address holder) external view returns (uint256) {
        return balances[9][holder];
    }
}

contract Apart {
    BalancesOfOther public other;
    constructor(address holder, uint256 amount) {
        other = new BalancesOfOther(holder, amount);
    }
    function balanceOf(address holder) external view returns (uint256) {
        return other.at(holder);
    }
}

contract NoToken {
    uint256 internal one = 1;
}

contract Proxy5 is ERC1967Proxy {
    constructor(address implementation, bytes memory data) ERC1967Proxy(implementation, data) {}
}

contract OfBeacon5 is BeaconProxy {
    constructor(address beacon, bytes memory data) BeaconProxy(beacon, data) {}
}

contract Beacon5 is UpgradeableBeacon {
    constructor(address implementation, address owner) UpgradeableBeacon(implementation, owner) {}
}

contract Transparent4 is TransparentUpgradeableProxy {
    constructor(
        address implementation,
        address admin,
        bytes memory data
    ) TransparentUpgradeableProxy(implementation, admin, data) {}
}

contract Cloner {
    address public clone;
    constructor(address implementation) {
        clone = Clones.clone(implementation);
    }
}
