//! Proofs of injected state as TypeScript makes them, with what its own verifier says of each.

use hardhat_hdp::injected_state::{
    StateNode, state_node_hash, verify_state_exclusion, verify_state_inclusion, verify_state_update,
};
use snforge_std::fs::{FileParser, FileTrait};

#[derive(Drop, Serde)]
struct StateProof {
    kind: u8,
    root_before: felt252,
    root_after: felt252,
    key: felt252,
    value: felt252,
    nodes: Span<StateNode>,
    holds: bool,
}

#[test]
fn state_proofs_are_judged_as_by_typescript() {
    let file = FileTrait::new("data/state_proofs.txt");
    let proofs: Array<StateProof> = FileParser::parse_txt(@file).unwrap();
    assert(proofs.len() != 0, 'no proofs');
    let mut counts = (0_u32, 0_u32);
    for StateProof { kind, root_before, root_after, key, value, nodes, holds } in proofs {
        let said = match kind {
            0 => verify_state_inclusion(root_before, key, value, nodes),
            1 => verify_state_exclusion(root_before, key, nodes),
            _ => verify_state_update(root_before, root_after, key, value, nodes),
        };
        assert!(
            said == holds, "kind {kind}, {root_before} -> {root_after}, {key} = {value}, {nodes:?}",
        );
        let (accepted, refused) = counts;
        counts = if said {
            (accepted + 1, refused)
        } else {
            (accepted, refused + 1)
        };
    }
    let (accepted, refused) = counts;
    println!("state proofs {accepted} {refused}");
}

#[test]
fn one_leaf_has_the_published_root() {
    let leaf = StateNode { child: 42, right_or_path: 'my_key', length: 251 };
    let root = state_node_hash(leaf);
    assert(root == 0xf153c6cd2bc40a4ec675068562f4ddefadc23030, 'another root');
    assert(verify_state_inclusion(root, 'my_key', 42, array![leaf].span()), 'not included');
    assert(!verify_state_inclusion(root, 'my_key', 43, array![leaf].span()), 'another value');
    assert(verify_state_update(0, root, 'my_key', 42, array![].span()), 'not written');
    assert(verify_state_update(root, 0, 'my_key', 0, array![leaf].span()), 'not removed');
}
