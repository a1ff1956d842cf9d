// SPDX-License-Identifier: MIT
//! The mocks finalize by facts as satellites do: words of the fact, checks and their order.

use core::poseidon::poseidon_hash_span;
use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, TaskStatus};
use hardhat_hdp::satellite::{
    GroupedTaskData, IGroupedTaskAuthenticationDispatcher,
    IGroupedTaskAuthenticationDispatcherTrait, IGroupedTaskAuthenticationSafeDispatcher,
    IGroupedTaskAuthenticationSafeDispatcherTrait, ITaskAuthenticationDispatcher,
    ITaskAuthenticationDispatcherTrait, ITaskAuthenticationSafeDispatcher,
    ITaskAuthenticationSafeDispatcherTrait, ITaskProofsDispatcher, ITaskProofsDispatcherTrait,
    ITaskProofsSafeDispatcher, ITaskProofsSafeDispatcherTrait, MmrCollection, MmrData, TaskData,
};
use hardhat_hdp_testing::interface::{
    IGroupedTaskFactsDispatcher, IGroupedTaskFactsDispatcherTrait, IKeccakMmrMockDispatcher,
    IKeccakMmrMockDispatcherTrait, IKeccakMmrMockSafeDispatcher, IKeccakMmrMockSafeDispatcherTrait,
    ITaskFactsDispatcher, ITaskFactsDispatcherTrait, ITaskProofsMockDispatcher,
    ITaskProofsMockDispatcherTrait, ITaskProofsMockSafeDispatcher,
    ITaskProofsMockSafeDispatcherTrait,
};
use hardhat_hdp_testing::mock::MockKind;
use hardhat_hdp_testing::mock::proofs::TaskProofsComponent;
use hardhat_hdp_testing::{
    deploy_execution_store, deploy_execution_store_of, expect_finalized, expect_finalized_event,
    expect_pending, finalize_result, prove_execution, prove_grouped_execution, schedule_task,
};
use snforge_std::{
    EventSpyAssertionsTrait, spy_events, start_cheat_caller_address, stop_cheat_caller_address,
};
use starknet::ContractAddress;

const TASK: u256 = 0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307;
const RESULT: u256 = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f;
const PROGRAM: felt252 = 0x59874649ccc5a0a15ee77538f1eb760acb88cab027a2d48f4246bf17b7b7694;
const ROOT: felt252 = 0x6759138078831011e3bc0b4a135af21c008dda64586363531697207fb5a2bae;
const OTHER_ROOT: felt252 = 0x5d8d;
const KECCAK_ROOT: u256 = 0xdd8d23518dd388daa16925ff9475c5d1c06430d21e0422520d6a56402f42937b;
/// 'Sepolia' and Ethereum, each with an MMR of its own.
const SEPOLIA: MmrData = MmrData { chain_id: 11155111, mmr_id: 7, mmr_size: 50 };
const ETHEREUM: MmrData = MmrData { chain_id: 1, mmr_id: 8, mmr_size: 90 };
/// More than any felt.
const NO_FELT: u256 = 0x8000000000000110000000000000000000000000000000000000000000000001;

#[test]
fn a_fact_finalizes_in_the_published_shape() {
    let store = satellite();
    authorize(store, PROGRAM);
    register(store, published_fact(PROGRAM, words_of_mmrs()));
    let mut spy = spy_events();
    authenticate(store, execution());
    expect_finalized(store, TASK, RESULT);
    expect_finalized_event(ref spy, store, TASK, RESULT);
}

#[test]
fn a_fact_finalizes_in_the_shape_of_the_development_branch() {
    let store = satellite_develop();
    authorize(store, PROGRAM);
    register(store, develop_fact(PROGRAM, 2, 1, grouped_words()));
    let mut spy = spy_events();
    authenticate_grouped(store, grouped_execution());
    expect_finalized(store, TASK, RESULT);
    expect_finalized_event(ref spy, store, TASK, RESULT);
}

