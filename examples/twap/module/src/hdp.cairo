// The data handle, with the two reads of this module. `npx hardhat hdp module new <name>` writes
// the whole of it.
use starknet::SyscallResultTrait;
use starknet::syscalls::call_contract_syscall;

#[derive(Drop, Serde)]
struct RelocatableValue {
    segment_index: felt252,
    offset: felt252,
}

#[derive(Drop, Serde)]
struct Memorizer {
    dict: RelocatableValue,
}

#[derive(Drop, Serde)]
pub struct HDP {
    evm: Memorizer,
    starknet: Memorizer,
    injected_state: Memorizer,
    unconstrained: Memorizer,
}

const HEADER: felt252 = 0;
const HEADER_TIMESTAMP: felt252 = 11;
const STORAGE: felt252 = 2;
const STORAGE_SLOT: felt252 = 0;

#[generate_trait]
pub impl HDPImpl of HDPTrait {
    fn header_timestamp(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        read(self, HEADER, HEADER_TIMESTAMP, array![chain_id, block.into()])
    }

    fn storage_slot(
        self: @HDP, chain_id: felt252, block: u64, account: felt252, slot: u256,
    ) -> u256 {
        // Keys have the high half first, results the low half.
        let key = array![chain_id, block.into(), account, slot.high.into(), slot.low.into()];
        read(self, STORAGE, STORAGE_SLOT, key)
    }
}

fn read(hdp: @HDP, handler: felt252, field: felt252, key: Array<felt252>) -> u256 {
    let mut calldata = array![*hdp.evm.dict.segment_index, *hdp.evm.dict.offset];
    calldata.append_span(key.span());
    let words = call_contract_syscall(handler.try_into().unwrap(), field, calldata.span())
        .unwrap_syscall();
    u256 { low: (*words[0]).try_into().unwrap(), high: (*words[1]).try_into().unwrap() }
}
