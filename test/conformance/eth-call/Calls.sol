// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

contract Coin is ERC20("Coin", "COIN") {
    constructor(address holder) {
        _mint(holder, 123456789 ether);
    }
}

contract Badge is ERC721("Badge", "BDG") {
    constructor(address holder) {
        for (uint256 id = 1; id <= 5; id++) _mint(holder, id);
    }
}

library Arithmetic {
    function power(uint256 base, uint256 exponent) external pure returns (uint256 result) {
        result = 1;
        for (uint256 i = 0; i < exponent; ++i) {
            unchecked {
                result *= base;
            }
        }
    }
}

contract Counter {
    uint256 public count;
    mapping(uint256 => uint256) public squares;

    function initialize() external {
        count = 7;
        for (uint256 i = 0; i < 10; ++i) squares[i] = i * i;
    }
}

contract CounterProxy is ERC1967Proxy {
    constructor(address target) ERC1967Proxy(target, abi.encodeCall(Counter.initialize, ())) {}
}

error TooLarge(uint256 value, uint256 limit);

contract Calls {
    Counter public immutable counter;

    constructor(Counter counter_) {
        counter = counter_;
    }

    function add(uint256 a, uint256 b) external pure returns (uint256) {
        return a + b;
    }
    function divide(uint256 a, uint256 b) external pure returns (uint256, uint256) {
        return (a / b, a % b);
    }
    function signed(int256 a, int256 b) external pure returns (int256, int256, int256) {
        return (a / b, a % b, a >> 3);
    }
    function bitwise(uint256 a, uint256 b) external pure returns (uint256, uint256, uint256, uint256) {
        return (a & b, a | b, a ^ b, ~a);
    }
    function modular(uint256 a, uint256 b, uint256 n) external pure returns (uint256, uint256) {
        return (addmod(a, b, n), mulmod(a, b, n));
    }
    function exponent(uint256 a, uint256 b) external pure returns (uint256) {
        unchecked {
            return a ** b;
        }
    }
    function hash(bytes calldata data) external pure returns (bytes32) {
        return keccak256(data);
    }
    function reverse(bytes calldata data) external pure returns (bytes memory out) {
        out = new bytes(data.length);
        for (uint256 i = 0; i < data.length; ++i) out[i] = data[data.length - 1 - i];
    }
    function text(string calldata a, string calldata b) external pure returns (string memory) {
        return string.concat(a, b);
    }
    function sorted(uint256[] memory values) external pure returns (uint256[] memory) {
        for (uint256 i = 1; i < values.length; ++i)
            for (uint256 j = i; j > 0 && values[j] < values[j - 1]; j--)
                (values[j], values[j - 1]) = (values[j - 1], values[j]);
        return values;
    }
    function who() external view returns (address, address, address) {
        return (msg.sender, address(this), tx.origin);
    }
    function place() external view returns (uint256, uint256, uint256, address) {
        return (block.number, block.timestamp, block.gaslimit, block.coinbase);
    }
    function fee() external view returns (uint256, uint256) {
        return (block.basefee, tx.gasprice);
    }
    function chain() external view returns (uint256) {
        return block.chainid;
    }
    function ancestor(uint256 back) external view returns (bytes32) {
        return blockhash(block.number - back);
    }
    function balance(address account) external view returns (uint256) {
        return account.balance;
    }
    function code(address account) external view returns (uint256, bytes32) {
        return (account.code.length, account.codehash);
    }
    function counted() external view returns (uint256, uint256) {
        return (counter.count(), counter.squares(9));
    }
    function deep(uint256 depth) external view returns (uint256) {
        return depth == 0 ? 1 : 1 + this.deep(depth - 1);
    }
    function fail(uint256 value) external pure returns (uint256) {
        if (value > 10) revert TooLarge(value, 10);
        require(value != 3, "three is refused");
        assert(value != 4);
        uint256[] memory list = new uint256[](2);
        return list[value];
    }
    function caught(uint256 value) external view returns (bool, bytes memory) {
        return address(this).staticcall(abi.encodeCall(this.fail, (value)));
    }
    function burn(uint256 turns) external pure returns (uint256 sum) {
        for (uint256 i = 0; i < turns; ++i) sum += i;
    }
    function forever() external pure {
        while (true) {}
    }
    function power(uint256 a, uint256 b) external pure returns (uint256) {
        return Arithmetic.power(a, b);
    }
    function precompile(uint256 number, bytes calldata data) external view returns (bool, bytes memory) {
        return address(uint160(number)).staticcall(data);
    }
    function created() external returns (uint256) {
        return (new Counter()).count();
    }
    function writes(uint256 value) external returns (uint256, uint256) {
        uint256 before;
        uint256 afterwards;
        assembly {
            before := sload(99)
            sstore(99, value)
            afterwards := sload(99)
        }
        return (before, afterwards);
    }
}
