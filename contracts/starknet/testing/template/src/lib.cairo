#[starknet::interface]
pub trait IThresholdGate<TContractState> {
    fn is_open(self: @TContractState) -> bool;
}

/// Open while the finalized result of one task, which is fixed here, is at most the threshold.
#[starknet::contract]
pub mod ThresholdGate {
    use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait};
    use starknet::ContractAddress;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    #[storage]
    struct Storage {
        execution_store: ContractAddress,
        task_hash: u256,
        threshold: u256,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState, execution_store: ContractAddress, task_hash: u256, threshold: u256,
    ) {
        self.execution_store.write(execution_store);
        self.task_hash.write(task_hash);
        self.threshold.write(threshold);
    }

    #[abi(embed_v0)]
    impl ThresholdGateImpl of super::IThresholdGate<ContractState> {
        fn is_open(self: @ContractState) -> bool {
            let store = IExecutionStoreDispatcher { contract_address: self.execution_store.read() };
            let result = store.getDataProcessorFinalizedTaskResult(self.task_hash.read());
            result <= self.threshold.read()
        }
    }
}
