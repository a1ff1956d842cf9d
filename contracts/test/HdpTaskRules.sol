// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpOutputRoot} from "../libraries/HdpOutputRoot.sol";
import {
    AccountField,
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HeaderField,
    ModuleTask,
    Operator,
    ReceiptField,
    TransactionField,
    TransactionsInBlockDatalake
} from "../libraries/HdpTypes.sol";

/// @title HdpTaskRules
/// @author The hardhat-hdp authors
/// @notice Refuses tasks that no data processor takes, with the numbers of the errors that TypeScript and task files have
/// for them. For tests: a contract that derives its tasks has no need of it, since nobody finalizes such a task.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpTaskRules {
    /// @dev Blocks, indices and steps are 64-bit integers in the data processor.
    uint256 private constant MAX_NUMBER = type(uint64).max;
    /// @dev Transaction types as flags, first type first.
    uint256 private constant LEGACY = 1;
    uint256 private constant EIP2930 = 2;
    uint256 private constant EIP1559 = 4;
    uint256 private constant EIP4844 = 8;
    uint256 private constant ALL_TYPES = 15;

    /// @notice No data processor takes the task, so that no store ever has a result of it.
    /// @param code Number of the error that TypeScript has for it: its page is docs/errors
    /// @param problem What is wrong, and what is allowed
    error InvalidTask(string code, string problem);

    /// @notice Reverts with InvalidTask unless a data processor takes the task over sampled blocks.
    /// @param datalake The sampled blocks
    /// @param compute What is computed over them
    function requireValid(BlockSampledDatalake memory datalake, ComputationalTask memory compute) internal pure {
        _requireShared(datalake.chainId, datalake.increment, compute);
        _requireNumbers(datalake.blockRangeStart, datalake.blockRangeEnd);
        if (datalake.blockRangeStart > datalake.blockRangeEnd) {
            revert InvalidTask("HDP-1115", "the range of blocks is empty: its last block is before its first");
        }
        _requireBlockProperty(datalake.sampledProperty);
    }

    /// @notice Reverts with InvalidTask unless a data processor takes the task over the transactions of one block.
    /// @param datalake The sampled transactions
    /// @param compute What is computed over them
    function requireValid(TransactionsInBlockDatalake memory datalake, ComputationalTask memory compute) internal pure {
        _requireShared(datalake.chainId, datalake.increment, compute);
        _requireNumbers(datalake.startIndex, datalake.endIndex);
        _requireNumbers(datalake.targetBlock, 0);
        if (datalake.startIndex >= datalake.endIndex) {
            revert InvalidTask("HDP-1115", "the range of indices is empty: its end is exclusive");
        }
        uint256 having = _requireTransactionProperty(datalake.sampledProperty);
        uint256 included = _typesOf(datalake.includedTypes);
        if (included == 0) revert InvalidTask("HDP-1122", "no transaction type is included");
        if (included & having == 0) revert InvalidTask("HDP-1122", "no included transaction type has the field");
    }

    /// @notice Reverts with InvalidTask unless program hash and inputs are felts.
    /// @param task Program hash and public inputs
    function requireValid(ModuleTask memory task) internal pure {
        if (!HdpOutputRoot.isFelt(uint256(task.programHash)))
            revert InvalidTask("HDP-1118", "the program hash is no felt");
        for (uint256 i = 0; i < task.inputs.length; ++i) {
            if (!HdpOutputRoot.isFelt(uint256(task.inputs[i]))) revert InvalidTask("HDP-1118", "an input is no felt");
        }
    }

    /// @dev What holds for datalake tasks of either kind.
    function _requireShared(uint256 chainId, uint256 increment, ComputationalTask memory compute) private pure {
        if (!_isNamed(chainId))
            revert InvalidTask("HDP-1108", "the chain has no name in task files: see sourceChainId()");
        if (increment == 0 || increment > MAX_NUMBER) revert InvalidTask("HDP-1113", "the step is not 1 to 2^64 - 1");
        if (compute.aggregateFnId > AggregateFn.COUNT) {
            revert InvalidTask("HDP-1108", "MERKLE and SLR are no functions of the data processor");
        }
        if (compute.aggregateFnId == AggregateFn.COUNT && compute.operatorId == Operator.NONE) {
            revert InvalidTask("HDP-1107", "COUNT needs an operator: see countTask");
        }
        if (compute.operatorId == Operator.NONE && compute.valueToCompare != 0) {
            revert InvalidTask("HDP-1119", "a value to compare needs an operator");
        }
    }

    /// @dev Two blocks or two indices.
    function _requireNumbers(uint256 first, uint256 last) private pure {
        if (first > MAX_NUMBER || last > MAX_NUMBER) {
            revert InvalidTask("HDP-1113", "a block or an index is not 0 to 2^64 - 1");
        }
    }

    /// @dev A property that blocks have and that is an integer.
    function _requireBlockProperty(bytes memory property) private pure {
        uint256 kind = property.length == 0 ? 0 : uint8(property[0]);
        bool isHeader = kind == 1 && property.length == 2;
        bool isAccount = kind == 2 && property.length == 22;
        bool isSlot = kind == 3 && property.length == 53;
        if (!isHeader && !isAccount && !isSlot) revert InvalidTask("HDP-1105", "blocks have no such property");
        if (isSlot) return;
        uint256 field = uint8(property[property.length - 1]);
        uint256 last = uint256(isHeader ? uint8(type(HeaderField).max) : uint8(type(AccountField).max));
        if (field > last) revert InvalidTask("HDP-1104", "there is no such field");
        if (isHeader && (field == uint8(HeaderField.LOGS_BLOOM) || field == uint8(HeaderField.EXTRA_DATA))) {
            revert InvalidTask("HDP-1106", "LOGS_BLOOM and EXTRA_DATA are no integers");
        }
    }

    /// @dev The transaction types that have the property.
    function _requireTransactionProperty(bytes memory property) private pure returns (uint256 types) {
        uint256 kind = property.length == 2 ? uint8(property[0]) : 0;
        if (kind != 1 && kind != 2) revert InvalidTask("HDP-1105", "transactions have no such property");
        uint256 field = uint8(property[1]);
        uint256 last = uint256(kind == 1 ? uint8(type(TransactionField).max) : uint8(type(ReceiptField).max));
        if (field > last) revert InvalidTask("HDP-1104", "there is no such field");
        if (kind == 2 && field < uint8(ReceiptField.LOGS)) return ALL_TYPES;
        if (kind == 2) revert InvalidTask("HDP-1106", "LOGS and BLOOM are no integers");
        return _typesWith(TransactionField(field));
    }

    /// @dev The transaction types that have a field, which is an integer.
    function _typesWith(TransactionField field) private pure returns (uint256) {
        if (field == TransactionField.GAS_PRICE) return LEGACY | EIP2930;
        if (field == TransactionField.MAX_FEE_PER_GAS) return EIP1559 | EIP4844;
        if (field == TransactionField.MAX_PRIORITY_FEE_PER_GAS) return EIP1559 | EIP4844;
        if (field == TransactionField.MAX_FEE_PER_BLOB_GAS) return EIP4844;
        bool isBytes = field == TransactionField.TO || field == TransactionField.INPUT;
        bool isList = field == TransactionField.ACCESS_LIST || field == TransactionField.BLOB_VERSIONED_HASHES;
        if (isBytes || isList) {
            revert InvalidTask("HDP-1106", "TO, INPUT, ACCESS_LIST and BLOB_VERSIONED_HASHES are no integers");
        }
        return ALL_TYPES;
    }

    /// @dev The flags of an encoded word: four bytes of 0 or 1, legacy the most significant.
    function _typesOf(uint256 word) private pure returns (uint256 types) {
        if (word & ~uint256(0x01010101) != 0)
            revert InvalidTask("HDP-1122", "no word of HdpSampledProperty.includedTypes");
        for (uint256 i = 0; i < 4; ++i) {
            types |= ((word >> (8 * (3 - i))) & 1) << i;
        }
    }

    /// @notice Chains that task files have a name for: the rows of src/request/chains.ts, which a test compares.
    /// @return ids Chain ids: of Ethereum, of Optimism's kind, of Arbitrum's, and of others
    function chainIds() internal pure returns (uint256[15] memory ids) {
        (ids[0], ids[1]) = (1, 11155111);
        (ids[2], ids[3], ids[4], ids[5], ids[6], ids[7]) = (10, 11155420, 8453, 84532, 480, 4801);
        (ids[8], ids[9], ids[10], ids[11]) = (42161, 421614, 33139, 33111);
        (ids[12], ids[13], ids[14]) = (300, 23448594291968334, 393402133025997798000961);
    }

    /// @dev Whether task files have a name for the chain.
    function _isNamed(uint256 id) private pure returns (bool) {
        uint256[15] memory ids = chainIds();
        for (uint256 i = 0; i < ids.length; ++i) {
            if (ids[i] == id) return true;
        }
        return false;
    }
}
