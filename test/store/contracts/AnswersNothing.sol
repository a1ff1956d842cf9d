// SPDX-License-Identifier: MIT
pragma solidity >=0.8.21 <0.9.0;

/// @notice Accepts every call and answers nothing.
contract AnswersNothing {
    fallback() external {}
}
