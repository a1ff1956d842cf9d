// SPDX-License-Identifier: MIT

// Unit tests of `main`: snforge test. Chain data and tries are mocked, nothing is proven.
use hardhat_hdp_module::HDPTrait;
use hardhat_hdp_module::mocks::{handle, mock_account_balance, mock_state, mock_state_value};
use hardhat_hdp_module::output::digest;
use crate::Module;

const VOTER: felt252 = 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266;

#[test]
fn counts_a_vote_on_top_of_the_others() {
    mock_account_balance(1, 7, VOTER, 1);
    mock_state('votes');
    mock_state_value('votes', 'yes', 2);
    let mut state = Module::contract_state_for_testing();
    let returned = Module::main(ref state, handle(), 1, 7, VOTER, 'yes');
    let root = handle().state_root('votes').unwrap();
    assert(returned == digest(array![root.into(), 3].span()), 'root and sum');
    assert(handle().state_read('votes', 'yes') == Option::Some(3), 'kept');
}

#[test]
#[should_panic(expected: ('voted already',))]
fn counts_no_voter_twice() {
    mock_account_balance(1, 7, VOTER, 1);
    mock_state('votes');
    let mut state = Module::contract_state_for_testing();
    Module::main(ref state, handle(), 1, 7, VOTER, 'yes');
    Module::main(ref state, handle(), 1, 7, VOTER, 'no');
}

#[test]
#[should_panic(expected: ('no balance',))]
fn counts_no_voter_without_a_balance() {
    mock_account_balance(1, 7, VOTER, 0);
    let mut state = Module::contract_state_for_testing();
    Module::main(ref state, handle(), 1, 7, VOTER, 'yes');
}