#[test]
fn the_mocks_name_the_fact_of_an_execution() {
    let facts = ITaskFactsDispatcher { contract_address: satellite() };
    assert(
        facts.fact_hash_of(execution()) == published_fact(PROGRAM, words_of_mmrs()), 'published',
    );
    let facts = IGroupedTaskFactsDispatcher { contract_address: satellite_develop() };
    let expected = develop_fact(PROGRAM, 2, 1, grouped_words());
    assert(facts.fact_hash_of(grouped_execution()) == expected, 'develop');
}

#[test]
fn an_execution_without_mmrs_has_a_fact_too() {
    let store = satellite();
    let data = TaskData { mmr_data: array![].span(), ..execution() };
    authorize(store, PROGRAM);
    register(store, published_fact(PROGRAM, array![]));
    authenticate(store, data);
    expect_finalized(store, TASK, RESULT);

    let develop = satellite_develop();
    authorize(develop, PROGRAM);
    register(develop, develop_fact(PROGRAM, 0, 0, array![]));
    authenticate_grouped(develop, grouped_with(array![].span(), array![].span()));
    expect_finalized(develop, TASK, RESULT);
}

#[test]
fn an_execution_is_proven_by_helpers_whatever_caller_is_cheated() {
    let stranger: ContractAddress = 'stranger'.try_into().unwrap();
    let store = satellite();
    start_cheat_caller_address(store, stranger);
    prove_execution(store, execution());
    authenticate(store, execution());
    expect_finalized(store, TASK, RESULT);

    let develop = satellite_develop();
    start_cheat_caller_address(develop, stranger);
    prove_grouped_execution(develop, grouped_execution());
    authenticate_grouped(develop, grouped_execution());
    expect_finalized(develop, TASK, RESULT);
}

#[test]
fn a_scheduled_task_is_finalized_by_its_fact() {
    let store = satellite();
    schedule_task(store, TASK);
    prove_execution(store, execution());
    authenticate(store, execution());
    expect_finalized(store, TASK, RESULT);
}

#[test]
fn an_execution_that_is_no_fact_is_refused() {
    let store = satellite();
    authorize(store, PROGRAM);
    expect_refused(store, execution(), 'Invalid fact');
    expect_pending(store, TASK);
    let develop = satellite_develop();
    authorize(develop, PROGRAM);
    expect_grouped_refused(develop, grouped_execution(), 'Invalid fact');
    expect_pending(develop, TASK);
}

#[test]
fn a_fact_is_of_one_task_and_result() {
    let store = satellite();
    prove_execution(store, execution());
    let low = TaskData { task_hash_low: execution().task_hash_low + 1, ..execution() };
    expect_refused(store, low, 'Invalid fact');
    let high = TaskData { task_hash_high: execution().task_hash_high + 1, ..execution() };
    expect_refused(store, high, 'Invalid fact');
    let low = TaskData { task_result_low: execution().task_result_low + 1, ..execution() };
    expect_refused(store, low, 'Invalid fact');
    let high = TaskData { task_result_high: execution().task_result_high + 1, ..execution() };
    expect_refused(store, high, 'Invalid fact');
    let exchanged = TaskData {
        task_hash_low: execution().task_hash_high,
        task_hash_high: execution().task_hash_low,
        ..execution(),
    };
    expect_refused(store, exchanged, 'Invalid fact');
    expect_pending(store, TASK);
}

#[test]
fn a_fact_is_of_one_program() {
    let store = satellite();
    prove_execution(store, execution());
    let other = TaskData { program_hash: PROGRAM + 1, ..execution() };
    expect_refused(store, other, 'UnauthorizedProgramHash');
    authorize(store, PROGRAM + 1);
    expect_refused(store, other, 'Invalid fact');

    let develop = satellite_develop();
    prove_grouped_execution(develop, grouped_execution());
    let other = GroupedTaskData { program_hash: PROGRAM + 1, ..grouped_execution() };
    expect_grouped_refused(develop, other, 'UnauthorizedProgramHash');
    authorize(develop, PROGRAM + 1);
    expect_grouped_refused(develop, other, 'Invalid fact');
}

