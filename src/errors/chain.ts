import type { ErrorTemplate } from "./catalogue-entry.js";

/** Reading chains: HDP-41xx, HDP-42xx; computing tasks: HDP-43xx; recorded chain data: HDP-46xx. */
export const CHAIN_ERRORS = {
  "HDP-4101": {
    title: "The block does not exist",
    message: "block {block} does not exist, the latest block of {chain} is {head}.",
    hints: ["End the range at block {head} or earlier, or wait for block {block}."],
    description: "On a simulated network, mine the block first with `hdp.mine`.",
  },
  "HDP-4102": {
    title: "The node's answer is malformed",
    ends: "service",
    message: "the node's answer has a bad {place}: {problem}.",
    hints: ["The node does not speak the standard JSON-RPC of the chain here. Use another node."],
    description: "Chains that are neither Ethereum-like nor Starknet cannot be read.",
  },
  "HDP-4103": {
    title: "The node failed to answer",
    ends: "service",
    message: "the node failed to answer {call}: {reason}",
    hints: ["The text after the colon is {whose} own.", "{advice}"],
    description:
      "Check that the node can be reached and has the block. If it limits the rate, lower `hdp.local.concurrency`; `hdp.timeouts.rpc` bounds the wait.",
  },
  "HDP-4104": {
    title: "The transaction's type is unknown",
    message: "{subject} has type {type}, which this version cannot encode.",
    hints: ["Known types: 0, 1, 2, 3, 4 and 126 (OP-stack deposits). Sample a block without such transactions."],
  },
  "HDP-4201": {
    title: "A block does not match its hash or its roots",
    ends: "service",
    message: 'block {block}, field "{field}": {reason}',
    hints: ["{explanation}", "Nothing was finalized. On a live chain, ask another node (hdp.sources)."],
    description: "The node is wrong, or the chain hashes its headers otherwise than Ethereum does.",
  },
  "HDP-4202": {
    title: "State does not match the state root",
    ends: "service",
    message: "state of block {block}, {subject}: {reason}",
    hints: [
      "On a simulated network, blocks skipped by one hardhat_mine of 8 or more have no state: mine with hdp.mine(blocks), or at most 7 a call.",
      "hardhat_setBalance, anvil_setStorageAt and the like change the latest block's state behind its header: mine one block and sample from there on.",
      "Nothing was finalized. On a live chain, ask another node (hdp.sources).",
    ],
  },
  "HDP-4204": {
    title: "A value cannot be proven",
    ends: "service",
    message: "{subject} of block {block} cannot be proven: {reason}",
    hints: ['Use a node that proves (hdp.sources). With prove: "when-possible", results say what is unproven.'],
    description: "Archive nodes have proofs of old blocks. `storage_root` and `code_hash` are read from proofs only.",
  },
  "HDP-4205": {
    title: "The chain was reorganised while it was read",
    message: "the chain was reorganised while it was read: block {block} was {before} and {now}",
    hints: ["Run the task again. Nothing was finalized. Ranges that end well below the head are not affected."],
    description: "Reverting to a snapshot during a run has the same effect.",
  },
  "HDP-4206": {
    title: "What was read does not lead to the checkpoint",
    message: "checkpoint {checkpoint}: {reason}",
    hints: ["Set hdp.local.checkpoint to the hash of a block at or after the last one that tasks read, or remove it."],
    description: "Every block that is read must be the checkpoint or one of its last 20,000 ancestors.",
  },
  "HDP-4207": {
    title: "Two nodes have different blocks",
    message: "block {block} is {first}, but the second node has {second}",
    hints: ["Nothing was finalized. One of the nodes (hdp.local.secondNode) is wrong, behind or on another chain."],
  },
  "HDP-4208": {
    title: "The node has no state of a block",
    ends: "service",
    message: "the node has no state of block {block}{behind} or no proofs of it: {words}",
    hints: [
      "Nothing was finalized. The text after the colon is the node's own.",
      "Sample a nearer range: most nodes keep the state of the latest 128 blocks, and some prove less than they keep.",
      'Or read the chain from an archive node: hdp: { sources: { {chain}: "<network>" } }',
      "geth proves every block with: --gcmode archive --state.scheme hash. A file of anvil's --state has old state with --preserve-historical-states.",
    ],
    description:
      "Only archive nodes keep accounts and slots of old blocks, and not all of them prove these (`eth_getProof`). `hdp:check --network` finds it before a task is sent. See [Nodes without old state](../local-data-processor.md#nodes-without-old-state).",
  },
  "HDP-4301": {
    title: "The transaction index is out of range",
    message: "block {block} has no transaction {index}: it has {transactions}",
    hints: ["endIndex is exclusive: it can be at most {count} here."],
  },
  "HDP-4302": {
    title: "A sampled element has no such value",
    message: "{place} {reason}",
    hints: ["{advice}"],
    description:
      "A sampled element lacks the field, which fails the task: a block from before the fork that added it (`base_fee_per_gas` London, `withdrawals_root` Shanghai, `blob_gas_used`, `excess_blob_gas`, `parent_beacon_block_root` Cancun), a transaction of a type without it (`gas_price` of EIP-1559, `chain_id` of a legacy one without EIP-155), or the `success` of a receipt from before Byzantium.",
  },
  "HDP-4305": {
    title: "The set of values is empty",
    message: "{function} has no values: the task selects no element.",
    hints: ["Widen the range, or include the transaction types that the block holds through includedTypes."],
    description: "No prover can prove a function over no values, `count` included.",
  },
  "HDP-4603": {
    title: "Recorded chain data was changed",
    message: 'recorded data of {chain}, block {block}, field "{field}": {reason}.',
    hints: ["The fixture was changed or is damaged. Take it from its source again, or record it again."],
    description: "To test with chosen values, use `hdp.finalize(task, value)`.",
  },
  "HDP-4604": {
    title: "The recorded chain data does not hold a value",
    message: "{subject} of {chain}, block {block}, is not in the recorded chain data.",
    hints: ["The fixture holds what its own tasks read: npx hardhat hdp record <task file> --out <fixture>"],
    description: "Until `stop()` of what `hdp.replay` returned is called, its chains are read from fixtures alone.",
  },
  "HDP-4605": {
    title: "The network is another chain",
    message: "the tasks read {chain} (chain id {id}), the {network} is {found} (chain id {foundId}).",
    hints: ['Connect to a network of {chain}, or name one for it: hdp: { sources: { {chain}: "<network>" } }'],
    description: "A network whose chain id is of no known chain may stand for any chain.",
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, ErrorTemplate>>;
