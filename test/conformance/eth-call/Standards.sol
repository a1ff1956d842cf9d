// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {UpgradeableBeacon} from "@openzeppelin/contracts/proxy/beacon/UpgradeableBeacon.sol";
import {TransparentUpgradeableProxy} from "@openzeppelin/contracts/proxy/transparent/TransparentUpgradeableProxy.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";

contract Items is ERC1155("https://items/{id}") {
    constructor(address holder) {
        _mint(holder, 1, 10, "");
        _mint(holder, 2, 20, "");
    }
}

contract Share is ERC20, ERC20Permit, ERC20Votes {
    constructor(address holder) ERC20("Share", "SHR") ERC20Permit("Share") {
        _mint(holder, 1000 ether);
        _delegate(holder, holder);
    }
    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) {
        super._update(from, to, value);
    }
    function nonces(address owner) public view override(ERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }
}

contract Vault is ERC4626 {
    constructor(IERC20 asset_) ERC20("Vault", "VLT") ERC4626(asset_) {
        _mint(msg.sender, 3 ether);
    }
}

contract Royalty is ERC2981 {
    constructor(address receiver) {
        _setDefaultRoyalty(receiver, 250);
    }
}

contract Box {
    uint256 public value;
    address public maker;
    function initialize(uint256 value_) external {
        value = value_;
        maker = msg.sender;
    }
    function double() external view returns (uint256) {
        return value * 2;
    }
    function refuse() external view {
        revert(string.concat("box ", Strings.toString(value)));
    }
}

contract Boxes {
    address public immutable template;
    address public immutable beacon;
    address public immutable clone;
    address public immutable fixedClone;
    address public immutable beaconProxy;
    address public immutable transparent;

    constructor(address template_) {
        template = template_;
        beacon = address(new UpgradeableBeacon(template_, msg.sender));
        clone = Clones.clone(template_);
        fixedClone = Clones.cloneDeterministic(template_, bytes32(uint256(5)));
        beaconProxy = address(new BeaconProxy(beacon, abi.encodeCall(Box.initialize, (13))));
        transparent = address(
            new TransparentUpgradeableProxy(template_, msg.sender, abi.encodeCall(Box.initialize, (17)))
        );
        Box(clone).initialize(7);
        Box(fixedClone).initialize(11);
    }
    function predicted() external view returns (address) {
        return Clones.predictDeterministicAddress(template, bytes32(uint256(5)));
    }
}

contract Roles is AccessControl, Ownable, Multicall {
    using EnumerableSet for EnumerableSet.UintSet;
    EnumerableSet.UintSet private set;
    bytes32 public constant KEEPER = keccak256("KEEPER");

    constructor(address owner) Ownable(owner) {
        _grantRole(DEFAULT_ADMIN_ROLE, owner);
        _grantRole(KEEPER, owner);
        for (uint256 i = 0; i < 4; ++i) set.add(i * i + 1);
    }
    function kept() external view onlyRole(KEEPER) returns (uint256) {
        return set.length();
    }
    function owned() external view onlyOwner returns (bool) {
        return true;
    }
    function values() external view returns (uint256[] memory) {
        return set.values();
    }
    function contains(uint256 value) external view returns (bool) {
        return set.contains(value);
    }
}

