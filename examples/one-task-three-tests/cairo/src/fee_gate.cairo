#[starknet::interface]
pub trait IFeeGate<TContractState> {
    fn is_open(self: @TContractState, task_hash: u256) -> bool;
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
    }

    #[constructor]
    fn constructor(ref self: ContractState, execution_store: ContractAddress) {
        self.execution_store.write(execution_store);
    }

    #[abi(embed_v0)]
    impl FeeGateImpl of super::IFeeGate<ContractState> {
        /// Whether the average base fee that `task_hash` computed is at most 10 gwei.
        fn is_open(self: @ContractState, task_hash: u256) -> bool {
            let store = IExecutionStoreDispatcher { contract_address: self.execution_store.read() };
            store.getDataProcessorFinalizedTaskResult(task_hash) <= 10000000000
        }
    }
}
