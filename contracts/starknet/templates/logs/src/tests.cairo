// SPDX-License-Identifier: MIT

// Unit tests of `main`: snforge test. Chain data is mocked, nothing is proven.
use hardhat_hdp_module::mocks::{handle, mock_log};
use hardhat_hdp_module::output::marked;
use crate::Module;

const TOKEN: u256 = 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2;
const TRANSFER: u256 = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;

#[test]
fn counts_and_sums_the_transfers_of_the_token_alone() {
    mock_log(1, 7, 2, 0, TOKEN, [TRANSFER].span(), [5].span());
    mock_log(1, 7, 2, 1, TOKEN, [0x1234].span(), [1].span());
    mock_log(1, 7, 2, 2, 0x5678, [TRANSFER].span(), [1].span());
    mock_log(1, 7, 2, 3, TOKEN, [TRANSFER].span(), [6].span());
    let mut state = Module::contract_state_for_testing();
    let returned = Module::main(ref state, handle(), 1, TOKEN, 7, 2, 4);
    assert(returned == marked([2, 11, 0]), 'count and sum');
}
