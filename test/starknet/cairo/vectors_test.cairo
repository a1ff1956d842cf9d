//! Task hashes and output roots against files of published figures.

use hardhat_hdp::datalake::{Compute, Datalake, datalake_task_hash};
use hardhat_hdp::module_form::in_form;
use hardhat_hdp::output_root::unordered_root;
use hardhat_hdp::task::{HdpForm, module_task_hash};
use snforge_std::fs::{FileParser, FileTrait};

#[test]
fn published_module_tasks() {
    let file = FileTrait::new("data/module_tasks.txt");
    let vectors: Array<(felt252, Span<felt252>, u256)> = FileParser::parse_txt(@file).unwrap();
    assert(vectors.len() != 0, 'no vectors');
    for (program_hash, public_inputs, expected) in vectors {
        assert!(module_task_hash(program_hash, public_inputs) == expected, "{program_hash}");
    }
}

#[test]
fn published_datalake_tasks() {
    let file = FileTrait::new("data/datalake_tasks.txt");
    let vectors: Array<(Datalake, Compute, u256)> = FileParser::parse_txt(@file).unwrap();
    assert(vectors.len() != 0, 'no vectors');
    for (datalake, compute, expected) in vectors {
        assert!(datalake_task_hash(datalake, compute) == expected, "{datalake:?} {compute:?}");
    }
}

#[test]
fn published_datalake_tasks_in_the_module_form() {
    let file = FileTrait::new("data/module_form_tasks.txt");
    let vectors: Array<(Datalake, Compute, u256)> = FileParser::parse_txt(@file).unwrap();
    assert(vectors.len() != 0, 'no vectors');
    for (datalake, compute, expected) in vectors {
        let task = in_form(HdpForm::Module, datalake, compute);
        assert!(task.hash == expected, "{datalake:?} {compute:?}");
    }
}

#[test]
fn published_output_roots() {
    let file = FileTrait::new("data/output_roots.txt");
    let vectors: Array<(Span<felt252>, u256)> = FileParser::parse_txt(@file).unwrap();
    assert(vectors.len() != 0, 'no vectors');
    for (returned, expected) in vectors {
        assert!(unordered_root(returned) == expected, "{returned:?}");
    }
}
