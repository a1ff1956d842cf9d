// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

import {IHdpAggregatorsFactory} from "../interfaces/IHdpAggregatorsFactory.sol";
import {IHdpFactsRegistry} from "../interfaces/IHdpFactsRegistry.sol";
import {HdpStoreMock} from "../mocks/HdpStoreMock.sol";
import {HdpStoreKind} from "../mocks/HdpTaskStateMock.sol";
import {IHdpFailedReads} from "./IHdpFailedReads.sol";

/// @title HdpTestStore
/// @author The hardhat-hdp authors
/// @notice The mock of HdpTest: of a read of a task without a result, it lets the test log why.
/// @custom:security-contact https://github.com/hardhat-hdp/hardhat-hdp/security
contract HdpTestStore is HdpStoreMock {
    /// @notice The test that names the tasks.
    /// @dev A getter `test` would be run as a test.
    // solhint-disable-next-line immutable-vars-naming
    IHdpFailedReads public immutable TEST;

    /// @dev Hashes of the tasks with results, oldest first.
    bytes32[] private _finalized;

    /// @notice Deploys the mock. The deployer is its operator.
    /// @param factsRegistry Registry that is asked for facts
    /// @param aggregatorsFactory Factory that knows the aggregators of MMR roots
    /// @param chainId Source chain whose MMR roots cacheMmrRoot caches
    /// @param kind Kind of store that the mock stands for
    /// @param test The test that names the tasks
    constructor(
        IHdpFactsRegistry factsRegistry,
        IHdpAggregatorsFactory aggregatorsFactory,
        uint256 chainId,
        HdpStoreKind kind,
        IHdpFailedReads test
    ) HdpStoreMock(factsRegistry, aggregatorsFactory, 0, chainId, new address[](0), kind) {
        TEST = test;
    }

    /// @dev Keeps which tasks have results.
    function _finalize(bytes32 taskCommitment, bytes32 taskResult) internal override {
        if (_tasks[taskCommitment].status != TaskStatus.FINALIZED) _finalized.push(taskCommitment);
        super._finalize(taskCommitment, taskResult);
    }

    /// @dev Lets the test say why. A read ends as it does where that runs out of gas.
    function _failedRead(bytes32 taskCommitment) internal view override {
        // solhint-disable-next-line no-empty-blocks
        try TEST.hdpFailedRead(taskCommitment, _finalized) {} catch {}
    }
}