contract Tools {
    using Strings for uint256;
    uint256 private transient counted;
    struct Point {
        uint256 x;
        int128 y;
        string name;
    }

    function decimal(uint256 value) external pure returns (string memory) {
        return value.toString();
    }
    function hexadecimal(uint256 value) external pure returns (string memory) {
        return value.toHexString();
    }
    function base64(bytes calldata data) external pure returns (string memory) {
        return Base64.encode(data);
    }
    function root(uint256 value) external pure returns (uint256) {
        return Math.sqrt(value);
    }
    function log2(uint256 value) external pure returns (uint256) {
        return Math.log2(value);
    }
    function mulDiv(uint256 a, uint256 b, uint256 c) external pure returns (uint256) {
        return Math.mulDiv(a, b, c);
    }
    function cast(uint256 value) external pure returns (uint64) {
        return SafeCast.toUint64(value);
    }
    function merkle(bytes32[] calldata proof, bytes32 tree, bytes32 leaf) external pure returns (bool) {
        return MerkleProof.verify(proof, tree, leaf);
    }
    function points(Point[] calldata list) external pure returns (Point memory last, uint256 count) {
        return (list[list.length - 1], list.length);
    }
    function packed(uint8 a, bytes3 b, string calldata c) external pure returns (bytes memory, bytes32) {
        bytes memory all = abi.encodePacked(a, b, c);
        return (all, sha(all));
    }
    function sha(bytes memory data) internal pure returns (bytes32) {
        return keccak256(data);
    }
    function selectors() external pure returns (bytes4, bytes4) {
        return (this.decimal.selector, type(IERC20).interfaceId);
    }
    function creation(address to) external view returns (uint256, uint256) {
        return (to.code.length, address(this).code.length);
    }
    function byteAt(uint256 index, uint256 value) external pure returns (uint256 result) {
        assembly {
            result := byte(index, value)
        }
    }
    function shifts(uint256 by, uint256 value) external pure returns (uint256 l, uint256 r, uint256 s, uint256 e) {
        assembly {
            l := shl(by, value)
            r := shr(by, value)
            s := sar(by, value)
            e := signextend(by, value)
        }
    }
    function copied(address from, uint256 offset, uint256 length) external view returns (bytes memory code) {
        code = new bytes(length);
        assembly {
            extcodecopy(from, add(code, 32), offset, length)
        }
    }
    function moved(uint256 length) external pure returns (uint256 result) {
        assembly {
            mstore(0, 0x1234)
            mcopy(length, 0, 32)
            result := mload(length)
        }
    }
    function remembered(uint256 value) external returns (uint256) {
        counted = value;
        counted += 1;
        return counted;
    }
    function logged(uint256 value) external {
        assembly {
            log1(0, 0, value)
        }
    }
    function returned(address to, bytes calldata data) external view returns (uint256 size, bool ok) {
        (ok, ) = to.staticcall(data);
        assembly {
            size := returndatasize()
        }
    }
    function outOfReturned(address to) external view returns (uint256 word) {
        assembly {
            pop(staticcall(gas(), to, 0, 0, 0, 0))
            returndatacopy(0, 0, 0x10000)
            word := mload(0)
        }
    }
    /// Whether a call that ends exceptionally succeeded, where its data is not looked at.
    function swallowed(bytes calldata data) external view returns (bool ok) {
        (ok, ) = address(this).staticcall{gas: 100000}(data);
    }
    /// Four words that count their bytes, of which one is overwritten at an offset.
    function stored(uint256 offset) external pure returns (bytes32 a, bytes32 b, bytes32 c, bytes32 d) {
        assembly {
            mstore(0x80, 0x0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20)
            mstore(0xa0, 0x2122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f40)
            mstore(0xc0, 0x4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f60)
            mstore(0xe0, 0x6162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80)
            mstore(add(0x80, offset), not(0))
            a := mload(0x80)
            b := mload(0xa0)
            c := mload(0xc0)
            d := mload(0xe0)
        }
    }
    function joined(bytes[] calldata parts) external pure returns (bytes[] memory all) {
        all = new bytes[](parts.length);
        for (uint256 i = 0; i < parts.length; ++i) all[i] = bytes.concat(parts[i], new bytes(0));
    }
    function invalid() external pure {
        assembly {
            invalid()
        }
    }
    function tooMuchMemory(uint256 offset) external pure returns (uint256 word) {
        assembly {
            word := mload(offset)
        }
    }
    function tooMuchHashed(uint256 length) external pure returns (bytes32 word) {
        assembly {
            word := keccak256(0, length)
        }
    }
    function tooMuchReturned(uint256 length) external pure {
        assembly {
            return(0, length)
        }
    }
    function spin() public pure {
        while (true) {}
    }
    function limited(uint256 allowance) external view returns (bool ok, uint256 size) {
        bytes memory data = abi.encodeCall(this.spin, ());
        assembly {
            ok := staticcall(allowance, address(), add(data, 32), mload(data), 0, 0)
            size := returndatasize()
        }
    }
    function forbidden() external view returns (bool ok) {
        (ok, ) = address(this).staticcall{gas: 5000}(abi.encodeCall(this.remembered, (1)));
    }
    function delegated(address to, bytes calldata data) external returns (bool, bytes memory) {
        return to.delegatecall(data);
    }
    function context() external view returns (address, address) {
        return (msg.sender, address(this));
    }
    receive() external payable {}
    fallback(bytes calldata data) external payable returns (bytes memory) {
        return abi.encode(data.length, msg.sig);
    }
}
