#[cfg(test)]
mod tests {
    use hardhat_hdp::interface::{
        IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait, TaskStatus,
    };
    use hardhat_hdp_testing::{expect_pending, write_finalized_result};
    use starknet::ContractAddress;

    const TASK: u256 = 0xc045b2ad4e6c9efb76f0fb712b20891496165bd6b7f32e148aee2243e3687307;
    const RESULT: u256 = 0xf0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f;
    const OTHER: u256 = 0x1234;

    fn real_store() -> ContractAddress {
        0x5704e.try_into().unwrap()
    }

    #[test]
    #[fork("DEVNET")]
    fn a_result_of_the_real_store_is_read() {
        let store = IExecutionStoreDispatcher { contract_address: real_store() };
        assert(store.getDataProcessorFinalizedTaskResult(TASK) == RESULT, 'result');
        expect_pending(real_store(), OTHER);
    }

    #[test]
    #[fork("DEVNET")]
    fn a_result_of_my_choice_is_written_into_the_real_store() {
        write_finalized_result(real_store(), OTHER, 7);
        let store = IExecutionStoreDispatcher { contract_address: real_store() };
        assert(store.getDataProcessorTaskStatus(OTHER) == TaskStatus::FINALIZED, 'status');
        assert(store.getDataProcessorFinalizedTaskResult(OTHER) == 7, 'result');
    }
}
