#[starknet::interface]
pub trait IFeeGate<TContractState> {
    fn update(ref self: TContractState, average: u256);
    fn is_open(self: @TContractState) -> bool;
}

/// Open after gas was cheap.
#[starknet::contract]
pub mod FeeGate {
    use hardhat_hdp::reader::ResultReaderComponent;
    use hardhat_hdp::task::HdpTask;
    use starknet::ContractAddress;
    use starknet::storage::{StoragePointerReadAccess, StoragePointerWriteAccess};

    component!(path: ResultReaderComponent, storage: reader, event: ReaderEvent);

    /// Where results come from, for everyone to look up.
    #[abi(embed_v0)]
    impl ResultReaderImpl = ResultReaderComponent::ResultReaderImpl<ContractState>;
    impl ReaderInternalImpl = ResultReaderComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        reader: ResultReaderComponent::Storage,
        is_open: bool,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        ReaderEvent: ResultReaderComponent::Event,
    }

    #[constructor]
    fn constructor(ref self: ContractState, execution_store: ContractAddress, fee_task: HdpTask) {
        self.reader.initializer(execution_store);
        self.reader.pin_task('fee', fee_task);
    }

    #[abi(embed_v0)]
    impl FeeGateImpl of super::IFeeGate<ContractState> {
        /// Takes the task's result from anybody, and panics unless it is the stored one.
        fn update(ref self: ContractState, average: u256) {
            self.reader.require_value(self.reader.task('fee'), average);
            self.is_open.write(average <= 10000000000);
        }

        /// Whether the average base fee that was last taken is at most 10 gwei.
        fn is_open(self: @ContractState) -> bool {
            self.is_open.read()
        }
    }
}
