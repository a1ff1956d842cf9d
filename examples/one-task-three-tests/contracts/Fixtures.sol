// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.21 <0.9.0;

// Task hashes and results, written by `npx hardhat hdp fixtures`.
// To change them, run it again.

import {HdpForm} from "hardhat-hdp/contracts/libraries/HdpTypes.sol";

// Task hash: average of header.base_fee_per_gas.
bytes32 constant FEE_TASK = 0xbe3a9bd28434357e26e61f59c5fe8cca56d9162be8c35bb34ff909a39ee467b2;
// Its result.
uint256 constant FEE_RESULT = 1000000000;
// Its form: HdpTask(FEE_TASK, FEE_FORM).
HdpForm constant FEE_FORM = HdpForm.Module;
