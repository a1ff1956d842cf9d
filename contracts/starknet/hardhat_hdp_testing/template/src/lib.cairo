#[starknet::interface]
pub trait IThresholdGate<TContractState> {
    fn is_open(self: @TContractState) -> bool;
}

/// Open while the finalized result of one task, which is fixed here, is at most the threshold.
#[starknet::contract]
pub mod ThresholdGate {
    use hardhat_hdp::interface::StoreKind;
    use hardhat_hdp::reader::ResultReaderComponent;
    use starknet::ContractAddress;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    component!(path: ResultReaderComponent, storage: reader, event: ReaderEvent);

    #[abi(embed_v0)]
    impl ResultReaderImpl = ResultReaderComponent::ResultReaderImpl<ContractState>;
    impl ReaderInternalImpl = ResultReaderComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        reader: ResultReaderComponent::Storage,
        threshold: u256,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        ReaderEvent: ResultReaderComponent::Event,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState, execution_store: ContractAddress, task_hash: u256, threshold: u256,
    ) {
        self.reader.initializer(execution_store, StoreKind::Satellite);
        self.reader.pin_task('threshold', task_hash);
        self.threshold.write(threshold);
    }

    #[abi(embed_v0)]
    impl ThresholdGateImpl of super::IThresholdGate<ContractState> {
        fn is_open(self: @ContractState) -> bool {
            self.reader.read_pinned('threshold') <= self.threshold.read()
        }
    }
}