#[test]
fn the_module_hash_is_not_part_of_a_published_fact() {
    let store = satellite();
    prove_execution(store, execution());
    authenticate(store, TaskData { module_hash: NO_FELT, ..execution() });
    expect_finalized(store, TASK, RESULT);
}

#[test]
fn a_fact_is_of_the_roots_that_the_mmrs_have() {
    let store = satellite();
    prove_execution(store, execution());
    set_root(store, SEPOLIA, OTHER_ROOT.into());
    expect_refused(store, execution(), 'Invalid fact');
    set_root(store, SEPOLIA, ROOT.into());
    authenticate(store, execution());

    let develop = satellite_develop();
    prove_grouped_execution(develop, grouped_execution());
    set_keccak_root(develop, SEPOLIA, KECCAK_ROOT + 1);
    expect_grouped_refused(develop, grouped_execution(), 'Invalid fact');
    // The halves of a Keccak root are two words of the fact.
    set_keccak_root(develop, SEPOLIA, u256 { low: KECCAK_ROOT.high, high: KECCAK_ROOT.low });
    expect_grouped_refused(develop, grouped_execution(), 'Invalid fact');
    set_keccak_root(develop, SEPOLIA, KECCAK_ROOT);
    authenticate_grouped(develop, grouped_execution());
}

#[test]
fn a_fact_is_of_its_mmrs_in_their_order() {
    let store = satellite();
    prove_execution(store, execution());
    expect_refused(store, with_mmrs(array![ETHEREUM, SEPOLIA].span()), 'Invalid fact');
    expect_refused(store, with_mmrs(array![SEPOLIA].span()), 'Invalid fact');
    expect_refused(store, with_mmrs(array![SEPOLIA, ETHEREUM, ETHEREUM].span()), 'Invalid fact');
    let grown = MmrData { mmr_size: 51, ..SEPOLIA };
    set_root(store, grown, ROOT.into());
    expect_refused(store, with_mmrs(array![grown, ETHEREUM].span()), 'Invalid fact');
}

#[test]
fn a_fact_of_the_development_branch_is_of_the_groups() {
    let store = satellite_develop();
    prove_grouped_execution(store, grouped_execution());
    set_root(store, SEPOLIA, KECCAK_ROOT.low.into());
    let poseidon_alone = grouped_with(array![SEPOLIA, ETHEREUM].span(), array![].span());
    expect_grouped_refused(store, poseidon_alone, 'Invalid fact');
    set_keccak_root(store, ETHEREUM, KECCAK_ROOT);
    let moved = grouped_with(array![SEPOLIA].span(), array![ETHEREUM, SEPOLIA].span());
    expect_grouped_refused(store, moved, 'Invalid fact');
}

#[test]
fn the_numbers_of_mmrs_are_part_of_the_fact_of_the_development_branch() {
    let store = satellite_develop();
    authorize(store, PROGRAM);
    register(store, develop_fact(PROGRAM, 1, 2, grouped_words()));
    register(store, develop_fact(PROGRAM, 3, 0, grouped_words()));
    expect_grouped_refused(store, grouped_execution(), 'Invalid fact');
}

#[test]
fn a_fact_of_the_other_shape_is_refused() {
    let published = published_fact(PROGRAM, array![]);
    let develop = develop_fact(PROGRAM, 0, 0, array![]);
    let store = satellite();
    authorize(store, PROGRAM);
    register(store, develop);
    expect_refused(store, with_mmrs(array![].span()), 'Invalid fact');
    let store = satellite_develop();
    authorize(store, PROGRAM);
    register(store, published);
    // Nor is what the bootloader did not run.
    let words = array![TASK.low.into(), TASK.high.into(), RESULT.low.into(), RESULT.high.into()];
    register(store, fact(PROGRAM, joined(words, array![0, 0])));
    expect_grouped_refused(store, grouped_with(array![].span(), array![].span()), 'Invalid fact');
}

