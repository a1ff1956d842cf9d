// SPDX-License-Identifier: MIT
//! No permutation of what a module returned, no other length and no other split into felts is
//! accepted with another meaning, in the forms that contracts compare; the plain root accepts some.

use hardhat_hdp::interface::StoreKind;
use hardhat_hdp::output::{digest, digest_of_bytes, marked, marked_felts, marked_u256};
use hardhat_hdp::output_root::{
    root_of_digest, root_of_digest_of_bytes, root_of_felt, root_of_marked, root_of_value,
    unordered_root,
};
use hardhat_hdp::task::{HdpForm, HdpTask};
use hardhat_hdp_testing::{deploy_execution_store, finalize_output, finalize_value};
use snforge_std::{ContractClassTrait, DeclareResultTrait, declare};
use starknet::{ContractAddress, SyscallResultTrait};

const TWO_POW_128: felt252 = 0x100000000000000000000000000000000;
/// 2,000e18, the proven price.
const PRICE: u256 = 2000000000000000000000;
/// The same with its halves swapped: 6.8e59.
const SWAPPED_PRICE: u256 = u256 { low: 0, high: 2000000000000000000000 };
const TASK: HdpTask = HdpTask { hash: 0x1234, form: HdpForm::Module };

#[starknet::interface]
pub trait ISettlement<TContractState> {
    fn settle(ref self: TContractState, price: u256);
    fn settle_by_plain_root(ref self: TContractState, price: u256);
    fn settled_price(self: @TContractState) -> u256;
}

/// Settles at the price of one module task; `settle_by_plain_root` is what a contract must not do.
#[starknet::contract]
pub mod Settlement {
    use hardhat_hdp::interface::StoreKind;
    use hardhat_hdp::output_root::unordered_root;
    use hardhat_hdp::reader::ResultReaderComponent;
    use hardhat_hdp::task::HdpTask;
    use starknet::ContractAddress;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    component!(path: ResultReaderComponent, storage: reader, event: ReaderEvent);

    impl ReaderInternalImpl = ResultReaderComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        reader: ResultReaderComponent::Storage,
        price: u256,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        ReaderEvent: ResultReaderComponent::Event,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState, store: ContractAddress, kind: StoreKind, task: HdpTask,
    ) {
        self.reader.set_execution_store(store, kind);
        self.reader.pin_task('price', task);
    }

    #[abi(embed_v0)]
    impl SettlementImpl of super::ISettlement<ContractState> {
        fn settle(ref self: ContractState, price: u256) {
            self.reader.require_value(self.reader.task('price'), price);
            self.price.write(price);
        }

        fn settle_by_plain_root(ref self: ContractState, price: u256) {
            let root = self.reader.read_result(self.reader.task('price').hash);
            let felts = array![price.low.into(), price.high.into()];
            assert(unordered_root(felts.span()) == root, 'not the output');
            self.price.write(price);
        }

        fn settled_price(self: @ContractState) -> u256 {
            self.price.read()
        }
    }
}

fn settlement(store: ContractAddress) -> ISettlementDispatcher {
    let class = declare("Settlement").unwrap_syscall();
    let mut arguments: Array<felt252> = array![store.into()];
    StoreKind::Satellite.serialize(ref arguments);
    TASK.serialize(ref arguments);
    let (contract_address, _) = class.contract_class().deploy(@arguments).unwrap_syscall();
    ISettlementDispatcher { contract_address }
}

