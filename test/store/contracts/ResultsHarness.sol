// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpExecutionStore} from "../../../contracts/interfaces/IHdpExecutionStore.sol";
import {IHdpTaskStore} from "../../../contracts/interfaces/IHdpTaskStore.sol";
import {HdpOutputRoot} from "../../../contracts/libraries/HdpOutputRoot.sol";
import {HdpResults} from "../../../contracts/libraries/HdpResults.sol";
import {HdpForm, HdpTask} from "../../../contracts/libraries/HdpTypes.sol";

/// @notice Reads by the library, and by an interface as a contract for one kind of store does.
contract ResultsHarness {
    function read(address store, bytes32 taskHash) external view returns (bytes32) {
        return HdpResults.read(store, taskHash);
    }

    function tryRead(address store, bytes32 taskHash) external view returns (bool finalized, bytes32 result) {
        return HdpResults.tryRead(store, taskHash);
    }

    function status(address store, bytes32 taskHash) external view returns (IHdpTaskStore.TaskStatus) {
        return HdpResults.status(store, taskHash);
    }

    /// @notice True where the library accepts the store, whatever the task.
    function requireStore(address store, bytes32) external view returns (bool) {
        HdpResults.requireStore(store);
        return true;
    }

    /// @notice Gas of reading by the library, and by the execution store's interface.
    function costs(address store, bytes32 taskHash) external view returns (uint256 library_, uint256 interface_) {
        HdpResults.read(store, taskHash);
        uint256 before = gasleft();
        HdpResults.read(store, taskHash);
        library_ = before - gasleft();
        before = gasleft();
        IHdpExecutionStore(store).getFinalizedTaskResult(taskHash);
        interface_ = before - gasleft();
    }
}

/// @notice Checks by the library what callers bring.
contract ChecksHarness {
    function requireValue(address store, HdpTask memory task, uint256 value) external view {
        HdpResults.requireValue(store, task, value);
    }

    function tryValue(address store, HdpTask memory task, uint256 value) external view returns (bool, bool) {
        return HdpResults.tryValue(store, task, value);
    }

    function requireFelt(address store, bytes32 taskHash, uint256 felt) external view {
        HdpResults.requireFelt(store, taskHash, felt);
    }

    function tryFelt(address store, bytes32 taskHash, uint256 felt) external view returns (bool, bool) {
        return HdpResults.tryFelt(store, taskHash, felt);
    }

    function requireMarked(address store, bytes32 taskHash, uint128[] memory values) external view {
        HdpResults.requireMarked(store, taskHash, values);
    }

    function tryMarked(address store, bytes32 taskHash, uint128[] memory values) external view returns (bool, bool) {
        return HdpResults.tryMarked(store, taskHash, values);
    }

    function requireDigest(address store, bytes32 taskHash, uint256[] memory words) external view {
        HdpResults.requireDigest(store, taskHash, words);
    }

    function tryDigest(address store, bytes32 taskHash, uint256[] memory words) external view returns (bool, bool) {
        return HdpResults.tryDigest(store, taskHash, words);
    }

    function requireDigestOfBytes(address store, bytes32 taskHash, bytes memory data) external view {
        HdpResults.requireDigestOfBytes(store, taskHash, data);
    }

    function tryDigestOfBytes(address store, bytes32 taskHash, bytes memory data) external view returns (bool, bool) {
        return HdpResults.tryDigestOfBytes(store, taskHash, data);
    }

    /// @notice Gas of each check, the first call of the store left out, and of the store's own function alone.
    function costs(
        address store,
        bytes4 selector,
        bytes32 taskHash,
        uint256 value
    ) external view returns (uint256 read, uint256 datalake, uint256 module, uint256 felt, uint256 eightWords) {
        HdpResults.tryRead(store, taskHash);
        HdpTask memory task = HdpTask(taskHash, HdpForm.Datalake);
        uint256[] memory words = new uint256[](8);
        bytes memory data = abi.encodeWithSelector(selector, taskHash);
        uint256 before = gasleft();
        (bool answered, ) = store.staticcall(data);
        read = before - gasleft();
        require(answered, "not the kind of the store");
        before = gasleft();
        HdpResults.tryValue(store, task, value);
        datalake = before - gasleft();
        task.form = HdpForm.Module;
        before = gasleft();
        HdpResults.tryValue(store, task, value);
        module = before - gasleft();
        before = gasleft();
        HdpResults.tryFelt(store, taskHash, value);
        felt = before - gasleft();
        before = gasleft();
        HdpResults.tryDigest(store, taskHash, words);
        eightWords = before - gasleft();
    }

    /// @notice Gas of a check of marked values, the first call of the store left out.
    function costOfMarked(address store, bytes32 taskHash, uint256 count) external view returns (uint256) {
        HdpResults.tryRead(store, taskHash);
        uint128[] memory values = new uint128[](count);
        uint256 before = gasleft();
        HdpResults.tryMarked(store, taskHash, values);
        return before - gasleft();
    }
}

