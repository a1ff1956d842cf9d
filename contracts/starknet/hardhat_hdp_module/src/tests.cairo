// SPDX-License-Identifier: MIT
use crate::bloom::{EventBitsTrait, event_bits};
use crate::fields::{account, header, receipt, starknet_header, transaction};
use crate::mocks::{
    event_bloom, handle, mock_account, mock_header, mock_header_logs_bloom, mock_log, mock_receipt,
    mock_receipt_bloom, mock_starknet_header, mock_starknet_storage, mock_state, mock_state_value,
    mock_storage, mock_transaction,
};
use crate::reads::HDPTrait;

const CHAIN: felt252 = 11155111;
const LARGE: u256 = 0x100000000000000000000000000000002;

#[test]
fn each_number_of_a_header_is_read_by_its_name() {
    let mut field: u8 = 0;
    for _ in 0_u8..21 {
        mock_header(CHAIN, 7, field, LARGE + field.into());
        field += 1;
    }
    let hdp = handle();
    let read = [
        (header::PARENT_HASH, hdp.header_parent_hash(CHAIN, 7)),
        (header::OMMERS_HASH, hdp.header_ommers_hash(CHAIN, 7)),
        (header::BENEFICIARY, hdp.header_beneficiary(CHAIN, 7)),
        (header::STATE_ROOT, hdp.header_state_root(CHAIN, 7)),
        (header::TRANSACTIONS_ROOT, hdp.header_transactions_root(CHAIN, 7)),
        (header::RECEIPTS_ROOT, hdp.header_receipts_root(CHAIN, 7)),
        (header::DIFFICULTY, hdp.header_difficulty(CHAIN, 7)),
        (header::NUMBER, hdp.header_number(CHAIN, 7)),
        (header::GAS_LIMIT, hdp.header_gas_limit(CHAIN, 7)),
        (header::GAS_USED, hdp.header_gas_used(CHAIN, 7)),
        (header::TIMESTAMP, hdp.header_timestamp(CHAIN, 7)),
        (header::MIX_HASH, hdp.header_mix_hash(CHAIN, 7)),
        (header::NONCE, hdp.header_nonce(CHAIN, 7)),
        (header::BASE_FEE_PER_GAS, hdp.header_base_fee_per_gas(CHAIN, 7)),
        (header::WITHDRAWALS_ROOT, hdp.header_withdrawals_root(CHAIN, 7)),
        (header::BLOB_GAS_USED, hdp.header_blob_gas_used(CHAIN, 7)),
        (header::EXCESS_BLOB_GAS, hdp.header_excess_blob_gas(CHAIN, 7)),
        (header::PARENT_BEACON_BLOCK_ROOT, hdp.header_parent_beacon_block_root(CHAIN, 7)),
        (header::REQUESTS_HASH, hdp.header_requests_hash(CHAIN, 7)),
    ];
    for (field, value) in read.span() {
        assert(*value == LARGE + (*field).into(), 'header');
    }
}

#[test]
fn each_number_of_a_transaction_is_read_by_its_name() {
    let mut field: u8 = 0;
    for _ in 0_u8..19 {
        mock_transaction(CHAIN, 7, 3, field, LARGE + field.into());
        field += 1;
    }
    let hdp = handle();
    let read = [
        (transaction::NONCE, hdp.transaction_nonce(CHAIN, 7, 3)),
        (transaction::GAS_PRICE, hdp.transaction_gas_price(CHAIN, 7, 3)),
        (transaction::GAS_LIMIT, hdp.transaction_gas_limit(CHAIN, 7, 3)),
        (transaction::TO, hdp.transaction_to(CHAIN, 7, 3)),
        (transaction::VALUE, hdp.transaction_value(CHAIN, 7, 3)),
        (transaction::V, hdp.transaction_v(CHAIN, 7, 3)),
        (transaction::R, hdp.transaction_r(CHAIN, 7, 3)),
        (transaction::S, hdp.transaction_s(CHAIN, 7, 3)),
        (transaction::CHAIN_ID, hdp.transaction_chain_id(CHAIN, 7, 3)),
        (transaction::MAX_FEE_PER_GAS, hdp.transaction_max_fee_per_gas(CHAIN, 7, 3)),
        (
            transaction::MAX_PRIORITY_FEE_PER_GAS,
            hdp.transaction_max_priority_fee_per_gas(CHAIN, 7, 3),
        ),
        (transaction::MAX_FEE_PER_BLOB_GAS, hdp.transaction_max_fee_per_blob_gas(CHAIN, 7, 3)),
        (transaction::TYPE, hdp.transaction_type(CHAIN, 7, 3)),
        (transaction::SENDER, hdp.transaction_sender(CHAIN, 7, 3)),
        (transaction::HASH, hdp.transaction_hash(CHAIN, 7, 3)),
    ];
    for (field, value) in read.span() {
        assert(*value == LARGE + (*field).into(), 'transaction');
    }
}

