// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpForm} from "./HdpTypes.sol";

/// @title HdpOutputRoot
/// @author The hardhat-hdp authors
/// @notice Computes the word that a store keeps for a module task, for the forms of output whose order the word fixes: one
/// felt, marked felts, a digest. HdpResults checks what a caller brings in these forms.
/// @dev What a root fixes. A leaf hashes 32 bytes and a parent 64, so that (unless Keccak-256 has a collision) neither
/// passes for the other: a root fixes the number of felts and, for each parent, the set of its two children. It does not
/// fix which child is first, because a parent hashes the smaller one first. Two lists have one root if and only if swaps
/// of children turn one into the other. [1, 2] and [2, 1] have one root, and so have (v, 0) and (0, v).
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpOutputRoot {
    /// @dev Modulus of Starknet's field: 2^251 + 17 * 2^192 + 1.
    uint256 private constant FELT_PRIME = 0x800000000000011000000000000000000000000000000000000000000000001;
    /// @dev A marked felt has its place above this bit and its value below.
    uint256 private constant PLACE_BIT = 128;
    /// @dev Mask of sn_keccak: 250 bits, so that every digest is a felt.
    uint256 private constant DIGEST_MASK = (1 << 250) - 1;
    /// @dev keccak256(hex"00"): the result of a module that returns nothing.
    bytes32 private constant NOTHING_RETURNED = 0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a;

    /// @notice A number that is no felt was claimed as output.
    /// @param index Its place
    /// @param value The number
    error NotAFelt(uint256 index, uint256 value);

    /// @notice Fewer than two values were claimed as marked. One value is one felt.
    /// @param count Number of values
    error TooFewValues(uint256 count);

    /// @notice Word of a datalake task with this value: the value itself, or the root over its marked halves.
    /// @param form Form of the task
    /// @param value Value of the task
    /// @return Result word
    function wordOf(HdpForm form, uint256 value) internal pure returns (bytes32) {
        return form == HdpForm.Module ? rootOfValue(value) : bytes32(value);
    }

    /// @notice Root of a `main` that returns one felt: `felt252`, `bool`, an address or an integer of up to 128 bits.
    /// @dev Binds the felt: there is no tree, the root is the digest of the felt's own word. A root over several felts is
    /// the digest of 64 bytes, so that it is the root of no single felt.
    /// @param felt What `main` returned; reverts with NotAFelt for 2^251 + 17 * 2^192 + 1 and more
    /// @return root Result word
    function rootOfFelt(uint256 felt) internal pure returns (bytes32 root) {
        if (!isFelt(felt)) revert NotAFelt(0, felt);
        bytes32 word = _reversed(bytes32(felt));
        assembly ("memory-safe") {
            mstore(0, word)
            root := keccak256(0, 32)
        }
        return _reversed(root);
    }

    /// @notice Root of a `main` that returns `marked(values)`: felt i is value i + i * 2^128.
    /// @dev Binds values, order and number. Proof: a list with the same root has the same felts, swapped. The felt that
    /// came from place i has the quotient i by 2^128, because its value is below 2^128, which the type holds. A list of
    /// marked values has quotient i at place i; so each felt is at the place that it came from, and the list is the same.
    /// @param values The values in order, at least two; reverts with TooFewValues for fewer
    /// @return Result word
    function rootOfMarked(uint128[] memory values) internal pure returns (bytes32) {
        if (values.length < 2) revert TooFewValues(values.length);
        uint256[] memory words;
        assembly ("memory-safe") {
            // Each value takes a word.
            words := values
        }
        return _rootOf(words, type(uint128).max, 1 << PLACE_BIT);
    }

    /// @notice Root of a `main` that returns `marked_u256(value)`, as the standard programs do: the low half, and the high
    /// half + 2^128.
    /// @dev Binds the value: rootOfMarked of two values.
    /// @param value What `main` returned
    /// @return Result word
    function rootOfValue(uint256 value) internal pure returns (bytes32) {
        return _pair(_leaf(uint128(value)), _leaf((value >> PLACE_BIT) + (1 << PLACE_BIT)));
    }

    /// @notice The felt that a `main` returns for words of any number: `digest(words)`.
    /// @dev Its root, rootOfFelt, binds words, order and number: it fixes the digest, one felt, and other words have
    /// another digest unless Keccak-256 cut to 250 bits has a collision. The words of two arrays are one list: where more
    /// than one length varies, put the lengths before the items.
    /// @param words The words in order
    /// @return keccak256 of the words, 32 bytes each and big-endian, without its upper six bits
    function digest(uint256[] memory words) internal pure returns (uint256) {
        bytes32 hash;
        assembly ("memory-safe") {
            hash := keccak256(add(words, 32), shl(5, mload(words)))
        }
        return uint256(hash) & DIGEST_MASK;
    }

    /// @notice The felt that a `main` returns for bytes, for instance for the answer of a view call.
    /// @dev Binds as `digest` does, and equals it where the bytes are whole words.
    /// @param data The bytes
    /// @return keccak256 of the bytes without its upper six bits
    function digestOfBytes(bytes memory data) internal pure returns (uint256) {
        return uint256(keccak256(data)) & DIGEST_MASK;
    }

    /// @notice Root over any felts. FOR TESTS AND TOOLS: it does not bind the order. Whoever brings the felts may bring
    /// them in another order with the same root: a `u256` of two plain felts passes with its halves swapped.
    /// @dev Felts become little-endian words. One: the digest of its word, bytes reversed. Several: the tree of
    /// OpenZeppelin's StandardMerkleTree over the words, leaves hashed twice and not sorted.
    /// @param felts What `main` returned. An array is its length and its items. Reverts with NotAFelt for other numbers
    /// @return Result word
    function unorderedRoot(uint256[] memory felts) internal pure returns (bytes32) {
        uint256 count = felts.length;
        if (count == 0) return NOTHING_RETURNED;
        if (count == 1) return rootOfFelt(felts[0]);
        return _rootOf(felts, type(uint256).max, 0);
    }

    /// @notice Whether a number is a felt.
    /// @param value The number
    /// @return Whether it is less than 2^251 + 17 * 2^192 + 1
    function isFelt(uint256 value) internal pure returns (bool) {
        return value < FELT_PRIME;
    }

    /// @dev The bytes of a word in reversed order.
    function _reversed(bytes32 word) private pure returns (bytes32) {
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

    /// @dev Hash of a leaf: twice over the little-endian word.
    function _leaf(uint256 felt) private pure returns (bytes32 leaf) {
        bytes32 word = _reversed(bytes32(felt));
        assembly ("memory-safe") {
            mstore(0, word)
            mstore(0, keccak256(0, 32))
            leaf := keccak256(0, 32)
        }
    }

    /// @dev Hash of a parent: the smaller child first.
    function _pair(bytes32 a, bytes32 b) private pure returns (bytes32 parent) {
        assembly ("memory-safe") {
            let isSorted := lt(a, b)
            mstore(shl(5, iszero(isSorted)), a)
            mstore(shl(5, isSorted), b)
            parent := keccak256(0, 64)
        }
    }

    /// @dev Root of a tree over several felts: the words under a mask, each with its place times `mark` added. Node i, counted
    /// from 1, has the children 2i and 2i + 1, and the leaves are the last nodes in reversed order. In assembly, since it
    /// costs half of the gas.
    function _rootOf(uint256[] memory words, uint256 mask, uint256 mark) private pure returns (bytes32 root) {
        uint256 count = words.length;
        uint256 node = 2 * count - 1;
        uint256 tree;
        assembly ("memory-safe") {
            // Node 1 is at the first free word.
            tree := sub(mload(64), 32)
            mstore(64, add(mload(64), shl(5, node)))
        }
        for (uint256 i = 0; i < count;) {
            uint256 felt;
            assembly ("memory-safe") {
                felt := add(and(mload(add(add(words, 32), shl(5, i))), mask), mul(i, mark))
            }
            if (felt >= FELT_PRIME) revert NotAFelt(i, felt);
            bytes32 word = _reversed(bytes32(felt));
            assembly ("memory-safe") {
                mstore(0, word)
                mstore(0, keccak256(0, 32))
                mstore(add(tree, shl(5, node)), keccak256(0, 32))
                node := sub(node, 1)
                i := add(i, 1)
            }
        }
        assembly ("memory-safe") {
            // `node` is the last parent.
            for {} node {} {
                let children := add(tree, shl(6, node))
                let left := mload(children)
                let right := mload(add(children, 32))
                let isSorted := lt(left, right)
                mstore(shl(5, iszero(isSorted)), left)
                mstore(shl(5, isSorted), right)
                mstore(add(tree, shl(5, node)), keccak256(0, 64))
                node := sub(node, 1)
            }
            root := mload(add(tree, 32))
        }
    }
}
