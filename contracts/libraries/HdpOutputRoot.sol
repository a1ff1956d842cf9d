// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

/// @title HdpOutputRoot
/// @notice Computes the result word of a module task from the felts the module returned. The stored word is a hash: a
/// contract that is to act on the output takes the felts from its caller and checks them against the word.
library HdpOutputRoot {
    /// @dev Modulus of Starknet's field: 2^251 + 17 * 2^192 + 1.
    uint256 private constant FELT_PRIME = 0x800000000000011000000000000000000000000000000000000000000000001;
    /// @dev keccak256(hex"00"): the result of a module that returns nothing.
    bytes32 private constant NOTHING_RETURNED = 0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a;

    /// @notice A number that is no felt was claimed as output.
    /// @param index Its place
    /// @param value The number
    error NotAFelt(uint256 index, uint256 value);

    /// @notice Root over the felts that `main` returned, in order. An array is its length and its items.
    /// @dev Felts become little-endian words. One: the digest of its word, bytes reversed. Several: the tree of
    /// OpenZeppelin's StandardMerkleTree over the words, leaves hashed twice and not sorted.
    /// @param felts What `main` returned
    /// @return Result word
    function outputRoot(uint256[] memory felts) internal pure returns (bytes32) {
        uint256 count = felts.length;
        if (count == 0) return NOTHING_RETURNED;
        for (uint256 i = 0; i < count; i++) {
            if (felts[i] >= FELT_PRIME) revert NotAFelt(i, felts[i]);
        }
        if (count == 1) return reversed(keccak256(abi.encode(reversed(bytes32(felts[0])))));

        bytes32[] memory tree = new bytes32[](2 * count - 1);
        for (uint256 i = 0; i < count; i++) {
            tree[tree.length - 1 - i] = _leaf(felts[i]);
        }
        for (uint256 i = count - 1; i > 0; i--) {
            tree[i - 1] = _pair(tree[2 * i - 1], tree[2 * i]);
        }
        return tree[0];
    }

    /// @notice The same for a `main` that returns one `u256`, without an array.
    /// @param value What `main` returned
    /// @return Result word
    function outputRootOfUint256(uint256 value) internal pure returns (bytes32) {
        return _pair(_leaf(uint256(uint128(value))), _leaf(value >> 128));
    }

    /// @notice The same for a `main` that returns one felt: `felt252`, `bool`, an address or an integer to 128 bits.
    /// @param felt What `main` returned
    /// @return Result word
    function outputRootOfFelt(uint256 felt) internal pure returns (bytes32) {
        if (felt >= FELT_PRIME) revert NotAFelt(0, felt);
        return reversed(keccak256(abi.encode(reversed(bytes32(felt)))));
    }

    /// @notice The bytes of a word in reversed order.
    /// @param word The word
    /// @return The reversed word
    function reversed(bytes32 word) internal pure returns (bytes32) {
        uint256 v = uint256(word);
        uint256 m = 0x00FF00FF00FF00FF00FF00FF00FF00FF00FF00FF00FF00FF00FF00FF00FF00FF;
        v = ((v >> 8) & m) | ((v & m) << 8);
        m = 0x0000FFFF0000FFFF0000FFFF0000FFFF0000FFFF0000FFFF0000FFFF0000FFFF;
        v = ((v >> 16) & m) | ((v & m) << 16);
        m = 0x00000000FFFFFFFF00000000FFFFFFFF00000000FFFFFFFF00000000FFFFFFFF;
        v = ((v >> 32) & m) | ((v & m) << 32);
        m = 0x0000000000000000FFFFFFFFFFFFFFFF0000000000000000FFFFFFFFFFFFFFFF;
        v = ((v >> 64) & m) | ((v & m) << 64);
        return bytes32((v >> 128) | (v << 128));
    }

    function _leaf(uint256 felt) private pure returns (bytes32) {
        return keccak256(abi.encode(keccak256(abi.encode(reversed(bytes32(felt))))));
    }

    function _pair(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? keccak256(abi.encode(a, b)) : keccak256(abi.encode(b, a));
    }
}