#[test]
fn each_felt_of_a_starknet_header_is_read_by_its_name() {
    let chain = 'SN_SEPOLIA';
    let mut field: u8 = 0;
    for _ in 0_u8..18 {
        mock_starknet_header(chain, 7, field, 100 + field.into());
        field += 1;
    }
    let hdp = handle();
    let read = [
        (starknet_header::BLOCK_NUMBER, hdp.starknet_header_number(chain, 7)),
        (starknet_header::STATE_ROOT, hdp.starknet_header_state_root(chain, 7)),
        (starknet_header::SEQUENCER_ADDRESS, hdp.starknet_header_sequencer_address(chain, 7)),
        (starknet_header::BLOCK_TIMESTAMP, hdp.starknet_header_timestamp(chain, 7)),
        (starknet_header::TRANSACTION_COUNT, hdp.starknet_header_transaction_count(chain, 7)),
        (
            starknet_header::TRANSACTION_COMMITMENT,
            hdp.starknet_header_transaction_commitment(chain, 7),
        ),
        (starknet_header::EVENT_COUNT, hdp.starknet_header_event_count(chain, 7)),
        (starknet_header::EVENT_COMMITMENT, hdp.starknet_header_event_commitment(chain, 7)),
        (starknet_header::PARENT_BLOCK_HASH, hdp.starknet_header_parent_hash(chain, 7)),
        (
            starknet_header::STATE_DIFF_COMMITMENT,
            hdp.starknet_header_state_diff_commitment(chain, 7),
        ),
        (starknet_header::STATE_DIFF_LENGTH, hdp.starknet_header_state_diff_length(chain, 7)),
        (starknet_header::L1_GAS_PRICE_IN_WEI, hdp.starknet_header_l1_gas_price_in_wei(chain, 7)),
        (starknet_header::L1_GAS_PRICE_IN_FRI, hdp.starknet_header_l1_gas_price_in_fri(chain, 7)),
        (
            starknet_header::L1_DATA_GAS_PRICE_IN_WEI,
            hdp.starknet_header_l1_data_gas_price_in_wei(chain, 7),
        ),
        (
            starknet_header::L1_DATA_GAS_PRICE_IN_FRI,
            hdp.starknet_header_l1_data_gas_price_in_fri(chain, 7),
        ),
        (starknet_header::RECEIPTS_COMMITMENT, hdp.starknet_header_receipts_commitment(chain, 7)),
        (starknet_header::L1_DATA_MODE, hdp.starknet_header_l1_data_mode(chain, 7)),
        (starknet_header::PROTOCOL_VERSION, hdp.starknet_header_protocol_version(chain, 7)),
    ];
    for (field, value) in read.span() {
        assert(*value == 100 + (*field).into(), 'Starknet header');
    }
}

