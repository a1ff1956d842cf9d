// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {
    BlockSampledDatalake,
    ComputationalTask,
    ModuleTask,
    Operator,
    TransactionsInBlockDatalake
} from "../libraries/HdpTypes.sol";

/// @title HdpTaskText
/// @author The hardhat-hdp authors
/// @notice Tasks in words, for what a test prints: `avg of header.base_fee_per_gas, blocks 0..9, step 1, chain 11155111`.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpTaskText {
    /// @dev Names by their ids, with commas. Written by `npm run constants`.
    string private constant FUNCTIONS = "avg,sum,min,max,count,merkle,slr";
    string private constant HEADER_FIELDS =
        "parent_hash,ommers_hash,beneficiary,state_root,transactions_root,receipts_root,logs_bloom,"
        "difficulty,number,gas_limit,gas_used,timestamp,extra_data,mix_hash,nonce,base_fee_per_gas,"
        "withdrawals_root,blob_gas_used,excess_blob_gas,parent_beacon_block_root";
    string private constant ACCOUNT_FIELDS = "nonce,balance,storage_root,code_hash";
    string private constant TRANSACTION_FIELDS =
        "nonce,gas_price,gas_limit,to,value,input,v,r,s,chain_id,access_list,max_fee_per_gas,"
        "max_priority_fee_per_gas,blob_versioned_hashes,max_fee_per_blob_gas";
    string private constant RECEIPT_FIELDS = "success,cumulative_gas_used,logs,bloom";

    string private constant OPERATORS = ",==,!=,>,>=,<,<=";
    bytes16 private constant DIGITS = "0123456789abcdef";

    /// @dev Inputs of a module that are put into words, the first.
    uint256 private constant MAX_INPUTS = 64;

    /// @notice A task over sampled blocks in words.
    /// @param datalake Its blocks and property
    /// @param compute Its function
    /// @return The words
    function textOf(
        BlockSampledDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (string memory) {
        bytes memory property = datalake.sampledProperty;
        string memory first = decimal(datalake.blockRangeStart);
        string memory range = string.concat(", blocks ", first, "..", decimal(datalake.blockRangeEnd));
        string memory sampled = string.concat(_computed(compute, _ofBlock(property)), range);
        return _withPlace(sampled, datalake.increment, datalake.chainId);
    }

    /// @notice A task over a block's transactions in words.
    /// @param datalake Its transactions and property
    /// @param compute Its function
    /// @return The words
    function textOf(
        TransactionsInBlockDatalake memory datalake,
        ComputationalTask memory compute
    ) internal pure returns (string memory) {
        bytes memory property = datalake.sampledProperty;
        bool isReceipt = uint8(property[0]) == 2;
        string memory field =
            isReceipt
                ? string.concat("tx_receipt.", _word(RECEIPT_FIELDS, uint8(property[1])))
                : string.concat("tx.", _word(TRANSACTION_FIELDS, uint8(property[1])));
        string memory first = decimal(datalake.startIndex);
        string memory range = string.concat(", transactions ", first, " to before ", decimal(datalake.endIndex));
        string memory block_ = string.concat(" of block ", decimal(datalake.targetBlock));
        string memory sampled = string.concat(_computed(compute, field), range, block_);
        return _withPlace(sampled, datalake.increment, datalake.chainId);
    }

    /// @notice A module with its public inputs in words.
    /// @param task Its program and inputs
    /// @return text The words
    function textOf(ModuleTask memory task) internal pure returns (string memory text) {
        uint256 count = task.inputs.length;
        text = string.concat("module ", hexadecimal(abi.encodePacked(task.programHash)), ", public inputs:");
        if (count == 0) return string.concat(text, " none");
        for (uint256 i = 0; i < count && i < MAX_INPUTS; ++i) {
            text = string.concat(text, i == 0 ? " " : ", ", short(task.inputs[i]));
        }
        if (count > MAX_INPUTS) text = string.concat(text, " and ", decimal(count - MAX_INPUTS), " more");
    }

    /// @notice A word in hexadecimal digits, without leading zeros.
    /// @param word The word
    /// @return 0x and the digits
    function short(bytes32 word) internal pure returns (string memory) {
        uint256 length = 1;
        for (uint256 rest = uint256(word); rest > 15; rest >>= 4) {
            ++length;
        }
        bytes memory digits = new bytes(2 + length);
        (digits[0], digits[1]) = ("0", "x");
        for (uint256 i = 0; i < length; ++i) {
            digits[1 + length - i] = DIGITS[(uint256(word) >> (4 * i)) & 15];
        }
        return string(digits);
    }

    /// @notice An integer in decimal digits.
    /// @param value The integer
    /// @return The digits
    function decimal(uint256 value) internal pure returns (string memory) {
        uint256 length = 1;
        for (uint256 rest = value; rest > 9; rest /= 10) {
            ++length;
        }
        bytes memory digits = new bytes(length);
        for (uint256 i = length; i > 0; --i) {
            digits[i - 1] = DIGITS[value % 10];
            value /= 10;
        }
        return string(digits);
    }

    /// @notice Bytes in hexadecimal digits.
    /// @param data The bytes
    /// @return 0x and the digits
    function hexadecimal(bytes memory data) internal pure returns (string memory) {
        bytes memory digits = new bytes(2 + 2 * data.length);
        (digits[0], digits[1]) = ("0", "x");
        for (uint256 i = 0; i < data.length; ++i) {
            digits[2 + 2 * i] = DIGITS[uint8(data[i]) >> 4];
            digits[3 + 2 * i] = DIGITS[uint8(data[i]) & 15];
        }
        return string(digits);
    }

    /// @dev `avg of header.number`, `count of header.number > 5`.
    function _computed(ComputationalTask memory compute, string memory property) private pure returns (string memory) {
        string memory computed = string.concat(_word(FUNCTIONS, uint256(compute.aggregateFnId)), " of ", property);
        if (compute.operatorId == Operator.NONE) return computed;
        string memory operator = _word(OPERATORS, uint256(compute.operatorId));
        return string.concat(computed, " ", operator, " ", decimal(compute.valueToCompare));
    }

    /// @dev The property of a block: header, account or storage.
    function _ofBlock(bytes memory property) private pure returns (string memory) {
        uint8 kind = uint8(property[0]);
        if (kind == 1) return string.concat("header.", _word(HEADER_FIELDS, uint8(property[1])));
        string memory target = hexadecimal(_slice(property, 1, 21));
        if (kind == 2) return string.concat("account.", target, ".", _word(ACCOUNT_FIELDS, uint8(property[21])));
        return string.concat("storage.", target, ".", hexadecimal(_slice(property, 21, 53)));
    }

    /// @dev Step and chain behind a description.
    function _withPlace(string memory text, uint256 step, uint256 chainId) private pure returns (string memory) {
        return string.concat(text, ", step ", decimal(step), ", chain ", decimal(chainId));
    }

    /// @dev One of some words with commas, by its place from 0; empty where there are fewer.
    function _word(string memory words, uint256 place) private pure returns (string memory) {
        bytes memory all = bytes(words);
        uint256 start = 0;
        for (uint256 i = 0; i <= all.length; ++i) {
            if (i < all.length && all[i] != ",") continue;
            if (place == 0) return string(_slice(all, start, i));
            --place;
            start = i + 1;
        }
        return "";
    }

    /// @dev Some of the bytes.
    function _slice(bytes memory data, uint256 start, uint256 end) private pure returns (bytes memory part) {
        part = new bytes(end - start);
        for (uint256 i = 0; i < part.length; ++i) {
            part[i] = data[start + i];
        }
    }
}