#[test]
#[feature("safe_dispatcher")]
fn calldata_of_the_other_shape_is_refused() {
    let store = satellite();
    prove_execution(store, execution());
    let grouped = IGroupedTaskAuthenticationSafeDispatcher { contract_address: store };
    let outcome = grouped.authenticateDataProcessorTaskExecution(grouped_execution());
    assert_panic(outcome, 'Input too long for arguments');
    let store = satellite_develop();
    prove_grouped_execution(store, grouped_execution());
    let published = ITaskAuthenticationSafeDispatcher { contract_address: store };
    let outcome = published.authenticateDataProcessorTaskExecution(execution());
    assert_panic(outcome, 'Failed to deserialize param #1');
    expect_pending(store, TASK);
}

#[test]
fn a_fact_finalizes_once() {
    let store = satellite();
    prove_execution(store, execution());
    authenticate(store, execution());
    expect_refused(store, execution(), 'TaskAlreadyFinalized');
    let develop = satellite_develop();
    prove_grouped_execution(develop, grouped_execution());
    authenticate_grouped(develop, grouped_execution());
    expect_grouped_refused(develop, grouped_execution(), 'TaskAlreadyFinalized');
    expect_finalized(develop, TASK, RESULT);
}

#[test]
fn an_mmr_without_a_root_is_refused() {
    let store = satellite();
    prove_execution(store, execution());
    let other_chain = MmrData { chain_id: 11155112, ..SEPOLIA };
    expect_refused(store, with_mmrs(array![other_chain, ETHEREUM].span()), 'InvalidMmrRoot');
    let other_id = MmrData { mmr_id: 8, ..SEPOLIA };
    expect_refused(store, with_mmrs(array![other_id, ETHEREUM].span()), 'InvalidMmrRoot');
    let other_size = MmrData { mmr_size: 51, ..SEPOLIA };
    expect_refused(store, with_mmrs(array![SEPOLIA, other_size].span()), 'InvalidMmrRoot');
    set_root(store, ETHEREUM, 0);
    expect_refused(store, execution(), 'InvalidMmrRoot');
    // Roots under Keccak are apart from those under Poseidon.
    let develop = satellite_develop();
    prove_grouped_execution(develop, grouped_execution());
    let keccak = grouped_with(array![SEPOLIA].span(), array![ETHEREUM].span());
    expect_grouped_refused(develop, keccak, 'InvalidMmrRoot');
}

#[test]
fn what_is_no_felt_is_refused() {
    let store = satellite_develop();
    authorize(store, PROGRAM);
    let id = MmrData { mmr_id: NO_FELT, ..SEPOLIA };
    let size = MmrData { mmr_size: NO_FELT, ..SEPOLIA };
    let chain = MmrData { chain_id: NO_FELT, ..SEPOLIA };
    for mmr in array![id, size, chain] {
        set_root(store, mmr, ROOT.into());
        set_keccak_root(store, mmr, KECCAK_ROOT);
    }
    let alone = |mmr: MmrData| grouped_with(array![mmr].span(), array![].span());
    expect_grouped_refused(store, alone(id), 'mmr_id not felt252');
    expect_grouped_refused(store, alone(size), 'mmr_size not felt252');
    expect_grouped_refused(store, alone(chain), 'chain_id not felt252');
    let keccak = grouped_with(array![].span(), array![id].span());
    expect_grouped_refused(store, keccak, 'mmr_id not felt252');
    set_root(store, SEPOLIA, NO_FELT);
    expect_grouped_refused(store, alone(SEPOLIA), 'mmr_root not felt252');
}

#[test]
fn refusals_are_in_the_order_of_the_satellite() {
    let store = satellite();
    let unknown = with_mmrs(array![MmrData { mmr_size: 51, ..SEPOLIA }].span());
    expect_refused(store, unknown, 'UnauthorizedProgramHash');
    authorize(store, PROGRAM);
    expect_refused(store, unknown, 'InvalidMmrRoot');
    expect_refused(store, execution(), 'Invalid fact');
    finalize_result(store, TASK, 1);
    expect_refused(
        store, TaskData { program_hash: PROGRAM + 1, ..unknown }, 'TaskAlreadyFinalized',
    );
}