#[test]
fn accounts_storage_receipts_and_logs_are_read_where_they_are_mocked() {
    let hdp = handle();
    mock_account(CHAIN, 7, 0xaa, account::NONCE, 1);
    mock_account(CHAIN, 7, 0xaa, account::BALANCE, LARGE);
    mock_account(CHAIN, 7, 0xaa, account::STORAGE_ROOT, 2);
    mock_account(CHAIN, 7, 0xaa, account::CODE_HASH, 3);
    assert(hdp.account_nonce(CHAIN, 7, 0xaa) == 1, 'nonce');
    assert(hdp.account_balance(CHAIN, 7, 0xaa) == LARGE, 'balance');
    assert(hdp.account_storage_root(CHAIN, 7, 0xaa) == 2, 'storage root');
    assert(hdp.account_code_hash(CHAIN, 7, 0xaa) == 3, 'code hash');
    mock_storage(CHAIN, 7, 0xaa, LARGE, 4);
    mock_storage(CHAIN, 7, 0xaa, 2, 5);
    assert(hdp.storage_slot(CHAIN, 7, 0xaa, LARGE) == 4, 'slot');
    mock_receipt(CHAIN, 7, 0, receipt::SUCCESS, 1);
    mock_receipt(CHAIN, 7, 0, receipt::CUMULATIVE_GAS_USED, 21000);
    mock_receipt_bloom(CHAIN, 7, 0, [LARGE, 1].span());
    assert(hdp.receipt_success(CHAIN, 7, 0) == 1, 'success');
    assert(hdp.receipt_cumulative_gas_used(CHAIN, 7, 0) == 21000, 'gas');
    assert(hdp.receipt_bloom(CHAIN, 7, 0).span() == [LARGE, 1].span(), 'bloom of a receipt');
    mock_header_logs_bloom(CHAIN, 7, [LARGE].span());
    assert(hdp.header_logs_bloom(CHAIN, 7).span() == [LARGE].span(), 'bloom of a header');
    mock_log(CHAIN, 7, 0, 1, 0xaa, [LARGE, 8, 9].span(), [6, LARGE].span());
    assert(hdp.log_address(CHAIN, 7, 0, 1) == 0xaa, 'address');
    assert(hdp.log_topic0(CHAIN, 7, 0, 1) == LARGE, 'topic 0');
    assert(hdp.log_topic(CHAIN, 7, 0, 1, 2) == 9, 'topic 2');
    assert(hdp.log_data(CHAIN, 7, 0, 1).span() == [6, LARGE].span(), 'data');
    assert(hdp.log_data_word(CHAIN, 7, 0, 1, 1) == LARGE, 'word');
    mock_log(CHAIN, 7, 0, 2, 0xaa, [].span(), [].span());
    assert(hdp.log_data(CHAIN, 7, 0, 2).is_empty(), 'no data');
}

#[test]
fn the_same_key_of_two_worlds_has_two_values() {
    mock_header(CHAIN, 7, 0, 1);
    mock_starknet_header(CHAIN, 7, 0, 2);
    mock_starknet_storage(CHAIN, 7, 0xaa, 3, 4);
    let hdp = handle();
    assert(hdp.header_parent_hash(CHAIN, 7) == 1, 'header');
    assert(hdp.starknet_header_number(CHAIN, 7) == 2, 'Starknet header');
    assert(hdp.starknet_storage(CHAIN, 7, 0xaa, 3) == 4, 'Starknet storage');
}

#[test]
fn a_trie_answers_as_a_run_does() {
    let hdp = handle();
    assert(hdp.state_root('votes') == Option::None, 'a label without a trie');
    mock_state('votes');
    mock_state_value('votes', 1, 5);
    assert(hdp.state_root('votes') == Option::Some(0), 'root');
    assert(hdp.state_read('votes', 1) == Option::Some(5), 'kept');
    assert(hdp.state_read('votes', 2) == Option::None, 'absent');
    let root = hdp.state_write('votes', 2, 6);
    assert(root != 0 && hdp.state_root('votes') == Option::Some(root), 'next root');
    assert(hdp.state_read('votes', 2) == Option::Some(6), 'written');
    hdp.state_write('votes', 2, 0);
    assert(hdp.state_read('votes', 2) == Option::None, 'removed');
}

