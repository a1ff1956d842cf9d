// SPDX-License-Identifier: MIT

// Unit tests of `main`: snforge test. Chain data is mocked, nothing is proven.
use hardhat_hdp_module::fields::{header, receipt};
use hardhat_hdp_module::mocks::{
    event_bloom, handle, mock_header, mock_header_logs_bloom, mock_log, mock_receipt,
    mock_receipt_bloom,
};
use hardhat_hdp_module::output::marked;
use crate::{Module, ReceiptToRead};

const TOKEN: u256 = 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2;
const TRANSFER: u256 = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;
const EMPTY: [u256; 8] = [0; 8];

/// Block 7 has two transactions, the second with two transfers of the token; block 8 has no logs.
fn mock_blocks() {
    let bloom = event_bloom(TOKEN, TRANSFER);
    mock_header_logs_bloom(1, 7, bloom.span());
    mock_header(1, 7, header::GAS_USED, 63000);
    mock_header_logs_bloom(1, 8, EMPTY.span());
    mock_receipt_bloom(1, 7, 0, EMPTY.span());
    mock_receipt(1, 7, 0, receipt::CUMULATIVE_GAS_USED, 21000);
    mock_receipt_bloom(1, 7, 1, bloom.span());
    mock_receipt(1, 7, 1, receipt::CUMULATIVE_GAS_USED, 63000);
    mock_log(1, 7, 1, 0, TOKEN, [TRANSFER].span(), [5].span());
    mock_log(1, 7, 1, 1, TOKEN, [TRANSFER].span(), [6].span());
}

fn sum(receipts: Span<ReceiptToRead>) -> [felt252; 6] {
    mock_blocks();
    let mut state = Module::contract_state_for_testing();
    Module::main(ref state, handle(), 1, TOKEN, TRANSFER, 7, 8, receipts)
}

const PAYMENT: ReceiptToRead = ReceiptToRead { block: 7, transaction: 0, logs: 0 };
const TRANSFERS: ReceiptToRead = ReceiptToRead { block: 7, transaction: 1, logs: 2 };

#[test]
fn says_of_which_blocks_all_receipts_were_read() {
    let all = sum([PAYMENT, TRANSFERS].span());
    assert(all == marked([2, 11, 0, 1, 1, 1]), 'one excluded, one read');
}

#[test]
fn counts_no_block_as_read_of_which_a_receipt_is_missing() {
    assert(sum([TRANSFERS].span()) == marked([2, 11, 0, 1, 0, 1]), 'without the first');
    assert(sum([PAYMENT].span()) == marked([0, 0, 0, 1, 0, 0]), 'without the last');
    assert(sum([].span()) == marked([0, 0, 0, 1, 0, 0]), 'without any');
}

#[test]
#[should_panic(expected: 'receipts are not in order')]
fn counts_no_receipt_twice() {
    sum([TRANSFERS, TRANSFERS].span());
}

#[test]
#[should_panic(expected: 'receipts that no block needs')]
fn takes_no_receipt_of_a_block_that_is_excluded() {
    sum([ReceiptToRead { block: 8, transaction: 0, logs: 1 }].span());
}