#[test]
fn the_owner_authorizes_programs_and_withdraws_it() {
    let store = satellite();
    prove_execution(store, execution());
    let proofs = ITaskProofsDispatcher { contract_address: store };
    let mut spy = spy_events();
    assert(!proofs.isProgramHashAuthorized(1), 'authorized');
    proofs.setDataProcessorProgramHash(1);
    assert(proofs.isProgramHashAuthorized(1), 'not authorized');
    let disabled = array![1, PROGRAM].span();
    proofs.disableProgramHashes(disabled);
    assert(!proofs.isProgramHashAuthorized(1), 'still authorized');
    expect_refused(store, execution(), 'UnauthorizedProgramHash');
    let enabled = TaskProofsComponent::Event::ProgramHashEnabled(
        TaskProofsComponent::ProgramHashEnabled { program_hash: 1 },
    );
    let withdrawn = TaskProofsComponent::Event::ProgramHashesDisabled(
        TaskProofsComponent::ProgramHashesDisabled { program_hashes: disabled },
    );
    spy.assert_emitted(@array![(store, enabled), (store, withdrawn)]);
}

#[test]
#[feature("safe_dispatcher")]
fn strangers_set_nothing() {
    let store = satellite_develop();
    start_cheat_caller_address(store, 'stranger'.try_into().unwrap());
    let proofs = ITaskProofsSafeDispatcher { contract_address: store };
    assert_panic(proofs.setDataProcessorProgramHash(1), 'Caller is not the owner');
    assert_panic(proofs.disableProgramHashes(array![1].span()), 'Caller is not the owner');
    let mock = ITaskProofsMockSafeDispatcher { contract_address: store };
    assert_panic(mock.register_fact(1), 'CALLER_IS_NOT_OPERATOR');
    assert_panic(mock.set_mmr_root(1, 2, 3, 4), 'CALLER_IS_NOT_OPERATOR');
    let keccak = IKeccakMmrMockSafeDispatcher { contract_address: store };
    assert_panic(keccak.set_keccak_mmr_root(1, 2, 3, 4), 'CALLER_IS_NOT_OPERATOR');
    stop_cheat_caller_address(store);
}