#[test]
#[should_panic(expected: "storage of 0xaa, slot 3, block 7 of chain 11155111: call mock_storage")]
fn a_read_of_storage_names_its_mock() {
    handle().storage_slot(CHAIN, 7, 0xaa, 3);
}

#[test]
#[should_panic(
    expected: "field 4 of transaction 2, block 7 of chain 11155111: call mock_transaction",
)]
fn a_read_of_a_transaction_names_its_mock() {
    mock_transaction(CHAIN, 7, 1, transaction::VALUE, 1);
    handle().transaction_value(CHAIN, 7, 2);
}

#[test]
#[should_panic(expected: "field 1 of receipt 2, block 7 of chain 11155111: call mock_receipt")]
fn a_read_of_a_receipt_names_its_mock() {
    handle().receipt_cumulative_gas_used(CHAIN, 7, 2);
}

#[test]
#[should_panic(expected: "field 11 of the header, block 7 of chain 11155111: call mock_header")]
fn a_read_of_a_header_names_its_mock() {
    handle().header_timestamp(CHAIN, 7);
}

#[test]
#[should_panic(expected: "field 1 of account 0xaa, block 7 of chain 11155111: call mock_account")]
fn a_read_of_an_account_names_its_mock() {
    handle().account_balance(CHAIN, 7, 0xaa);
}

#[test]
#[should_panic(
    expected: "field 2 of log 1 of transaction 2, block 7 of chain 11155111: call mock_log",
)]
fn a_read_of_a_topic_that_a_log_lacks_names_its_mock() {
    mock_log(CHAIN, 7, 2, 1, 0xaa, [5].span(), [].span());
    handle().log_topic(CHAIN, 7, 2, 1, 1);
}

#[test]
#[should_panic(
    expected: "field 3 of the Starknet header, block 7 of chain 5: call mock_starknet_header",
)]
fn a_read_of_a_starknet_header_names_its_mock() {
    handle().starknet_header_timestamp(5, 7);
}

#[test]
#[should_panic(
    expected: "Starknet storage of 0xaa, key 0x3, block 7 of chain 5: call mock_starknet_storage",
)]
fn a_read_of_starknet_storage_names_its_mock() {
    handle().starknet_storage(5, 7, 0xaa, 3);
}

#[test]
#[should_panic(expected: "injected state under the label 0x7: call mock_state(0x7)")]
fn a_read_of_a_trie_that_is_not_there_names_its_mock() {
    let _ = handle().state_read(7, 1);
}

/// Of Tether's contract and the event Transfer(address,address,uint256), computed by another
/// program.
const TETHER: u256 = 0xdac17f958d2ee523a2206206994597c13d831ec7;
const TRANSFER: u256 = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;
const TETHER_TRANSFER: [u256; 8] = [
    0, 0x10000000000000000000000000000000000, 0x80000000000000000000000000000000000000000,
    0x1000000000, 0x100000, 0x800000000000000000000000000000000000000000,
    0x200000000000000000000000000000000000000000000000000000000, 0,
];

#[test]
fn a_bloom_excludes_an_event_where_one_of_its_bits_is_missing() {
    let event = event_bits(TETHER, TRANSFER);
    assert(event_bloom(TETHER, TRANSFER).span() == TETHER_TRANSFER.span(), 'bloom');
    assert(!event.are_excluded_by(TETHER_TRANSFER.span()), 'its own');
    assert(event.are_excluded_by([0; 8].span()), 'no logs');
    for missing in 1_u32..7 {
        let mut bloom: Array<u256> = array![];
        for word in 0_u32..8 {
            bloom.append(if word == missing {
                0
            } else {
                *TETHER_TRANSFER.span()[word]
            });
        }
        assert(event.are_excluded_by(bloom.span()), 'a bit is missing');
    }
}

#[test]
#[should_panic(expected: 'a bloom has 8 words')]
fn a_bloom_of_another_length_is_refused() {
    event_bits(TETHER, TRANSFER).are_excluded_by([0].span());
}
