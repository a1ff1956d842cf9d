// SPDX-License-Identifier: MIT

// Unit tests of `main`: snforge test. Chain data is mocked, nothing is proven.
use hardhat_hdp_module::mocks::{handle, mock_account_balance, mock_starknet_storage};
use hardhat_hdp_module::output::marked;
use crate::Module;

fn compared(locked: u256, minted: felt252) -> [felt252; 5] {
    mock_account_balance(1, 7, 0x1234, locked);
    mock_starknet_storage('SN_MAIN', 9, 0x5678, 3, minted);
    mock_starknet_storage('SN_MAIN', 9, 0x5678, 4, 0);
    let mut state = Module::contract_state_for_testing();
    Module::main(ref state, handle(), 1, 7, 0x1234, 'SN_MAIN', 9, 0x5678, 3)
}

#[test]
fn is_backed_by_as_much_as_was_minted() {
    assert(compared(11, 11) == marked([11, 0, 11, 0, 1]), 'not backed');
}

#[test]
fn is_not_backed_by_less() {
    assert(compared(10, 11) == marked([10, 0, 11, 0, 0]), 'backed');
}