#[test]
fn a_mock_of_the_development_branch_is_read_as_a_satellite() {
    let store = satellite_develop();
    finalize_result(store, TASK, RESULT);
    let reader = IExecutionStoreDispatcher { contract_address: store };
    assert(reader.getDataProcessorTaskStatus(TASK) == TaskStatus::FINALIZED, 'status');
    assert(reader.getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
}

/// A published satellite with the roots of both MMRs.
fn satellite() -> ContractAddress {
    let store = deploy_execution_store().contract_address;
    set_root(store, SEPOLIA, ROOT.into());
    set_root(store, ETHEREUM, OTHER_ROOT.into());
    store
}

/// A satellite of the development branch with the roots of the MMRs of both groups.
fn satellite_develop() -> ContractAddress {
    let store = deploy_execution_store_of(MockKind::SatelliteDevelop).contract_address;
    set_root(store, SEPOLIA, ROOT.into());
    set_root(store, ETHEREUM, OTHER_ROOT.into());
    set_keccak_root(store, SEPOLIA, KECCAK_ROOT);
    store
}

fn execution() -> TaskData {
    TaskData {
        mmr_data: array![SEPOLIA, ETHEREUM].span(),
        task_result_low: RESULT.low,
        task_result_high: RESULT.high,
        task_hash_low: TASK.low,
        task_hash_high: TASK.high,
        module_hash: 0xabc,
        program_hash: PROGRAM,
    }
}

fn with_mmrs(mmr_data: Span<MmrData>) -> TaskData {
    TaskData { mmr_data, ..execution() }
}

fn grouped_execution() -> GroupedTaskData {
    grouped_with(array![SEPOLIA, ETHEREUM].span(), array![SEPOLIA].span())
}

fn grouped_with(poseidon_mmr: Span<MmrData>, keccak_mmr: Span<MmrData>) -> GroupedTaskData {
    GroupedTaskData {
        mmr_collection: MmrCollection { poseidon_mmr, keccak_mmr },
        task_result_low: RESULT.low,
        task_result_high: RESULT.high,
        task_hash_low: TASK.low,
        task_hash_high: TASK.high,
        program_hash: PROGRAM,
    }
}

/// Id, size, chain id and root of each MMR of `execution`.
fn words_of_mmrs() -> Array<felt252> {
    array![7, 50, 11155111, ROOT, 8, 90, 1, OTHER_ROOT]
}

/// The words of the MMRs of `grouped_execution`.
fn grouped_words() -> Array<felt252> {
    let keccak = array![7, 50, 11155111, KECCAK_ROOT.low.into(), KECCAK_ROOT.high.into()];
    joined(words_of_mmrs(), keccak)
}

fn published_fact(program: felt252, mmrs: Array<felt252>) -> felt252 {
    let halves = array![TASK.low.into(), TASK.high.into(), RESULT.low.into(), RESULT.high.into()];
    fact(program, joined(halves, mmrs))
}

fn develop_fact(
    program: felt252, poseidon: felt252, keccak: felt252, mmrs: Array<felt252>,
) -> felt252 {
    let count: felt252 = mmrs.len().into();
    // One program, the words that follow with their number, the program.
    let words = array![
        1, count + 8, program, TASK.low.into(), TASK.high.into(), RESULT.low.into(),
        RESULT.high.into(), poseidon, keccak,
    ];
    let bootloader = 0x5ab580b04e3532b6b18f81cfa654a05e29dd8e2352d88df1e765a84072db07;
    fact(bootloader, joined(words, mmrs))
}

fn fact(program: felt252, output: Array<felt252>) -> felt252 {
    poseidon_hash_span(array![program, poseidon_hash_span(output.span())].span())
}

fn joined(first: Array<felt252>, second: Array<felt252>) -> Array<felt252> {
    let mut all = first;
    all.append_span(second.span());
    all
}

fn authorize(store: ContractAddress, program: felt252) {
    ITaskProofsDispatcher { contract_address: store }.setDataProcessorProgramHash(program);
}

fn register(store: ContractAddress, fact: felt252) {
    ITaskProofsMockDispatcher { contract_address: store }.register_fact(fact);
}

fn set_root(store: ContractAddress, mmr: MmrData, root: u256) {
    ITaskProofsMockDispatcher { contract_address: store }
        .set_mmr_root(mmr.chain_id, mmr.mmr_id, mmr.mmr_size, root);
}

fn set_keccak_root(store: ContractAddress, mmr: MmrData, root: u256) {
    IKeccakMmrMockDispatcher { contract_address: store }
        .set_keccak_mmr_root(mmr.chain_id, mmr.mmr_id, mmr.mmr_size, root);
}

fn authenticate(store: ContractAddress, data: TaskData) {
    ITaskAuthenticationDispatcher { contract_address: store }
        .authenticateDataProcessorTaskExecution(data);
}

fn authenticate_grouped(store: ContractAddress, data: GroupedTaskData) {
    IGroupedTaskAuthenticationDispatcher { contract_address: store }
        .authenticateDataProcessorTaskExecution(data);
}

#[feature("safe_dispatcher")]
fn expect_refused(store: ContractAddress, data: TaskData, reason: felt252) {
    let safe = ITaskAuthenticationSafeDispatcher { contract_address: store };
    assert_panic(safe.authenticateDataProcessorTaskExecution(data), reason);
}

#[feature("safe_dispatcher")]
fn expect_grouped_refused(store: ContractAddress, data: GroupedTaskData, reason: felt252) {
    let safe = IGroupedTaskAuthenticationSafeDispatcher { contract_address: store };
    assert_panic(safe.authenticateDataProcessorTaskExecution(data), reason);
}

fn assert_panic(outcome: Result<(), Array<felt252>>, expected: felt252) {
    match outcome {
        Result::Ok(()) => core::panic_with_felt252('not refused'),
        Result::Err(panic_data) => assert(*panic_data.at(0) == expected, *panic_data.at(0)),
    }
}
