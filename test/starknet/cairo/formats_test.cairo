//! Fixtures in the three formats of `hdp fixtures`: each says the same.

use snforge_std::fs::{FileParser, FileTrait};
use super::written::{
    GREATEST_RESULT, GREATEST_TASK, LIMBS_2_RESULT, LIMBS_2_TASK, LIMBS_RESULT, LIMBS_TASK,
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
}

#[test]
fn txt_says_what_the_constants_say() {
    let fixtures: Array<(u256, u256)> = FileParser::parse_txt(@FileTrait::new("data/fixtures.txt"))
        .unwrap();
    let expected = array![
        (LIMBS_2_TASK, LIMBS_2_RESULT), (GREATEST_TASK, GREATEST_RESULT),
        (LIMBS_TASK, LIMBS_RESULT),
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
}

/// Four limbs, the lowest first.
fn word(limbs: (u64, u64, u64, u64)) -> u256 {
    let (limb0, limb1, limb2, limb3) = limbs;
    let low = limb0.into() + limb1.into() * 0x10000000000000000_u128;
    let high = limb2.into() + limb3.into() * 0x10000000000000000_u128;
    u256 { low, high }
}