/// @notice WRONG, do not copy: the caller chooses in which of two forms the word is read.
contract ChosenFormGate {
    address public immutable store;
    bytes32 public immutable task;
    uint256 public price;

    constructor(address executionStore, bytes32 taskHash) {
        store = executionStore;
        task = taskHash;
    }

    function update(HdpForm form, uint256 value) external {
        HdpResults.requireValue(store, HdpTask(task, form), value);
        price = value;
    }
}

/// @notice One contract for both kinds of store: deployed with a task in its form.
contract PriceGate {
    address public immutable store;
    HdpTask public task;
    uint256 public price;

    constructor(address executionStore, HdpTask memory priceTask) {
        store = executionStore;
        task = priceTask;
    }

    function update(uint256 value) external {
        HdpResults.requireValue(store, task, value);
        price = value;
    }
}

/// @notice WRONG, do not copy: compares the plain root of two halves.
contract PlainGate {
    address public immutable store;
    uint256 public price;

    constructor(address executionStore) {
        store = executionStore;
    }

    function settle(uint256 value) external {
        uint256[] memory felts = new uint256[](2);
        (felts[0], felts[1]) = (uint128(value), value >> 128);
        require(HdpOutputRoot.unorderedRoot(felts) == HdpResults.read(store, 0), "not the value");
        price = value;
    }
}

/// @notice A satellite that has one word for every task.
contract WordStore {
    bytes32 public word;

    function set(bytes32 newWord) external {
        word = newWord;
    }

    function getDataProcessorFinalizedTaskResult(bytes32) external view returns (bytes32) {
        return word;
    }

    /// @notice None, as before the result.
    function getDataProcessorTaskStatus(bytes32) external pure returns (uint256) {
        return 0;
    }
}

/// @notice Answers each function as it was told to.
contract ProgrammedStore {
    enum Does {
        UNKNOWN,
        RETURNS,
        REVERTS,
        BURNS,
        BURNS_INSIDE
    }

    struct Program {
        Does does;
        bytes data;
    }

    mapping(bytes4 selector => Program) private _programs;

    function program(bytes4 selector, Does does, bytes calldata data) external {
        _programs[selector] = Program(does, data);
    }

    fallback() external {
        Program storage known = _programs[msg.sig];
        bytes memory data = known.data;
        if (known.does == Does.RETURNS) {
            assembly {
                return(add(data, 32), mload(data))
            }
        }
        if (known.does == Does.BURNS) {
            assembly {
                invalid()
            }
        }
        // Spends the gas in a call, and says something else, as a proxy in front of a store may.
        if (known.does == Does.BURNS_INSIDE) {
            (bool success, ) = address(this).call(abi.encodeWithSignature("burn()"));
            require(success, "the facet failed");
        }
        assembly {
            revert(add(data, 32), mload(data))
        }
    }

    function burn() external pure {
        assembly {
            invalid()
        }
    }
}

/// @notice Needs much gas for the satellite's answer and little for another one by the execution store's names.
contract TwoFacedStore {
    uint256 private _work;

    function getFinalizedTaskResult(bytes32 taskCommitment) external view returns (bytes32) {
        _spend();
        return taskCommitment;
    }

    function getDataProcessorFinalizedTaskResult(bytes32) external pure returns (bytes32) {
        return bytes32(uint256(1));
    }

    function getDataProcessorTaskStatus(bytes32) external view returns (uint256) {
        _spend();
        return 2;
    }

    function getTaskStatus(bytes32) external pure returns (uint256) {
        return 0;
    }

    function _spend() private view {
        for (uint256 i = 0; i < 2000; ++i) {
            require(keccak256(abi.encode(_work, i)) != 0);
        }
    }
}

/// @notice Finds the contract that has a function by the selector, as the published satellites do (ERC-2535).
contract DiamondStore {
    mapping(bytes4 selector => address) private _facets;

    constructor(address facet, bytes4[] memory selectors) {
        for (uint256 i = 0; i < selectors.length; ++i) {
            _facets[selectors[i]] = facet;
        }
    }

    fallback() external {
        address facet = _facets[msg.sig];
        require(facet != address(0), "Diamond: Function does not exist");
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}
