//! Reads a compiled class from the input, as the published prover does, and prints its hash and what was read of it.
use std::io::{stdin, Read};

use cairo_lang_starknet_classes::casm_contract_class::CasmContractClass;

fn main() {
    let mut text = String::new();
    stdin().read_to_string(&mut text).unwrap();
    let class: CasmContractClass = serde_json::from_str(&text).unwrap();
    println!("{:#x}", class.compiled_class_hash());
    println!("{}", serde_json::to_string(&class).unwrap());
}
