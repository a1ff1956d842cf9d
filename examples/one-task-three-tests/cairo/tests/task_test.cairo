use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::fields::header;
use hardhat_hdp::programs::{BLOCKS_FORMAT, BLOCKS_PROGRAM};
use hardhat_hdp::task::{HdpForm, module_task_hash};
use super::fixtures::{FEE_FORM, FEE_RESULT, FEE_TASK};

/// The inputs of the program `blocks`, in the order of docs/task-forms.md.
#[test]
fn the_task_file_is_this_task() {
    let chain = ETHEREUM_SEPOLIA.try_into().unwrap();
    let [first, last, step, kind] = [0, 0, 1, 1];
    let inputs = array![
        BLOCKS_FORMAT, chain, first, last, step, kind, header::BASE_FEE_PER_GAS.into(), 0, 0, 0, 0,
        0, 0, 0,
    ];
    assert(module_task_hash(BLOCKS_PROGRAM, inputs.span()) == FEE_TASK, 'hash');
    assert(FEE_FORM == HdpForm::Module, 'form');
    assert(FEE_RESULT == 1000000000, 'result');
}
