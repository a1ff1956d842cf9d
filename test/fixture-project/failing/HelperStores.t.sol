// SPDX-License-Identifier: MIT
pragma solidity ^0.8.21;

import {HdpTest} from "hardhat-hdp/contracts/test/HdpTest.sol";

import {FeeGate} from "../contracts/FeeGate.sol";

/// @notice Deploys what tests need: an HdpTest of its own, with a mock of its own.
contract Deployment is HdpTest {
    function gate() external returns (FeeGate) {
        return new FeeGate(address(store()), avgBaseFee(0, 9));
    }
}

/// @notice Each test fails: its contract reads the mock of its helper.
contract HelperStoresTest is HdpTest {
    FeeGate private _gate;

    function setUp() public {
        _gate = new Deployment().gate();
    }

    function test_finalizesInItsOwnStore() public {
        finalize(avgBaseFee(0, 9), 7 gwei);
        _gate.update(7 gwei);
    }

    function test_finalizesAnotherTask() public {
        finalize(avgBaseFee(1, 9), 7 gwei);
        _gate.update(7 gwei);
    }
}
