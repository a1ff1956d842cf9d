use hardhat_hdp::chains::ETHEREUM_SEPOLIA;
use hardhat_hdp::datalake::{SampledProperty, avg, block_sampled};
use hardhat_hdp::fields::header;
use super::fixtures::{FEE_RESULT, FEE_TASK};

#[test]
fn the_task_file_is_this_task() {
    let task = avg(
        block_sampled(ETHEREUM_SEPOLIA, 0, 0, SampledProperty::Header(header::BASE_FEE_PER_GAS)),
    );
    assert(task == FEE_TASK, 'hash');
    assert(FEE_RESULT == 1000000000, 'result');
}
