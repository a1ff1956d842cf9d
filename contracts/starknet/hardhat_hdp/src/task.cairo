// SPDX-License-Identifier: MIT
//! Tasks: their form, and their hashes, the keys under which an execution store keeps results.

use crate::interface::ModuleTask;
use crate::keccak_words::keccak_words;

/// How a task was sent, and so what the stored word says of its value. It is fixed with the task's
/// hash: whoever could choose one of two readings could choose the answer.
#[derive(Copy, Drop, Serde, PartialEq, Debug, starknet::Store)]
pub enum HdpForm {
    /// A datalake task: the word is the value.
    #[default]
    Datalake,
    /// A module task of a standard program: the word is the root over both halves of the value.
    Module,
}

/// A task that a contract trusts: its hash and its form, which belong into the constructor.
#[derive(Copy, Drop, Serde, PartialEq, Debug, starknet::Store)]
pub struct HdpTask {
    /// The hash under which the store keeps the result.
    pub hash: u256,
    /// What the stored word says of the value.
    pub form: HdpForm,
}

/// Hash of a module task: keccak256(abi.encode(bytes32 programHash, bytes32[] publicInputs)).
/// Results are stored and read under it, on EVM chains and on Starknet alike. Private inputs are
/// not part of it.
pub fn module_task_hash(program_hash: felt252, public_inputs: Span<felt252>) -> u256 {
    let mut words: Array<u256> = array![program_hash.into(), 0x40, public_inputs.len().into()];
    for input in public_inputs {
        words.append((*input).into());
    }
    keccak_words(words.span())
}

/// The module task as `requestDataProcessorExecutionOfTask` takes it.
pub fn module_task(program_hash: felt252, public_inputs: Span<felt252>) -> ModuleTask {
    let mut inputs: Array<u256> = array![];
    for input in public_inputs {
        inputs.append((*input).into());
    }
    ModuleTask { program_hash: program_hash.into(), inputs: inputs.span() }
}

/// The key under which a store on Starknet keeps a *request*: the same words without offset and
/// length.
/// It differs from the hash under which the result is stored; the status of a request stays there
/// forever.
pub fn request_key(task: ModuleTask) -> u256 {
    let mut words: Array<u256> = array![task.program_hash];
    for input in task.inputs {
        words.append(*input);
    }
    keccak_words(words.span())
}
