#[starknet::interface]
pub trait IThresholdGate<TContractState> {
    fn is_open(self: @TContractState, task_hash: u256) -> bool;
}

/// Open while the finalized result of a task is at most the threshold.
#[starknet::contract]
pub mod ThresholdGate {
    use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait};
    use starknet::ContractAddress;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    #[storage]
    struct Storage {
        execution_store: ContractAddress,
        threshold: u256,
    }

    #[constructor]
    fn constructor(ref self: ContractState, execution_store: ContractAddress, threshold: u256) {
        self.execution_store.write(execution_store);
        self.threshold.write(threshold);
    }

    #[abi(embed_v0)]
    impl ThresholdGateImpl of super::IThresholdGate<ContractState> {
        fn is_open(self: @ContractState, task_hash: u256) -> bool {
            let store = IExecutionStoreDispatcher { contract_address: self.execution_store.read() };
            store.getDataProcessorFinalizedTaskResult(task_hash) <= self.threshold.read()
        }
    }
}
