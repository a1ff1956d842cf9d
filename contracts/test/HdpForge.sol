// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {HdpOutputRoot} from "../libraries/HdpOutputRoot.sol";
import {HdpResults} from "../libraries/HdpResults.sol";
import {HdpForm, HdpTask} from "../libraries/HdpTypes.sol";
import {HdpExecutionStoreMock} from "../mocks/HdpExecutionStoreMock.sol";
import {HdpTest} from "./HdpTest.sol";
import {IHdpCheatCodes} from "./IHdpCheatCodes.sol";

/// @notice A task that was computed from its file.
/// @param task Task hash and form
/// @param value Value
/// @param proven Whether every value was proven
/// @param anchorBlock Number of the block that the proofs rest on
/// @param anchorHash Hash of that block
struct HdpComputed {
    HdpTask task;
    uint256 value;
    bool proven;
    uint256 anchorBlock;
    bytes32 anchorHash;
}

/// @title HdpForge
/// @author The hardhat-hdp authors
/// @notice HdpTest for `forge test`: a mock outside the tests' gas, tasks computed from their files, and results
/// written into a published store on a fork. Goes along with forge-std and does not need it.
/// @dev Example:
///   contract FeeGateTest is HdpForge {
///       function test_opens() public {
///           HdpComputed memory fee = compute("tasks/fee.json");
///           FeeGate gate = new FeeGate(address(store()), fee.task);
///           finalize(fee.task, fee.value);
///           gate.update(fee.value);
///           require(gate.isOpen());
///       }
///   }
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
abstract contract HdpForge is HdpTest {
    // Private here too, so that a test may have the name.
    IHdpCheatCodes private constant CHEATS = IHdpCheatCodes(address(uint160(uint256(keccak256("hevm cheat code")))));

    bytes32 private constant SATELLITE_RESULTS = bytes32(
        uint256(keccak256("diamond.standard.satellite.module.storage.data-processor")) + 1
    );

    /// @notice The store keeps its results in no known place.
    /// @param executionStore The store
    error UnknownStorage(address executionStore);

    /// @notice The task was not computed.
    /// @param reason What `npx hardhat hdp explain` printed
    error NotComputed(string reason);

    /// @notice The store has another result for a task, or none.
    /// @param task Task hash
    /// @param finalized Whether there is a result
    /// @param word The result word
    /// @param expected The expected value
    error NotTheResult(bytes32 task, bool finalized, uint256 word, uint256 expected);

    /// @notice Network of hardhat.config.ts that `compute` reads. Override it for another one than the default.
    /// @return Name, empty for the default network
    function hdpNetwork() internal view virtual returns (string memory) {
        return "";
    }

    /// @notice Computes the datalake task of a file with `npx hardhat hdp explain`. Sends and finalizes nothing.
    /// @dev Needs `ffi = true`. Reverts with NotComputed.
    /// @param file Task file, from the project's folder
    /// @return computed The task in the form Datalake, its value and trust anchor
    function compute(string memory file) internal returns (HdpComputed memory computed) {
        string memory network = hdpNetwork();
        bool isDefault = bytes(network).length == 0;
        string[] memory command = new string[](isDefault ? 6 : 8);
        (command[0], command[1], command[2], command[3]) = ("npx", "hardhat", "hdp", "explain");
        (command[4], command[5]) = (file, "--json");
        if (!isDefault) (command[6], command[7]) = ("--network", network);
        IHdpCheatCodes.FfiResult memory printed = CHEATS.tryFfi(command);
        if (printed.exitCode != 0) revert NotComputed(string(printed.stderr));
        string memory json = string(printed.stdout);
        computed.task = HdpTask(CHEATS.parseJsonBytes32(json, ".taskHash"), HdpForm.Datalake);
        computed.value = CHEATS.parseJsonUint(json, ".value");
        computed.proven = CHEATS.parseJsonBool(json, ".proven");
        computed.anchorBlock = CHEATS.parseJsonUint(json, ".anchor.number");
        computed.anchorHash = CHEATS.parseJsonBytes32(json, ".anchor.hash");
    }

    /// @notice Writes the result of a task with a value into the storage of a published store, on a fork of its chain.
    /// @dev Reverts with UnknownStorage, and with HdpResults.NotAStore where there is no store, for instance without a fork.
    /// @param executionStore Satellite or execution store
    /// @param task Task hash and form
    /// @param value Value
    function finalizeOnFork(address executionStore, HdpTask memory task, uint256 value) internal {
        finalizeRawWordOnFork(executionStore, task.hash, HdpOutputRoot.wordOf(task.form, value));
    }

    /// @notice Writes a result word into the storage of a published store: for a module of your own, one of HdpOutputRoot's
    /// roots over its output.
    /// @dev Reverts as finalizeOnFork.
    /// @param executionStore Satellite or execution store
    /// @param task Task hash
    /// @param word Result word
    function finalizeRawWordOnFork(address executionStore, bytes32 task, bytes32 word) internal {
        HdpResults.tryRead(executionStore, task);
        if (_written(executionStore, task, word, SATELLITE_RESULTS)) return;
        // An execution store keeps its results behind the roles that it inherits.
        for (uint256 position = 0; position < 256; ++position) {
            if (_written(executionStore, task, word, bytes32(position))) return;
        }
        revert UnknownStorage(executionStore);
    }

    /// @notice Expects the mock to have a task with a value.
    /// @dev Reverts with NotTheResult.
    /// @param task Task hash and form
    /// @param value Expected value
    function expectFinalized(HdpTask memory task, uint256 value) internal {
        expectFinalized(address(store()), task, value);
    }

    /// @notice Expects a store to have a task with a value.
    /// @dev Reverts with NotTheResult.
    /// @param executionStore Satellite or execution store
    /// @param task Task hash and form
    /// @param value Expected value
    function expectFinalized(address executionStore, HdpTask memory task, uint256 value) internal view {
        (, bool matches) = HdpResults.tryValue(executionStore, task, value);
        if (matches) return;
        (bool finalized, bytes32 word) = HdpResults.tryRead(executionStore, task.hash);
        revert NotTheResult(task.hash, finalized, uint256(word), value);
    }

    /// @dev Deploys the mock outside the test's gas.
    function _deployStore() internal override returns (HdpExecutionStoreMock deployed) {
        CHEATS.pauseGasMetering();
        deployed = super._deployStore();
        CHEATS.resumeGasMetering();
        CHEATS.label(address(deployed), "HdpExecutionStoreMock");
    }

    /// @dev Hides the mock from invariant tests, which call each contract that they find in `setUp`, and so would spend most
    /// calls on the mock: its creation code runs as a call, and zeros behind its code make forge recognize no artifact in it.
    function _deploy(bytes memory creationCode) internal override returns (address deployed) {
        deployed = address(uint160(uint256(keccak256(abi.encode(this, creationCode)))));
        CHEATS.etch(deployed, creationCode);
        // solhint-disable-next-line avoid-low-level-calls
        (, bytes memory code) = deployed.call("");
        CHEATS.etch(deployed, bytes.concat(code, new bytes(code.length / 8)));
    }

    /// @dev Writes status and result where a mapping at this position has them, or leaves the storage as it was.
    function _written(address executionStore, bytes32 task, bytes32 newWord, bytes32 position) private returns (bool) {
        bytes32 status = keccak256(abi.encode(task, position));
        bytes32 result = bytes32(uint256(status) + 1);
        bytes32 oldStatus = CHEATS.load(executionStore, status);
        bytes32 oldResult = CHEATS.load(executionStore, result);
        CHEATS.store(executionStore, status, bytes32(uint256(2)));
        // Another word than before, so that a result that is there already is not taken for this one.
        bytes32 mark = ~oldResult;
        CHEATS.store(executionStore, result, mark);
        (bool finalized, bytes32 word) = HdpResults.tryRead(executionStore, task);
        bool isRead = finalized && word == mark;
        CHEATS.store(executionStore, status, isRead ? bytes32(uint256(2)) : oldStatus);
        CHEATS.store(executionStore, result, isRead ? newWord : oldResult);
        return isRead;
    }
}
