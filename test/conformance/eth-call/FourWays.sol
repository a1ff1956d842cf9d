// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

// What ordinary contracts do, without imports: compiled for paris and cancun, with and without the IR pipeline.

error Insufficient(address account, uint256 has, uint256 needs);

library Slices {
    function head(bytes memory data, uint256 length) external pure returns (bytes memory part) {
        part = new bytes(length);
        for (uint256 i = 0; i < length; ++i) part[i] = data[i];
    }
}

contract Coin {
    string public name = "A coin with a name of more than thirty-two characters";
    string public symbol = "COIN";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(address holder) {
        totalSupply = balanceOf[holder] = 1_000_000 ether;
        allowance[holder][address(this)] = 5 ether;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 has = balanceOf[msg.sender];
        if (has < amount) revert Insufficient(msg.sender, has, amount);
        unchecked {
            balanceOf[msg.sender] = has - amount;
        }
        balanceOf[to] += amount;
        return true;
    }
}

contract FourWays {
    struct Position {
        address owner;
        uint128 amount;
        int64 change;
        bool open;
        string note;
    }

    Coin public immutable coin;
    Position[] private positions;
    bytes private long = "bytes in storage, of more than thirty-two of them, which take two slots";
    mapping(bytes32 => uint256) private byName;

    constructor(Coin coin_) {
        coin = coin_;
        positions.push(Position(address(coin_), 7, -1, true, "short"));
        positions.push(
            Position(msg.sender, type(uint128).max, type(int64).min, false, "a note of more than thirty-two characters")
        );
        byName["one"] = 1;
    }

    // Encodings and texts
    function pairFor(address factory, address a, address b) external pure returns (address pair) {
        (address token0, address token1) = a < b ? (a, b) : (b, a);
        pair = address(
            uint160(
                uint256(
                    keccak256(
                        abi.encodePacked(
                            hex"ff",
                            factory,
                            keccak256(abi.encodePacked(token0, token1)),
                            hex"96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f"
                        )
                    )
                )
            )
        );
    }
    function joined(string calldata a, string calldata b, string calldata c) external pure returns (string memory) {
        return string.concat(a, b, c);
    }
    function joinedTwice(string calldata a, string calldata b) external pure returns (string memory, string memory) {
        return (string.concat(a, b), string.concat(b, a));
    }
    function packed(uint8 a, bytes3 b, uint16 c, string calldata d) external pure returns (bytes memory, bytes32) {
        bytes memory all = abi.encodePacked(a, b, c, d);
        return (all, keccak256(all));
    }
    function packedAddress(address a, uint256 b) external pure returns (bytes memory, bytes memory) {
        return (abi.encodePacked(a, b), abi.encodePacked(b, a));
    }
    function encoded(uint256 a, string calldata b, uint256[] calldata c) external pure returns (bytes memory) {
        return abi.encode(a, b, c);
    }
    function withSelector(address to, uint256 amount) external pure returns (bytes memory) {
        return abi.encodeCall(Coin.transfer, (to, amount));
    }
    function decoded(bytes calldata data) external pure returns (uint256, string memory) {
        return abi.decode(data, (uint256, string));
    }
    function leaf(address account, uint256 amount) external pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(account, amount))));
    }
    function signedHash(bytes32 digest) external pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", digest));
    }
    function decimal(uint256 value) external pure returns (string memory) {
        if (value == 0) return "0";
        bytes memory digits;
        while (value > 0) {
            digits = abi.encodePacked(bytes1(uint8(48 + (value % 10))), digits);
            value /= 10;
        }
        return string(digits);
    }
    function part(bytes calldata data, uint256 from, uint256 to) external pure returns (bytes memory) {
        return data[from:to];
    }
    function headOf(bytes calldata data, uint256 length) external pure returns (bytes memory) {
        return Slices.head(data, length);
    }

    // Numbers
    function sum(uint256[] calldata values) external pure returns (uint256 total) {
        for (uint256 i = 0; i < values.length; ++i) total += values[i];
    }
    function amountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) external pure returns (uint256) {
        uint256 fee = amountIn * 997;
        return (fee * reserveOut) / (reserveIn * 1000 + fee);
    }
    function root(uint256 value) external pure returns (uint256 result) {
        if (value == 0) return 0;
        result = value;
        for (uint256 next = (value + 1) / 2; next < result; next = (value / next + next) / 2) result = next;
    }
    function mixed(int256 a, int128 b, uint8 c) external pure returns (int256, int256, int256, uint256) {
        unchecked {
            return (a + b, a * b, a >> c, uint256(a) << c);
        }
    }
    function narrowed(uint256 a) external pure returns (uint8, uint64, uint128, int8, address) {
        return (uint8(a), uint64(a), uint128(a), int8(uint8(a)), address(uint160(a)));
    }
    function power(uint256 base, uint256 exponent) external pure returns (uint256) {
        return base ** exponent;
    }
    function modular(uint256 a, uint256 b, uint256 n) external pure returns (uint256, uint256) {
        return (addmod(a, b, n), mulmod(a, b, n));
    }

    // Memory and storage
    function sorted(uint256[] memory values) external pure returns (uint256[] memory) {
        for (uint256 i = 1; i < values.length; ++i)
            for (uint256 j = i; j > 0 && values[j] < values[j - 1]; j--)
                (values[j], values[j - 1]) = (values[j - 1], values[j]);
        return values;
    }
    function table(uint256 rows, uint256 columns) external pure returns (uint256[][] memory cells) {
        cells = new uint256[][](rows);
        for (uint256 i = 0; i < rows; ++i) {
            cells[i] = new uint256[](columns);
            for (uint256 j = 0; j < columns; j++) cells[i][j] = i * j;
        }
    }
    function position(uint256 index) external view returns (Position memory) {
        return positions[index];
    }
    function everything() external view returns (Position[] memory) {
        return positions;
    }
    function stored() external view returns (bytes memory) {
        return long;
    }
    function named(bytes32 name) external view returns (uint256) {
        return byName[name];
    }
    function written(uint256 value) external returns (uint256 before, uint256 afterwards) {
        before = byName["one"];
        byName["one"] = value;
        afterwards = byName["one"];
    }
    function notes(string[] calldata texts) external pure returns (string[] memory kept, bytes32 digest) {
        kept = texts;
        for (uint256 i = 0; i < texts.length; ++i) digest = keccak256(abi.encodePacked(digest, texts[i]));
    }

    // Calls
    function balances(address[] calldata accounts) external view returns (uint256[] memory found) {
        found = new uint256[](accounts.length);
        for (uint256 i = 0; i < accounts.length; ++i) found[i] = coin.balanceOf(accounts[i]);
    }
    function described() external view returns (string memory) {
        return string.concat(coin.name(), " (", coin.symbol(), ")");
    }
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool ok, bytes memory data) = address(this).delegatecall(calls[i]);
            require(ok, "a call failed");
            results[i] = data;
        }
    }
    function tried(address to, uint256 amount) external returns (string memory) {
        try coin.transfer(to, amount) returns (bool) {
            return "done";
        } catch Error(string memory reason) {
            return reason;
        } catch (bytes memory data) {
            return data.length == 100 ? "insufficient" : "other";
        }
    }
    function deep(uint256 depth) external view returns (uint256) {
        return depth == 0 ? 1 : 1 + this.deep(depth - 1);
    }
    function refused(uint256 value) external pure returns (uint256) {
        if (value > 10) revert Insufficient(address(uint160(value)), value, 10);
        require(value != 3, "three is refused, in words of more than thirty-two characters");
        assert(value != 4);
        return 10 / value;
    }

    // Surroundings
    function who() external view returns (address, address, address, bytes4) {
        return (msg.sender, address(this), tx.origin, msg.sig);
    }
    function place() external view returns (uint256, uint256, uint256, address) {
        return (block.number, block.timestamp, block.gaslimit, block.coinbase);
    }
    function fees() external view returns (uint256, uint256) {
        return (block.basefee, tx.gasprice);
    }
    function ancestor(uint256 back) external view returns (bytes32) {
        return blockhash(block.number - back);
    }
    function code(address account) external view returns (uint256, bytes32) {
        return (account.code.length, account.codehash);
    }
    function worth(address account) external view returns (uint256) {
        return account.balance;
    }
    function digests(bytes calldata data) external pure returns (bytes32, bytes32, bytes20) {
        return (keccak256(data), sha256(data), ripemd160(data));
    }
    function recovered(bytes32 digest, uint8 v, bytes32 r, bytes32 s) external pure returns (address) {
        return ecrecover(digest, v, r, s);
    }
    function domain() external view returns (bytes32) {
        return keccak256(abi.encode("domain", block.chainid, address(this)));
    }
}
