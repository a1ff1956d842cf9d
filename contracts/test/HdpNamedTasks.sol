// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpSampledProperty} from "../libraries/HdpSampledProperty.sol";
import {HdpTaskHash} from "../libraries/HdpTaskHash.sol";
import {
    AccountField,
    AggregateFn,
    BlockSampledDatalake,
    ComputationalTask,
    HdpForm,
    HeaderField,
    ModuleTask,
    Operator,
    ReceiptField,
    TransactionField,
    TransactionsInBlockDatalake
} from "../libraries/HdpTypes.sol";
import {HdpTaskRules} from "./HdpTaskRules.sol";
import {HdpTaskText} from "./HdpTaskText.sol";

/// @notice Kind of a task that a test named; NONE where it named none.
enum HdpTaskKind {
    NONE,
    BLOCKS,
    TRANSACTIONS,
    MODULE
}

/// @notice A task that a test named, of one kind.
/// @param kind Its kind
/// @param form Form of a datalake task
/// @param compute Function of a datalake task
/// @param blocks Sampled blocks
/// @param transactions Sampled transactions
/// @param module Module
struct HdpNamedTask {
    HdpTaskKind kind;
    HdpForm form;
    ComputationalTask compute;
    BlockSampledDatalake blocks;
    TransactionsInBlockDatalake transactions;
    ModuleTask module;
}

