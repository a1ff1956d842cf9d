#[starknet::interface]
pub trait IFeeGate<TContractState> {
    fn is_open(self: @TContractState) -> bool;
}

/// Open while gas has been cheap.
#[starknet::contract]
pub mod FeeGate {
    use hardhat_hdp::interface::StoreKind;
    use hardhat_hdp::reader::ResultReaderComponent;
    use starknet::ContractAddress;

    component!(path: ResultReaderComponent, storage: reader, event: ReaderEvent);

    /// Where results come from, for everyone to look up.
    #[abi(embed_v0)]
    impl ResultReaderImpl = ResultReaderComponent::ResultReaderImpl<ContractState>;
    impl ReaderInternalImpl = ResultReaderComponent::InternalImpl<ContractState>;

    #[storage]
    struct Storage {
        #[substorage(v0)]
        reader: ResultReaderComponent::Storage,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        #[flat]
        ReaderEvent: ResultReaderComponent::Event,
    }

    #[constructor]
    fn constructor(ref self: ContractState, execution_store: ContractAddress, fee_task: u256) {
        self.reader.initializer(execution_store, StoreKind::Satellite);
        self.reader.pin_task('fee', fee_task);
    }

    #[abi(embed_v0)]
    impl FeeGateImpl of super::IFeeGate<ContractState> {
        /// Whether the average base fee that the task computed is at most 10 gwei.
        fn is_open(self: @ContractState) -> bool {
            self.reader.read_pinned('fee') <= 10000000000
        }
    }
}
