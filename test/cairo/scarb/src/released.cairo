// Reads a transaction, its receipt and its first log by the numbers of the newest release of the module library, v1.0.12: a
// data handle of six felts, transaction fields 15 to 17, and the logs as handler 5.
#[starknet::contract]
mod Released {
    use starknet::SyscallResultTrait;
    use crate::handle::Pair;

    #[storage]
    struct Storage {}

    #[derive(Serde, Drop, Copy)]
    struct Handle {
        evm: Pair,
        starknet: Pair,
        injected_state: Pair,
    }

    #[external(v0)]
    fn main(
        ref self: ContractState,
        hdp: Handle,
        chain_id: felt252,
        block: felt252,
        index: felt252,
        mark: felt252,
    ) -> Array<felt252> {
        let place = array![hdp.evm.segment_index, hdp.evm.offset, chain_id, block, index].span();
        let mut values = array![mark];
        for field in array![15, 16, 17].span() {
            read(ref values, 3, *field, place);
        }
        for field in array![0, 1, 2].span() {
            read(ref values, 4, *field, place);
        }
        let mut log = array![];
        log.append_span(place);
        log.append(0);
        for field in array![0, 1, 6].span() {
            read(ref values, 5, *field, log.span());
        }
        values
    }

    fn read(ref values: Array<felt252>, handler: felt252, field: felt252, place: Span<felt252>) {
        let answer = starknet::syscalls::call_contract_syscall(
            handler.try_into().unwrap(), field, place,
        )
            .unwrap_syscall();
        values.append(answer.len().into());
        values.append_span(answer);
    }
}
