// The data handle: what the data processor passes as first parameter of `main`.
//
// A read is a call to the address of a data handler. Its selector names the field; its calldata are
// the handle's pointer, the chain id, the block and the key. Only this system call and keccak are
// allowed in a module.
use starknet::SyscallResultTrait;
use starknet::syscalls::call_contract_syscall;

#[derive(Drop, Serde)]
pub struct RelocatableValue {
    pub segment_index: felt252,
    pub offset: felt252,
}

#[derive(Drop, Serde)]
pub struct Memorizer {
    pub dict: RelocatableValue,
}

/// Two felts for each member: the order and the number of members belong to the data processor's
/// convention.
#[derive(Drop, Serde)]
pub struct HDP {
    pub evm: Memorizer,
    pub starknet: Memorizer,
    pub injected_state: Memorizer,
    pub unconstrained: Memorizer,
}

const HEADER: felt252 = 0;
const ACCOUNT: felt252 = 1;
const STORAGE: felt252 = 2;

const HEADER_TIMESTAMP: felt252 = 11;
const HEADER_BASE_FEE_PER_GAS: felt252 = 15;
const ACCOUNT_NONCE: felt252 = 0;
const ACCOUNT_BALANCE: felt252 = 1;
const STORAGE_SLOT: felt252 = 0;

#[generate_trait]
pub impl HDPImpl of HDPTrait {
    fn header_timestamp(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        read(self, HEADER, HEADER_TIMESTAMP, chain_id, block, array![].span())
    }

    /// In wei.
    fn header_base_fee_per_gas(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        read(self, HEADER, HEADER_BASE_FEE_PER_GAS, chain_id, block, array![].span())
    }

    fn account_nonce(self: @HDP, chain_id: felt252, block: u64, account: felt252) -> u256 {
        read(self, ACCOUNT, ACCOUNT_NONCE, chain_id, block, array![account].span())
    }

    /// In wei.
    fn account_balance(self: @HDP, chain_id: felt252, block: u64, account: felt252) -> u256 {
        read(self, ACCOUNT, ACCOUNT_BALANCE, chain_id, block, array![account].span())
    }

    fn storage_slot(
        self: @HDP, chain_id: felt252, block: u64, account: felt252, slot: u256,
    ) -> u256 {
        // Keys have the high half first, results the low half.
        let key = array![account, slot.high.into(), slot.low.into()];
        read(self, STORAGE, STORAGE_SLOT, chain_id, block, key.span())
    }
}

fn read(
    hdp: @HDP, handler: felt252, field: felt252, chain_id: felt252, block: u64, key: Span<felt252>,
) -> u256 {
    let mut calldata = array![
        *hdp.evm.dict.segment_index, *hdp.evm.dict.offset, chain_id, block.into(),
    ];
    calldata.append_span(key);
    let words = call_contract_syscall(handler.try_into().unwrap(), field, calldata.span())
        .unwrap_syscall();
    u256 { low: (*words[0]).try_into().unwrap(), high: (*words[1]).try_into().unwrap() }
}
