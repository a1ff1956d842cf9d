/*
 * Cairo sources of a new module, one contract for each kind. They keep to what Cairo 2.8 and later compile alike
 * (explicit paths and `pub`), and need no package but Starknet's own: the data handle is part of the module.
 */

/** One kind of module: its contract, and what the example task gives. */
export interface ModuleTemplateSource {
  /** What it does, after "This one". */
  readonly summary: string;
  readonly source: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly injectedState?: Readonly<Record<string, string>>;
}

const HEAD = `// A module: a Starknet contract whose function \`main\` the data processor calls.
//
// The data processor passes the data handle \`hdp\` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.
pub mod hdp;
`;

const BALANCE = `${HEAD}
#[starknet::contract]
pub mod Module {
    use crate::hdp::{HDP, HDPTrait};

    #[storage]
    struct Storage {}

    /// Sum of an account's balance over the blocks from \`first_block\` to \`last_block\`, both
    /// included, in wei.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        account: felt252,
        first_block: u64,
        last_block: u64,
    ) -> u256 {
        assert(first_block <= last_block, 'no blocks in the range');
        let mut sum: u256 = 0;
        let mut block = first_block;
        loop {
            if block > last_block {
                break sum;
            }
            sum += hdp.account_balance(chain_id, block, account);
            block += 1;
        }
    }
}
`;

const LOGS = `${HEAD}
#[starknet::contract]
pub mod Module {
    use crate::hdp::{HDP, HDPTrait};

    /// keccak256("Transfer(address,address,uint256)")
    const TRANSFER: u256 = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef;

    #[storage]
    struct Storage {}

    /// Number and sum of an ERC-20 token's transfers among the first \`logs\` logs of a transaction.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        token: u256,
        block: u64,
        transaction: u64,
        logs: u64,
    ) -> (u64, u256) {
        let mut count: u64 = 0;
        let mut sum: u256 = 0;
        let mut index: u64 = 0;
        loop {
            if index == logs {
                break;
            }
            let from = hdp.log_address(chain_id, block, transaction, index);
            if from == token && hdp.log_topic0(chain_id, block, transaction, index) == TRANSFER {
                count += 1;
                sum += hdp.log_data_word(chain_id, block, transaction, index, 0);
            }
            index += 1;
        }
        (count, sum)
    }
}
`;

const INJECTED_STATE = `${HEAD}
#[starknet::contract]
pub mod Module {
    use crate::hdp::{HDP, HDPTrait};

    /// The trie's label: the task names it with the root to start from.
    const VOTES: felt252 = 'votes';

    #[storage]
    struct Storage {}

    /// Counts a vote: one for each voter, who has to have had a balance in the block. Keeps who has
    /// voted and the sum of each choice in the trie, and returns the trie's new root and the sum.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        block: u64,
        voter: felt252,
        choice: felt252,
    ) -> (felt252, felt252) {
        assert(choice != 0 && choice != voter, 'no such choice');
        assert(hdp.account_balance(chain_id, block, voter) != 0, 'no balance');
        assert(hdp.state_read(VOTES, voter).is_none(), 'voted already');
        hdp.state_write(VOTES, voter, choice);
        let sum = hdp.state_read(VOTES, choice).unwrap_or(0) + 1;
        let root = hdp.state_write(VOTES, choice, sum);
        (root, sum)
    }
}
`;

const BRIDGE = `${HEAD}
#[starknet::contract]
pub mod Module {
    use crate::hdp::{HDP, HDPTrait};

    #[storage]
    struct Storage {}

    /// What a bridge holds on Ethereum and what it has minted on Starknet, in the token's unit.
    #[derive(Drop, Serde)]
    pub struct Balance {
        pub locked: u256,
        pub minted: u256,
        pub is_backed: bool,
    }

    /// Compares the ether of a bridge's contract on Ethereum with the total supply of its token on
    /// Starknet, a u256 at \`supply_slot\` and the slot behind it.
    #[external(v0)]
    pub fn main(
        ref self: ContractState,
        hdp: HDP,
        chain_id: felt252,
        block: u64,
        bridge: felt252,
        starknet_chain_id: felt252,
        starknet_block: u64,
        token: felt252,
        supply_slot: felt252,
    ) -> Balance {
        let locked = hdp.account_balance(chain_id, block, bridge);
        let minted = u256 {
            low: hdp
                .starknet_storage(starknet_chain_id, starknet_block, token, supply_slot)
                .try_into()
                .unwrap(),
            high: hdp
                .starknet_storage(starknet_chain_id, starknet_block, token, supply_slot + 1)
                .try_into()
                .unwrap(),
        };
        Balance { locked, minted, is_backed: locked >= minted }
    }
}
`;

/** Address in the example tasks: the staking deposit contract of Ethereum, which always has a balance. */
const DEPOSIT_CONTRACT = "0x00000000219ab540356cbb839cbe05303d7705fa";

/** By the name that `hdp module new --template` takes. */
export const TEMPLATE_SOURCES = {
  balance: {
    summary: "sums an account's balance over a range of blocks",
    source: BALANCE,
    arguments: { chain_id: 1, account: DEPOSIT_CONTRACT, first_block: 21000000, last_block: 21000003 },
  },
  logs: {
    summary: "counts an ERC-20 token's transfers in a transaction, and sums them",
    source: LOGS,
    arguments: {
      chain_id: 1,
      token: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
      block: 21000000,
      transaction: 0,
      logs: 1,
    },
  },
  "injected-state": {
    summary: "counts votes in a trie of injected state",
    source: INJECTED_STATE,
    arguments: { chain_id: 1, block: 21000000, voter: DEPOSIT_CONTRACT, choice: "'yes'" },
    injectedState: { votes: "0x0" },
  },
  bridge: {
    summary: "compares what a bridge holds on Ethereum with what it has minted on Starknet",
    source: BRIDGE,
    arguments: {
      chain_id: 1,
      block: 21000000,
      bridge: "0xae0Ee0A63A2cE6BaeEFFE56e7714FB4EFE48D419",
      starknet_chain_id: "'SN_MAIN'",
      starknet_block: 830000,
      token: "0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
      supply_slot: "0x110e2f729c9c2b988559994a3daccd838cf52faf88e18101373e67dd061455a",
    },
  },
} as const satisfies Readonly<Record<string, ModuleTemplateSource>>;

/** The data handle of the current generation: four members, eight felts. */
export const HANDLE_SOURCE = `// The data handle: what the data processor passes as first parameter of \`main\`.
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

fn call(
    memorizer: @Memorizer, handler: felt252, field: felt252, key: Span<felt252>,
) -> Span<felt252> {
    let mut calldata = array![*memorizer.dict.segment_index, *memorizer.dict.offset];
    calldata.append_span(key);
    call_contract_syscall(handler.try_into().unwrap(), field, calldata.span()).unwrap_syscall()
}
`;
