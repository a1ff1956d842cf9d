// SPDX-License-Identifier: MIT

// Unit tests of `main`: snforge test. Chain data is mocked, nothing is proven.
use hardhat_hdp_module::mocks::{handle, mock_account_balance};
use hardhat_hdp_module::output::marked_u256;
use crate::Module;

const ACCOUNT: felt252 = 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266;

#[test]
fn sums_the_balance_of_each_block() {
    mock_account_balance(1, 7, ACCOUNT, 5);
    mock_account_balance(1, 8, ACCOUNT, 0x100000000000000000000000000000000);
    let mut state = Module::contract_state_for_testing();
    let sum = Module::main(ref state, handle(), 1, ACCOUNT, 7, 8);
    assert(sum == marked_u256(0x100000000000000000000000000000005), 'sum');
}

#[test]
#[should_panic(expected: ('no blocks in the range',))]
fn refuses_a_range_without_blocks() {
    let mut state = Module::contract_state_for_testing();
    Module::main(ref state, handle(), 1, ACCOUNT, 8, 7);
}
