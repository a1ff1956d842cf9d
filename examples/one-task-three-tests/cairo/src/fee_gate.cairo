#[starknet::interface]
pub trait IFeeGate<TContractState> {
    fn is_open(self: @TContractState) -> bool;
}

/// Open while gas has been cheap.
#[starknet::contract]
pub mod FeeGate {
    use hardhat_hdp::interface::{IExecutionStoreDispatcher, IExecutionStoreDispatcherTrait};
    use starknet::ContractAddress;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    #[storage]
    struct Storage {
        execution_store: ContractAddress,
        fee_task: u256,
    }

    #[constructor]
    fn constructor(ref self: ContractState, execution_store: ContractAddress, fee_task: u256) {
        self.execution_store.write(execution_store);
        self.fee_task.write(fee_task);
    }

    #[abi(embed_v0)]
    impl FeeGateImpl of super::IFeeGate<ContractState> {
        /// Whether the average base fee that the task computed is at most 10 gwei.
        fn is_open(self: @ContractState) -> bool {
            let store = IExecutionStoreDispatcher { contract_address: self.execution_store.read() };
            store.getDataProcessorFinalizedTaskResult(self.fee_task.read()) <= 10000000000
        }
    }
}