#[test]
fn a_contract_settles_at_the_proven_price() {
    let store = deploy_execution_store().contract_address;
    let contract = settlement(store);
    finalize_value(store, TASK, PRICE);
    contract.settle(PRICE);
    assert(contract.settled_price() == PRICE, 'price');
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn a_contract_refuses_the_proven_price_with_its_halves_swapped() {
    let store = deploy_execution_store().contract_address;
    finalize_value(store, TASK, PRICE);
    settlement(store).settle(SWAPPED_PRICE);
}

#[test]
#[should_panic(expected: ('ResultReader: wrong value', 'ENTRYPOINT_FAILED'))]
fn a_contract_refuses_a_module_that_returned_a_plain_u256() {
    let store = deploy_execution_store().contract_address;
    finalize_output(store, TASK.hash, array![PRICE.low.into(), PRICE.high.into()].span());
    settlement(store).settle(PRICE);
}

#[test]
fn a_contract_that_compares_the_plain_root_is_robbed() {
    let store = deploy_execution_store().contract_address;
    let contract = settlement(store);
    finalize_output(store, TASK.hash, array![PRICE.low.into(), PRICE.high.into()].span());
    contract.settle_by_plain_root(SWAPPED_PRICE);
    assert(contract.settled_price() == SWAPPED_PRICE, 'price');
}

/// All orders of the numbers below `count`.
fn orders(count: u32) -> Array<Array<u32>> {
    let mut shorter: Array<Array<u32>> = array![array![]];
    for next in 0..count {
        let mut longer: Array<Array<u32>> = array![];
        for order in shorter {
            for place in 0..next + 1 {
                let mut one: Array<u32> = array![];
                for at in 0..next + 1 {
                    if at == place {
                        one.append(next);
                    } else if at < place {
                        one.append(*order.at(at));
                    } else {
                        one.append(*order.at(at - 1));
                    }
                }
                longer.append(one);
            }
        }
        shorter = longer;
    }
    shorter
}

fn picked<T, +Copy<T>, +Drop<T>>(items: Span<T>, order: @Array<u32>) -> Span<T> {
    let mut found: Array<T> = array![];
    for at in order.span() {
        found.append(*items.at(*at));
    }
    found.span()
}

#[test]
fn all_orders_are_tried() {
    let all = orders(4);
    assert(all.len() == 24, 'count');
    for first in 0..24_u32 {
        for second in 0..first {
            assert(all.at(first) != all.at(second), 'twice');
        }
    }
}

#[test]
#[fuzzer(runs: 12)]
fn no_other_order_of_marked_values_has_their_root(a: u128, b: u128, c: u128, d: u128) {
    let values = array![a, b, c, d].span();
    let root = root_of_marked(values);
    for order in orders(4) {
        let claimed = picked(values, @order);
        assert((root_of_marked(claimed) == root) == (claimed == values), 'order');
    }
}

#[test]
#[fuzzer(runs: 12)]
fn an_order_that_keeps_the_root_is_not_marked(a: u128, b: u128, c: u128, d: u128) {
    let felts = marked_felts(array![a, b, c, d].span()).span();
    let root = unordered_root(felts);
    let mut keeping = 0_u32;
    for order in orders(4) {
        let claimed = picked(felts, @order);
        if unordered_root(claimed) != root {
            continue;
        }
        keeping += 1;
        let mut is_marked = true;
        for place in 0..4_u32 {
            let felt: u256 = (*claimed.at(place)).into();
            is_marked = is_marked && felt.high == place.into();
        }
        assert(is_marked == (claimed == felts), 'another list is marked');
    }
    // The plain root has 8 orders of four felts: a contract that compares it accepts them all.
    assert(keeping == 8, 'orders');
}

#[test]
#[fuzzer(runs: 12)]
fn no_other_value_has_a_values_root(low: u128, high: u128, other: u128) {
    let value = u256 { low, high };
    let root = root_of_value(value);
    assert(root == unordered_root(marked_u256(value).span()), 'root');
    for claimed in array![
        u256 { low: high, high: low }, u256 { low, high: other }, u256 { low: other, high },
        u256 { low: 0, high: low }, u256 { low: high, high: 0 },
    ] {
        assert((root_of_value(claimed) == root) == (claimed == value), 'value');
    }
    assert(unordered_root(array![low.into(), high.into()].span()) != root, 'plain');
}

#[test]
#[fuzzer(runs: 12)]
fn no_other_length_and_no_other_split_has_the_root(a: u128, b: u128, c: u128) {
    let root = root_of_marked(array![a, b, c].span());
    let whole = u256 { low: a, high: b };
    for claimed in array![
        root_of_marked(array![a, b].span()), root_of_marked(array![a, b, c, 0].span()),
        root_of_marked(array![0, a, b, c].span()), root_of_value(whole), root_of_felt(a.into()),
        root_of_felt(a.into() + b.into() * TWO_POW_128),
        root_of_digest(array![whole, c.into()].span()),
        root_of_digest(array![a.into(), b.into(), c.into()].span()),
        unordered_root(array![3, a.into(), b.into(), c.into()].span()),
    ] {
        assert(claimed != root, 'root');
    }
}

#[test]
#[fuzzer(runs: 12)]
fn no_other_order_of_words_has_their_digest(a: u256, b: u256, c: u256) {
    let words = array![a, b, c].span();
    let root = root_of_digest(words);
    for order in orders(3) {
        let claimed = picked(words, @order);
        assert((root_of_digest(claimed) == root) == (claimed == words), 'order');
    }
    assert(root_of_digest(array![a, b].span()) != root, 'shorter');
    assert(root_of_digest(array![a, b, c, 0].span()) != root, 'longer');
    let swapped = u256 { low: a.high, high: a.low };
    assert((root_of_digest(array![swapped, b, c].span()) == root) == (swapped == a), 'halves');
}

#[test]
fn two_felts_of_the_plain_root_can_be_swapped() {
    assert(unordered_root(array![1, 2].span()) == unordered_root(array![2, 1].span()), 'order');
}

#[test]
fn forms_are_the_felts_that_are_written_down() {
    assert(marked([7, 8, 9]) == [7, 8 + TWO_POW_128, 9 + 2 * TWO_POW_128], 'marked');
    assert(marked_u256(u256 { low: 7, high: 8 }) == [7, 8 + TWO_POW_128], 'value');
    assert(marked_felts(array![].span()) == array![], 'none');
    // As Starknet's own hash of a text.
    assert(digest_of_bytes(@"main") == selector!("main"), 'text');
    assert(digest_of_bytes(@"") == digest(array![].span()), 'empty');
    assert(root_of_digest_of_bytes(@"main") == root_of_felt(selector!("main")), 'root');
}

#[test]
#[fuzzer(runs: 12)]
fn bytes_that_are_whole_words_have_the_digest_of_the_words(a: u256, b: u256) {
    let mut bytes: ByteArray = "";
    for word in array![a, b] {
        bytes.append_word(word.high.into(), 16);
        bytes.append_word(word.low.into(), 16);
    }
    assert(digest_of_bytes(@bytes) == digest(array![a, b].span()), 'digest');
    let longest: u256 = digest(array![a, b].span()).into();
    assert(longest.high < 0x4000000000000000000000000000000, '250 bits');
}
