// SPDX-License-Identifier: MIT
#[starknet::interface]
pub trait IThresholdGate<TContractState> {
    fn update(ref self: TContractState, value: u256);
    fn is_open(self: @TContractState) -> bool;
}

/// Open while the last checked result of one task, which is fixed here, is at most the threshold.
#[starknet::contract]
pub mod ThresholdGate {
    use hardhat_hdp::reader::ResultReaderComponent;
    use hardhat_hdp::task::HdpTask;
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
        is_open: bool,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        ReaderEvent: ResultReaderComponent::Event,
    }

    #[constructor]
    fn constructor(
        ref self: ContractState, execution_store: ContractAddress, task: HdpTask, threshold: u256,
    ) {
        self.reader.initializer(execution_store);
        self.reader.pin_task('threshold', task);
        self.threshold.write(threshold);
    }

    #[abi(embed_v0)]
    impl ThresholdGateImpl of super::IThresholdGate<ContractState> {
        /// Takes the task's result from anybody, and panics unless it is the stored one.
        fn update(ref self: ContractState, value: u256) {
            self.reader.require_value(self.reader.task('threshold'), value);
            self.is_open.write(value <= self.threshold.read());
        }

        fn is_open(self: @ContractState) -> bool {
            self.is_open.read()
        }
    }
}
