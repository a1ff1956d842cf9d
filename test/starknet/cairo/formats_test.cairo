//! Fixtures in the three formats of `hdp fixtures`: each says the same.

use hardhat_hdp::injected_state::{
    verify_state_exclusion, verify_state_inclusion, verify_state_update,
};
use snforge_std::fs::{FileParser, FileTrait};
use super::written::{
    GREATEST, GREATEST_RESULT, GREATEST_TASK, LIMBS, LIMBS_2_RESULT, LIMBS_2_TASK, LIMBS_RESULT,
    LIMBS_TASK, VOTES, VOTES_INPUTS, VOTES_OUTPUT, VOTES_PROGRAM_HASH, VOTES_READ_1,
    VOTES_READ_1_NODES, VOTES_READ_2, VOTES_READ_2_NODES, VOTES_WRITE_5, VOTES_WRITE_5_NODES,
    Z_AVERAGE_OF_A_LONG_NAME,
};

#[derive(Drop, Serde)]
struct JsonFixture {
    result: (u64, u64, u64, u64),
    task: (u64, u64, u64, u64),
}

/// A field for each fixture, in alphabetical order.
#[derive(Drop, Serde)]
struct JsonFixtures {
    greatest: JsonFixture,
    limbs: JsonFixture,
    limbs_2: JsonFixture,
    votes: JsonFixture,
    z_average_of_a_long_name: JsonFixture,
}

#[test]
fn txt_says_what_the_constants_say() {
    let fixtures: Array<(u256, u256)> = FileParser::parse_txt(@FileTrait::new("data/fixtures.txt"))
        .unwrap();
    let expected = array![
        (LIMBS_2_TASK, LIMBS_2_RESULT), (GREATEST_TASK, GREATEST_RESULT),
        (LIMBS_TASK, LIMBS_RESULT), Z_AVERAGE_OF_A_LONG_NAME, VOTES,
    ];
    assert!(fixtures == expected, "{fixtures:?}");
}

#[test]
fn json_says_what_the_constants_say() {
    let file = FileTrait::new("data/fixtures.json");
    let fixtures: JsonFixtures = FileParser::parse_json(@file).unwrap();
    assert!(word(fixtures.greatest.task) == GREATEST_TASK, "task");
    assert!(word(fixtures.greatest.result) == GREATEST_RESULT, "result");
    assert!(word(fixtures.limbs.task) == LIMBS_TASK, "task of limbs");
    assert!(word(fixtures.limbs.result) == LIMBS_RESULT, "result of limbs");
    assert!(word(fixtures.limbs_2.task) == LIMBS_2_TASK, "second task of limbs");
    assert!(word(fixtures.limbs_2.result) == LIMBS_2_RESULT, "second result of limbs");
    assert!(word(fixtures.votes.task) == LIMBS_TASK, "task of votes");
    assert!(word(fixtures.z_average_of_a_long_name.result) == 1, "result of a long name");
}

#[test]
#[test_case(GREATEST)]
#[test_case(LIMBS)]
fn a_fixture_is_a_row_of_a_test_case(fixture: (u256, u256)) {
    let (task, result) = fixture;
    assert!(task == GREATEST_TASK && result == GREATEST_RESULT || task == LIMBS_TASK);
}

#[test]
fn a_module_says_what_it_returned_and_what_proves_its_state() {
    assert!(VOTES_PROGRAM_HASH == 0x12 && VOTES_INPUTS.span().is_empty());
    let mut expected = 1;
    for felt in VOTES_OUTPUT.span() {
        assert!(*felt == expected);
        expected *= 4;
    }
    let [before, after, key, value] = VOTES_WRITE_5;
    assert!(verify_state_update(before, after, key, value, VOTES_WRITE_5_NODES.span()));
    let [root, key, value] = VOTES_READ_1;
    assert!(verify_state_inclusion(root, key, value, VOTES_READ_1_NODES.span()));
    let [root, key, _] = VOTES_READ_2;
    assert!(verify_state_exclusion(root, key, VOTES_READ_2_NODES.span()));
}

/// Four limbs, the lowest first.
fn word(limbs: (u64, u64, u64, u64)) -> u256 {
    let (limb0, limb1, limb2, limb3) = limbs;
    let low = limb0.into() + limb1.into() * 0x10000000000000000_u128;
    let high = limb2.into() + limb3.into() * 0x10000000000000000_u128;
    u256 { low, high }
}
