import { ethCallPackage } from "./eth-call-scaffold.js";
import { checkPackageName, scarbArtifacts } from "./scarb.js";

/*
 * Cairo sources of a new module. They keep to what Cairo 2.8 and later compile alike (explicit paths and `pub`), and
 * need no package but Starknet's own: the data handle is part of the module.
 */

/** The contract: `main` sums an account's balance over a range of blocks. */
const MODULE_SOURCE = `// A module: a Starknet contract whose function \`main\` the data processor calls.
//
// The data processor passes the data handle \`hdp\` first; a task's inputs fill the parameters after
// it. Every value read through the handle is proven against the headers of its chain.
pub mod hdp;

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

/** The data handle of the current generation: four members, eight felts. */
const HANDLE_SOURCE = `// The data handle: what the data processor passes as first parameter of \`main\`.
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
`;

/** What a new module does: sums balances, or runs calls of contracts. */
export const MODULE_TEMPLATES = ["balance", "eth-call"] as const;
export type ModuleTemplate = (typeof MODULE_TEMPLATES)[number];

/** Address in the example task: the staking deposit contract of Ethereum, which always has a balance. */
const EXAMPLE_ACCOUNT = "0x00000000219ab540356cbb839cbe05303d7705fa";

/**
 * Files of a new Scarb package for a module that works as it is: a sum of an account's balance over blocks.
 *
 * @param name name of the package: a lower-case letter, then lower-case letters, digits and `_`.
 * @returns content by path, relative to the package's folder, with `/`.
 * @throws HdpError HDP-7030 where the name cannot be one.
 */
export function scaffoldModule(name: string, template: ModuleTemplate = "balance"): ReadonlyMap<string, string> {
  checkPackageName(name);
  if (template === "eth-call") return new Map(ethCallPackage(name));
  return new Map([
    ["Scarb.toml", manifest(name)],
    ["src/lib.cairo", MODULE_SOURCE],
    ["src/hdp.cairo", HANDLE_SOURCE],
    [`tasks/${name}.json`, task(name)],
    ["README.md", readme(name)],
    [".gitignore", "target/\n.snfoundry_cache/\n"],
  ]);
}

function manifest(name: string): string {
  return `[package]
name = "${name}"
version = "0.1.0"
edition = "2023_11"

[dependencies]
# From 2.8.2 on; a module is compiled with the Scarb of the same version or a newer one.
starknet = ">=2.8.2"

[[target.starknet-contract]]
# The Sierra class has the ABI, by which arguments are encoded.
sierra = true
# The compiled class is what the registry takes and the data processor runs.
casm = true
# The data processor's prover reads hints in this form.
casm-add-pythonic-hints = true
# Modules are not deployed: the list of library functions that a chain allows is not theirs.
allowed-libfuncs = false
`;
}

function task(name: string): string {
  const request = {
    destinationChainId: "ETHEREUM_SEPOLIA",
    tasks: [
      {
        type: "Module",
        module: {
          class: `../${scarbArtifacts(name).compiledClassFile}`,
          arguments: { chain_id: 1, account: EXAMPLE_ACCOUNT, first_block: 21000000, last_block: 21000003 },
        },
      },
    ],
  };
  return `${JSON.stringify(request, null, 2)}\n`;
}

function readme(name: string): string {
  const { compiledClassFile } = scarbArtifacts(name);
  return `# ${name}

A module for the data processor: a Starknet contract whose function \`main\` computes over proven on-chain data.
This one sums an account's balance over a range of blocks.

| File | What it is |
|---|---|
| \`src/lib.cairo\` | the contract with \`main\`: change this |
| \`src/hdp.cairo\` | the data handle: reads of headers, accounts and storage; add the reads you need |
| \`tasks/${name}.json\` | a task that runs the module, with its arguments by name |
| \`Scarb.toml\` | the build's settings; the data processor needs those under \`[[target.starknet-contract]]\` |

## Build

    scarb build

It writes \`${compiledClassFile}\`, which is uploaded and run, and beside it the Sierra class, which has the ABI.

## Check

    npx hardhat hdp:program-hash ${compiledClassFile}
    npx hardhat hdp:check tasks/${name}.json

## Rules

- \`main\` takes \`hdp: HDP\` first; the data processor passes it. The task gives the parameters after it.
- The only system calls are reads through the handle and keccak.
- Private parameters come last: the prover passes all public inputs first.
- The handle in \`src/hdp.cairo\` is the current generation's, with four members. The package \`hdp_cairo\` has a larger
  one with every field; use it as a dependency in place of \`src/hdp.cairo\` when you need it.
`;
}
