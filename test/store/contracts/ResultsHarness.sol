// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20 <0.9.0;

import {IHdpSatellite} from "../../../contracts/interfaces/IHdpSatellite.sol";
import {IHdpTaskStore} from "../../../contracts/interfaces/IHdpTaskStore.sol";
import {HdpResults} from "../../../contracts/libraries/HdpResults.sol";

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

    /// @notice Gas of reading by the library, and by the satellite's interface.
    function costs(address store, bytes32 taskHash) external view returns (uint256 library_, uint256 interface_) {
        HdpResults.read(store, taskHash);
        uint256 before = gasleft();
        HdpResults.read(store, taskHash);
        library_ = before - gasleft();
        before = gasleft();
        IHdpSatellite(store).getDataProcessorFinalizedTaskResult(taskHash);
        interface_ = before - gasleft();
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

    function getDataProcessorFinalizedTaskResult(bytes32 taskCommitment) external view returns (bytes32) {
        _spend();
        return taskCommitment;
    }

    function getFinalizedTaskResult(bytes32) external pure returns (bytes32) {
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
        for (uint256 i = 0; i < 2000; i++) {
            require(keccak256(abi.encode(_work, i)) != 0);
        }
    }
}

/// @notice Finds the contract that has a function by the selector, as the published satellites do (ERC-2535).
contract DiamondStore {
    mapping(bytes4 selector => address) private _facets;

    constructor(address facet, bytes4[] memory selectors) {
        for (uint256 i = 0; i < selectors.length; i++) {
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