/// @title HdpNamedTasks
/// @author The hardhat-hdp authors
/// @notice The tasks that a test named: in words, and with one field changed until they have the hash that a contract derived.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
library HdpNamedTasks {
    /// @dev Distance of a number from that of the named task.
    uint256 private constant REACH = 8;
    /// @dev Distance of a range in lengths of its own: that of another period.
    uint256 private constant PERIODS = 64;
    /// @dev Distances of one digit and zeros: 10 to 9 * 10^6.
    uint256 private constant LAST_POWER = 1e6;

    /// @dev Bytes of an encoded account's field: kind, address, field.
    uint256 private constant ACCOUNT_BYTES = 22;
    /// @dev Bytes of an encoded slot of storage: kind, address, slot.
    uint256 private constant SLOT_BYTES = 53;

    /// @dev Slots of mappings from 0 up to this one.
    uint256 private constant LAST_MAPPING = 20;

    /// @dev Inputs of a module of which two neighbours may be a range: of more, as of a call's bytes, trying that takes long.
    uint256 private constant MAX_MOVED = 16;

    /// @dev Bits beside an address in a word.
    uint256 private constant BITS_BESIDE = 96;

    string private constant SHIFTED =
        "an input, shifted by 96 bits: bytes32(bytes20(account)) has the account on the left";
    string private constant PACKED = "the encoding: that of abi.encodePacked, and not of abi.encode";
    string private constant OF_STRUCT =
        "the encoding: that of abi.encode(task), and not of abi.encode(task.programHash, task.inputs)";

    /// @notice A named task in words.
    /// @param task The task
    /// @return The words
    function textOf(HdpNamedTask memory task) internal pure returns (string memory) {
        if (task.kind == HdpTaskKind.MODULE) return HdpTaskText.textOf(task.module);
        string memory text =
            task.kind == HdpTaskKind.BLOCKS
                ? HdpTaskText.textOf(task.blocks, task.compute)
                : HdpTaskText.textOf(task.transactions, task.compute);
        return string.concat(text, task.form == HdpForm.Module ? ", in the module form" : ", in the datalake form");
    }

    /// @notice Changes one field of a task so that it has a hash.
    /// @param task The task, left as it was where no such field is found
    /// @param hash The hash
    /// @param senders Accounts that may have called the contract which derived the hash
    /// @return The field in words, empty where none is found
    function vary(
        HdpNamedTask memory task,
        bytes32 hash,
        address[] memory senders
    ) internal view returns (string memory) {
        if (task.kind == HdpTaskKind.NONE) return "";
        if (task.kind == HdpTaskKind.MODULE) return _varyModule(task, hash);
        if (_isOfOtherForm(task, hash)) return "the form";
        (uint256 datalake, uint256 compute, uint256 property) = _places(task);
        if (_is(task, hash, datalake, block.chainid)) return "the chain: that of block.chainid";
        if (_isOfOtherChain(task, hash, datalake)) return "the chain";
        if (_isUpTo(task, hash, compute, uint256(AggregateFn.COUNT))) return "the function";
        if (_isUpTo(task, hash, compute + 32, uint256(Operator.LTEQ))) return "the operator";
        if (_isNear(task, hash, compute + 64)) return "the value to compare";
        if (_isOfOtherUnit(task, hash, compute + 64)) return "the value to compare";
        string memory other = _varyProperty(task, hash, property, senders);
        if (bytes(other).length == 0) other = _varyPlace(task, hash, datalake);
        return bytes(other).length > 0 ? other : _varyEncoding(task, hash);
    }

    /// @dev Changes an input of a module, swaps two neighbours or moves both, as the ends of a range, or encodes it otherwise.
    function _varyModule(HdpNamedTask memory task, bytes32 hash) private pure returns (string memory) {
        bytes32[] memory inputs = _moveToEncoding(task.module);
        for (uint256 i = 0; i < inputs.length; ++i) {
            uint256 place;
            assembly ("memory-safe") {
                place := add(add(inputs, 32), mul(i, 32))
            }
            if (_isNear(task, hash, place)) return "an input";
            if (_isShifted(task, hash, place)) return SHIFTED;
            if (i == 0) continue;
            if (_isSwapped(task, hash, place - 32)) return "an input";
            bool isRange = inputs.length <= MAX_MOVED && inputs[i - 1] < inputs[i];
            if (isRange && _isMoved(task, hash, place - 32)) return "two inputs, moved alike";
        }
        return _encodingOf(task.module, hash);
    }

    /// @dev Moves a module's inputs into its encoding, where a changed one is hashed at once: a module may have hundreds,
    /// and each is tried with hundreds of values.
    function _moveToEncoding(ModuleTask memory module) private pure returns (bytes32[] memory inputs) {
        bytes memory encoded = HdpTaskHash.encodeModuleTask(module);
        assembly ("memory-safe") {
            // Behind the number of bytes, the program hash and the offset of the inputs.
            inputs := add(encoded, 96)
        }
        module.inputs = inputs;
    }

    /// @dev Encodes a datalake task in another way: as for older stores, or as a contract may that hashes it by hand.
    function _varyEncoding(HdpNamedTask memory task, bytes32 hash) private pure returns (string memory) {
        bool isOfBlocks = task.kind == HdpTaskKind.BLOCKS;
        ComputationalTask memory compute = task.compute;
        if (task.form == HdpForm.Module) {
            return
                _encodingOf(
                    isOfBlocks
                        ? HdpTaskHash.asModule(task.blocks, compute)
                        : HdpTaskHash.asModule(task.transactions, compute),
                    hash
                );
        }
        bytes32 withoutChain =
            isOfBlocks
                ? HdpTaskHash.taskHashWithoutChainId(task.blocks, compute)
                : HdpTaskHash.taskHashWithoutChainId(task.transactions, compute);
        if (withoutChain == hash) return "the encoding: without chain id, as for stores from before July 2024";
        bytes32 encoded = keccak256(
            isOfBlocks ? HdpTaskHash.encodeDatalake(task.blocks) : HdpTaskHash.encodeDatalake(task.transactions)
        );
        bytes32 packed = keccak256(isOfBlocks ? _packed(task.blocks) : _packed(task.transactions));
        bool isPacked =
            keccak256(abi.encodePacked(packed, HdpTaskHash.encodeCompute(compute))) == hash ||
                _packedHash(packed, compute) == hash ||
                _packedHash(encoded, compute) == hash;
        return isPacked ? PACKED : "";
    }

    /// @dev How a module was encoded that has a hash, where it was in one of the ways that come to mind.
    function _encodingOf(ModuleTask memory module, bytes32 hash) private pure returns (string memory) {
        if (keccak256(abi.encodePacked(module.programHash, module.inputs)) == hash) return PACKED;
        return keccak256(abi.encode(module)) == hash ? OF_STRUCT : "";
    }

    /// @dev A datalake as HdpTaskHash.encodeDatalake has it, packed.
    function _packed(BlockSampledDatalake memory datalake) private pure returns (bytes memory) {
        return
            abi.encodePacked(
                uint256(0),
                datalake.chainId,
                datalake.blockRangeStart,
                datalake.blockRangeEnd,
                datalake.increment,
                datalake.sampledProperty
            );
    }

    /// @dev A datalake as HdpTaskHash.encodeDatalake has it, packed.
    function _packed(TransactionsInBlockDatalake memory datalake) private pure returns (bytes memory) {
        return
            abi.encodePacked(
                uint256(1),
                datalake.chainId,
                datalake.targetBlock,
                datalake.startIndex,
                datalake.endIndex,
                datalake.increment,
                datalake.includedTypes,
                datalake.sampledProperty
            );
    }

    /// @dev The hash of a datalake's hash and a function, packed: a byte each for function and operator.
    function _packedHash(bytes32 datalake, ComputationalTask memory compute) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(datalake, compute.aggregateFnId, compute.operatorId, compute.valueToCompare));
    }

    /// @dev Takes the other form of a datalake task.
    function _isOfOtherForm(HdpNamedTask memory task, bytes32 hash) private pure returns (bool) {
        HdpForm old = task.form;
        task.form = old == HdpForm.Module ? HdpForm.Datalake : HdpForm.Module;
        if (_hashOf(task) == hash) return true;
        task.form = old;
        return false;
    }

    /// @dev Takes another chain: the first word of a datalake.
    function _isOfOtherChain(HdpNamedTask memory task, bytes32 hash, uint256 datalake) private pure returns (bool) {
        uint256[15] memory ids = HdpTaskRules.chainIds();
        for (uint256 i = 0; i < ids.length; ++i) {
            if (_is(task, hash, datalake, ids[i])) return true;
        }
        return false;
    }

    /// @dev Takes another slot, field or account, in the word with which the property ends.
    function _varyProperty(
        HdpNamedTask memory task,
        bytes32 hash,
        uint256 place,
        address[] memory senders
    ) private view returns (string memory) {
        uint256 length = _propertyOf(task).length;
        if (length == SLOT_BYTES) {
            return _isNear(task, hash, place) ? "the slot" : _varySlot(task, hash, place, senders);
        }
        if (_isUpTo(task, hash, place, _lastField(task))) return "the property";
        return length == ACCOUNT_BYTES ? _varyAccount(task, hash, place, senders) : "";
    }

    /// @dev Takes the slot that a sender has in a mapping.
    function _varySlot(
        HdpNamedTask memory task,
        bytes32 hash,
        uint256 place,
        address[] memory senders
    ) private view returns (string memory) {
        for (uint256 i = 0; i < senders.length; ++i) {
            for (uint256 mapping_ = 0; mapping_ <= LAST_MAPPING; ++mapping_) {
                uint256 slot = uint256(HdpSampledProperty.mappingSlot(mapping_, senders[i]));
                if (!_is(task, hash, place, slot)) continue;
                string memory ofMapping = string.concat(" in the mapping at slot ", HdpTaskText.decimal(mapping_));
                return string.concat("the slot: that of ", _senderText(senders[i]), ofMapping);
            }
        }
        return "";
    }

    /// @dev Takes a sender as the account, before the last byte.
    function _varyAccount(
        HdpNamedTask memory task,
        bytes32 hash,
        uint256 place,
        address[] memory senders
    ) private view returns (string memory) {
        uint256 rest = _wordAt(place) & ~(uint256(type(uint160).max) << 8);
        for (uint256 i = 0; i < senders.length; ++i) {
            uint256 word = rest | (uint256(uint160(senders[i])) << 8);
            if (_is(task, hash, place, word)) return string.concat("the account: ", _senderText(senders[i]));
        }
        return "";
    }

    /// @dev A sender in words: a test calls contracts itself where a prank was forgotten, or another of its contracts does.
    function _senderText(address sender) private view returns (string memory) {
        string memory account = HdpTaskText.hexadecimal(abi.encodePacked(sender));
        if (sender == address(this)) return string.concat("the test contract ", account);
        return string.concat(sender.code.length > 0 ? "the contract " : "the sender ", account);
    }

    /// @dev Takes another block of transactions, another range, or another step.
    function _varyPlace(HdpNamedTask memory task, bytes32 hash, uint256 datalake) private pure returns (string memory) {
        bool isOfBlocks = task.kind == HdpTaskKind.BLOCKS;
        if (!isOfBlocks && _isNear(task, hash, datalake + 32)) return "the block";
        if (!isOfBlocks && _isFar(task, hash, datalake + 32)) return "the block";
        uint256 range = datalake + (isOfBlocks ? 32 : 64);
        if (_isNear(task, hash, range) || _isNear(task, hash, range + 32)) return "the range";
        if (_isFar(task, hash, range) || _isFar(task, hash, range + 32)) return "the range";
        if (_isMoved(task, hash, range)) return "the range";
        if (_isSwapped(task, hash, range)) return "the range: its ends are swapped";
        if (_isNear(task, hash, range + 64) || _isUsualStep(task, hash, range + 64)) return "the step";
        return "";
    }

    /// @dev Takes another step that is usual: one, a round number, or the blocks of an hour, a day, a week or a month.
    function _isUsualStep(HdpNamedTask memory task, bytes32 hash, uint256 place) private pure returns (bool) {
        uint24[12] memory steps = [uint24(1), 10, 50, 100, 300, 1_000, 1_800, 3_600, 7_200, 50_400, 216_000, 219_000];
        for (uint256 i = 0; i < steps.length; ++i) {
            if (_is(task, hash, place, steps[i])) return true;
        }
        return false;
    }

    /// @dev Moves both ends of the range, from its first word on: by little, by lengths of its own, with the last one or
    /// without it, or by a round number.
    function _isMoved(HdpNamedTask memory task, bytes32 hash, uint256 place) private pure returns (bool) {
        (uint256 first, uint256 last) = (_wordAt(place), _wordAt(place + 32));
        for (uint256 distance = 1; distance <= REACH; ++distance) {
            if (_isMovedBy(task, hash, place, distance)) return true;
        }
        // Words that are no ends of a range may be of any size.
        if (last < first || last > type(uint64).max) return false;
        for (uint256 length = last - first; length <= last - first + 1; ++length) {
            for (uint256 times = 1; times <= PERIODS; ++times) {
                if (_isMovedBy(task, hash, place, times * length)) return true;
            }
        }
        for (uint256 power = 10; power <= LAST_POWER; power *= 10) {
            for (uint256 digit = 1; digit < 10; ++digit) {
                if (_isMovedBy(task, hash, place, digit * power)) return true;
            }
        }
        return false;
    }

    /// @dev Moves both ends of the range, from its first word on, by a distance up or down.
    function _isMovedBy(
        HdpNamedTask memory task,
        bytes32 hash,
        uint256 place,
        uint256 distance
    ) private pure returns (bool) {
        (uint256 first, uint256 last) = (_wordAt(place), _wordAt(place + 32));
        unchecked {
            _setWord(place, first + distance);
            if (_is(task, hash, place + 32, last + distance)) return true;
            if (first >= distance) {
                _setWord(place, first - distance);
                if (_is(task, hash, place + 32, last - distance)) return true;
            }
        }
        _setWord(place, first);
        return false;
    }

    /// @dev Swaps the ends of the range, from its first word on.
    function _isSwapped(HdpNamedTask memory task, bytes32 hash, uint256 place) private pure returns (bool) {
        (uint256 first, uint256 last) = (_wordAt(place), _wordAt(place + 32));
        _setWord(place, last);
        if (_is(task, hash, place + 32, first)) return true;
        _setWord(place, first);
        return false;
    }

    /// @dev Takes another of the ids up to the last, in the last byte of a word.
    function _isUpTo(HdpNamedTask memory task, bytes32 hash, uint256 place, uint256 last) private pure returns (bool) {
        uint256 rest = _wordAt(place) & ~uint256(0xff);
        for (uint256 id = 0; id <= last; ++id) {
            if (_is(task, hash, place, rest | id)) return true;
        }
        return false;
    }

    /// @dev Takes a number that is near.
    function _isNear(HdpNamedTask memory task, bytes32 hash, uint256 place) private pure returns (bool) {
        uint256 old = _wordAt(place);
        for (uint256 distance = 1; distance <= REACH; ++distance) {
            if (old <= type(uint256).max - distance && _is(task, hash, place, old + distance)) return true;
            if (old >= distance && _is(task, hash, place, old - distance)) return true;
        }
        return false;
    }

    /// @dev Takes a word with an address moved to its other side, where nothing is lost.
    function _isShifted(HdpNamedTask memory task, bytes32 hash, uint256 place) private pure returns (bool) {
        uint256 old = _wordAt(place);
        (uint256 left, uint256 right) = (old << BITS_BESIDE, old >> BITS_BESIDE);
        if (left >> BITS_BESIDE == old && _is(task, hash, place, left)) return true;
        return right << BITS_BESIDE == old && _is(task, hash, place, right);
    }

    /// @dev Takes a number in another unit, or with a moved decimal point.
    function _isOfOtherUnit(HdpNamedTask memory task, bytes32 hash, uint256 place) private pure returns (bool) {
        uint256 old = _wordAt(place);
        for (uint256 factor = 10; factor <= 1 ether; factor *= 10) {
            if (old <= type(uint256).max / factor && _is(task, hash, place, old * factor)) return true;
            if (_is(task, hash, place, old / factor)) return true;
        }
        return false;
    }

    /// @dev Takes a number that is a round number away.
    function _isFar(HdpNamedTask memory task, bytes32 hash, uint256 place) private pure returns (bool) {
        uint256 old = _wordAt(place);
        for (uint256 power = 10; power <= LAST_POWER; power *= 10) {
            for (uint256 digit = 1; digit < 10; ++digit) {
                uint256 distance = digit * power;
                if (old <= type(uint256).max - distance && _is(task, hash, place, old + distance)) return true;
                if (old >= distance && _is(task, hash, place, old - distance)) return true;
            }
        }
        return false;
    }

    /// @dev Takes another word, and the old one again where the task does not have the hash then.
    function _is(HdpNamedTask memory task, bytes32 hash, uint256 place, uint256 word) private pure returns (bool) {
        uint256 old = _wordAt(place);
        _setWord(place, word);
        if (_hashOf(task) == hash) return true;
        _setWord(place, old);
        return false;
    }

    /// @dev Where a datalake task has in memory the words of its datalake, those of its function, and the word with which
    /// the property ends.
    function _places(
        HdpNamedTask memory task
    ) private pure returns (uint256 datalake, uint256 compute, uint256 property) {
        BlockSampledDatalake memory blocks = task.blocks;
        TransactionsInBlockDatalake memory transactions = task.transactions;
        ComputationalTask memory function_ = task.compute;
        bytes memory encoded = _propertyOf(task);
        bool isOfBlocks = task.kind == HdpTaskKind.BLOCKS;
        assembly ("memory-safe") {
            datalake := transactions
            if isOfBlocks {
                datalake := blocks
            }
            compute := function_
            property := add(encoded, mload(encoded))
        }
    }

    /// @dev A word of memory.
    function _wordAt(uint256 place) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(place)
        }
    }

    /// @dev Sets a word of a task in memory.
    function _setWord(uint256 place, uint256 word) private pure {
        assembly ("memory-safe") {
            mstore(place, word)
        }
    }

    /// @dev The hash of a task. A module's inputs are in its encoding. Memory that was used is free again: hundreds of tasks
    /// are hashed.
    function _hashOf(HdpNamedTask memory task) private pure returns (bytes32 hash) {
        if (task.kind == HdpTaskKind.MODULE) {
            bytes32[] memory inputs = task.module.inputs;
            assembly ("memory-safe") {
                hash := keccak256(sub(inputs, 64), add(96, mul(32, mload(inputs))))
            }
            return hash;
        }
        uint256 free;
        assembly ("memory-safe") {
            free := mload(0x40)
        }
        hash =
            task.kind == HdpTaskKind.BLOCKS
                ? HdpTaskHash.inForm(task.form, task.blocks, task.compute).hash
                : HdpTaskHash.inForm(task.form, task.transactions, task.compute).hash;
        assembly ("memory-safe") {
            mstore(0x40, free)
        }
    }

    /// @dev The encoded property of a datalake task.
    function _propertyOf(HdpNamedTask memory task) private pure returns (bytes memory) {
        return task.kind == HdpTaskKind.BLOCKS ? task.blocks.sampledProperty : task.transactions.sampledProperty;
    }

    /// @dev The last id of the fields of a property's kind.
    function _lastField(HdpNamedTask memory task) private pure returns (uint256) {
        bytes memory property = _propertyOf(task);
        bool isOfBlocks = task.kind == HdpTaskKind.BLOCKS;
        if (isOfBlocks && property.length == ACCOUNT_BYTES) return uint256(type(AccountField).max);
        if (isOfBlocks) return uint256(type(HeaderField).max);
        return uint256(property[0] == 0x01 ? uint8(type(TransactionField).max) : uint8(type(ReceiptField).max));
    }
}
