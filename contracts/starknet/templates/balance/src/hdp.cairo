// The data handle: what the data processor passes as first parameter of `main`.
//
// A read is a call to the address of a data handler. Its selector names the field; its calldata are
// the handle's pointer, the chain id, the block and the key. Only this system call and keccak are
// allowed in a module.
#[cfg(not(test))]
use starknet::SyscallResultTrait;
#[cfg(not(test))]
use starknet::syscalls::call_contract_syscall;

#[cfg(test)]
pub mod testing;

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
const LOG: felt252 = 5;
const STARKNET_STORAGE: felt252 = 1;
const STATE: felt252 = 'injected_state';

const HEADER_TIMESTAMP: felt252 = 11;
const HEADER_BASE_FEE_PER_GAS: felt252 = 15;
const ACCOUNT_NONCE: felt252 = 0;
const ACCOUNT_BALANCE: felt252 = 1;
const STORAGE_SLOT: felt252 = 0;
const LOG_ADDRESS: felt252 = 0;
const LOG_TOPIC0: felt252 = 1;
const LOG_DATA: felt252 = 6;
const STATE_LABEL: felt252 = 0;
const STATE_READ: felt252 = 1;
const STATE_WRITE: felt252 = 2;

#[generate_trait]
pub impl HDPImpl of HDPTrait {
    fn header_timestamp(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        read(self, HEADER, HEADER_TIMESTAMP, chain_id, block, array![].span())
    }

    /// In wei.
    fn header_base_fee_per_gas(self: @HDP, chain_id: felt252, block: u64) -> u256 {
        read(self, HEADER, HEADER_BASE_FEE_PER_GAS, chain_id, block, array![].span())
    }

    /// Any number of a header, by its position in the header's RLP list.
    fn header_field(self: @HDP, field: felt252, chain_id: felt252, block: u64) -> u256 {
        read(self, HEADER, field, chain_id, block, array![].span())
    }

    /// Any number of an account, by its position in the account's RLP list.
    fn account_field(
        self: @HDP, field: felt252, chain_id: felt252, block: u64, account: felt252,
    ) -> u256 {
        read(self, ACCOUNT, field, chain_id, block, array![account].span())
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

    /// The contract that wrote a log, by the positions of the transaction and of the log in it.
    fn log_address(self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64) -> u256 {
        let key = array![transaction.into(), log.into()];
        read(self, LOG, LOG_ADDRESS, chain_id, block, key.span())
    }

    fn log_topic0(self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64) -> u256 {
        let key = array![transaction.into(), log.into()];
        read(self, LOG, LOG_TOPIC0, chain_id, block, key.span())
    }

    /// A word of a log's data, by its position. Words of data have the high half first.
    fn log_data_word(
        self: @HDP, chain_id: felt252, block: u64, transaction: u64, log: u64, word: u32,
    ) -> u256 {
        let key = array![transaction.into(), log.into()];
        let felts = call(self.evm, LOG, LOG_DATA, located(chain_id, block, key.span()).span());
        u256 {
            high: (*felts[2 * word]).try_into().unwrap(),
            low: (*felts[2 * word + 1]).try_into().unwrap(),
        }
    }

    fn starknet_storage(
        self: @HDP, chain_id: felt252, block: u64, contract: felt252, key: felt252,
    ) -> felt252 {
        let place = located(chain_id, block, array![contract, key].span());
        *call(self.starknet, STARKNET_STORAGE, STORAGE_SLOT, place.span())[0]
    }

    /// The root of a trie of injected state; none for a label that the task does not name.
    fn state_root(self: @HDP, label: felt252) -> Option<felt252> {
        found(call(self.injected_state, STATE, STATE_LABEL, array![label].span()))
    }

    /// The value of a key. The task has to name the label.
    fn state_read(self: @HDP, label: felt252, key: felt252) -> Option<felt252> {
        found(call(self.injected_state, STATE, STATE_READ, array![label, key].span()))
    }

    /// Sets a key and returns the trie's new root; 0 removes it.
    fn state_write(self: @HDP, label: felt252, key: felt252, value: felt252) -> felt252 {
        *call(self.injected_state, STATE, STATE_WRITE, array![label, key, value].span())[0]
    }
}

fn found(answer: Span<felt252>) -> Option<felt252> {
    if *answer[1] == 1 {
        Option::Some(*answer[0])
    } else {
        Option::None
    }
}

fn located(chain_id: felt252, block: u64, key: Span<felt252>) -> Array<felt252> {
    let mut place = array![chain_id, block.into()];
    place.append_span(key);
    place
}

fn read(
    hdp: @HDP, handler: felt252, field: felt252, chain_id: felt252, block: u64, key: Span<felt252>,
) -> u256 {
    let words = call(hdp.evm, handler, field, located(chain_id, block, key).span());
    u256 { low: (*words[0]).try_into().unwrap(), high: (*words[1]).try_into().unwrap() }
}

#[cfg(not(test))]
fn call(
    memorizer: @Memorizer, handler: felt252, field: felt252, key: Span<felt252>,
) -> Span<felt252> {
    let mut calldata = array![*memorizer.dict.segment_index, *memorizer.dict.offset];
    calldata.append_span(key);
    call_contract_syscall(handler.try_into().unwrap(), field, calldata.span()).unwrap_syscall()
}

#[cfg(test)]
fn call(
    memorizer: @Memorizer, handler: felt252, field: felt252, key: Span<felt252>,
) -> Span<felt252> {
    testing::answer(handler, field, key)
}
