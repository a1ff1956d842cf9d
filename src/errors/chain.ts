import type { ErrorTemplate } from "./catalogue-entry.js";

const RECORD = "Record it again: npx hardhat hdp record <task file> --out <fixture>";

/** Reading chains: HDP-41xx, HDP-42xx; computing tasks: HDP-43xx; recorded chain data: HDP-46xx. */
export const CHAIN_ERRORS = {
  "HDP-4101": {
    title: "The block does not exist",
    message: "block {block} does not exist, the latest block of {chain} is {head}.",
    hints: ["End the range at block {head} or earlier, or wait for block {block}."],
    description:
      "A task names a block that the chain does not have: the range ends after the latest block, or the network is not the one that was meant. On a simulated network, mine the block first: `hardhat_mine` with at most 7 blocks a call. Check that the task's chain identifier maps to the network you mean.",
  },
  "HDP-4102": {
    title: "The node's answer is malformed",
    ends: "service",
    message: "the node's answer has a bad {place}: {value}, expected {expected}.",
    hints: ["The node does not speak standard Ethereum JSON-RPC here. Use another node for this chain."],
    description:
      "A field of a JSON-RPC answer is missing, or is not what Ethereum's JSON-RPC specifies. Values are read exactly or not at all. Chains that are not Ethereum-like cannot be sampled.",
  },
  "HDP-4103": {
    title: "The node failed to answer",
    ends: "service",
    message: "the node failed to answer {call}: {reason}",
    hints: [
      "The text after the colon is {whose} own.",
      "Nothing was finalized.",
      "Check that the network's node is reachable and its address right, then run the command again.",
    ],
    description:
      "A JSON-RPC call failed: the connection broke, no answer came within `hdp.timeouts.rpc`, the node refused, or its rate limit was reached. Reads are repeated a few times while the node is busy. Lower `hdp.local.concurrency` where the node limits the rate.",
  },
  "HDP-4104": {
    title: "The transaction's type is unknown",
    message: "{subject} has type {type}, which this version cannot encode.",
    hints: ["Known types: 0, 1, 2, 3, 4 and 126 (OP-stack deposits). Sample a block without such transactions."],
    description: "With a transaction of unknown type, the block's transactions cannot be checked against its root.",
  },
  "HDP-4201": {
    title: "A block does not match its hash or its roots",
    ends: "service",
    message: 'block {block}, field "{field}": {reason}',
    hints: ["{explanation}", "Nothing was finalized. Ask another node of the chain (hdp.sources)."],
    description:
      "The header does not hash to the block hash that the node names, the node returned another block, or the transactions or receipts do not make up the root in the header. The node is wrong, leaves out what is hashed, or the chain hashes its headers otherwise than Ethereum does. Ask another node.",
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
    description:
      "The Merkle proof of an account or slot does not lead to the `stateRoot` of the block's header, or the value beside the proof is not the one that it proves. On a real chain, ask another node.",
  },
  "HDP-4204": {
    title: "A value cannot be proven",
    ends: "service",
    message: "{subject} of block {block} cannot be proven: {reason}",
    hints: ['Use a node that proves (hdp.sources). With prove: "when-possible", results say what is unproven.'],
    description:
      "The node does not offer `eth_getProof`, keeps no proofs of blocks that old, or the block was mined locally on a fork; archive nodes have them. `storage_root` and `code_hash` are read from proofs only, in every mode.",
  },
  "HDP-4205": {
    title: "The chain was reorganised while it was read",
    message: "the chain was reorganised while it was read: block {block} was {before} and {now}",
    hints: ["Run the task again. Nothing was finalized. Ranges that end well below the head are not affected."],
    description:
      "The block that was the head before the first read is another one after the last read, or gone, so that the values may belong to two chains. Reverting a simulated network to a snapshot during a run has the same effect.",
  },
  "HDP-4206": {
    title: "What was read does not lead to the checkpoint",
    message: "checkpoint {checkpoint}: {reason}",
    hints: ["Set hdp.local.checkpoint to the hash of a block at or after the last one that tasks read, or remove it."],
    description:
      "Every block that is read must be the checkpoint or an ancestor of it. The node does not know the checkpoint, a later block was read, or more than 20,000 headers lie in between.",
  },
  "HDP-4207": {
    title: "Two nodes have different blocks",
    message: "block {block} is {first}, but the second node has {second}",
    hints: [
      "Nothing was finalized. One of the nodes is behind, on another chain, or wrong: ask a third.",
      "The second node is the network that hdp.local.secondNode names.",
    ],
    description: "The second node is asked for every block that is read, and for the head.",
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
      "Accounts and storage slots of old blocks are kept by archive nodes only, and not every archive node proves them (`eth_getProof`): geth does in the hash scheme, erigon and reth within a window that an option sets. See [Nodes without old state](../local-data-processor.md#nodes-without-old-state). `hdp:check --network` finds it before a task is sent.",
  },
  "HDP-4301": {
    title: "The transaction index is out of range",
    message: "block {block} has no transaction {index}: it has {transactions}",
    hints: ["endIndex is exclusive: it can be at most {count} here."],
    description:
      "A `TransactionsInBlock` datalake visits an index that the block does not have, or that no block can have (4294967296 or more). The range is not cut silently, because the prover does not cut it either.",
  },
  "HDP-4302": {
    title: "The block, transaction or receipt has no such field",
    message: "{place} {reason}",
    hints: ["{advice}"],
    description:
      "The sampled field is missing in a visited element, which fails the whole task: a block from before the fork that added the field (`base_fee_per_gas` came with London, `withdrawals_root` with Shanghai, `blob_gas_used`, `excess_blob_gas` and `parent_beacon_block_root` with Cancun); a transaction of a type without it, for instance `gas_price` of an EIP-1559 transaction or `chain_id` of a legacy one signed without EIP-155; the `success` of a receipt from before Byzantium, which holds a state root instead. The effective gas price of a receipt is never taken in place of `gas_price`.",
  },
  "HDP-4303": {
    title: "The field has no integer value",
    message: "{property} has no integer value, so it cannot be aggregated.",
    hints: ["It can be encoded and hashed only. Sample an integer field: npx hardhat hdp fields lists them."],
    description: "It is a bloom, bytes of any length, a list or a recipient: `npx hardhat hdp fields` lists others.",
  },
  "HDP-4305": {
    title: "The set of values is empty",
    message: "{function} has no values: the task selects no element.",
    hints: ["Widen the range, or include the transaction types that the block holds through includedTypes."],
    description:
      "The range is empty, or all visited transactions are of excluded types. The published implementations disagree about an empty `count` (0 or -1) and refuse the other functions; no prover can prove any of them, so it is an error for all five.",
  },
  "HDP-4601": {
    title: "Recorded chain data cannot be read",
    message: "the recorded chain data cannot be read: {reason}.",
    hints: [RECORD],
    description:
      "The fixture is not JSON, it was not written by `hdp record` or by a version with another format, or a field is missing, unknown or invalid; the first one is named. Hexadecimal text is lower case in a fixture.",
  },
  "HDP-4603": {
    title: "Recorded chain data was changed",
    message: 'recorded data of {chain}, block {block}, field "{field}": {reason}.',
    hints: ["The fixture was changed or is damaged. Take it from its source again, or record it again."],
    description:
      "A header does not hash to its block hash, a block is not the child of the recorded block before it, a proof does not lead to its root, or a number of transactions is not the block's. To test with values of your choice, use `hdp.finalize(task, value)` instead of editing a fixture.",
  },
  "HDP-4604": {
    title: "The recorded chain data does not hold a value",
    message: "{subject} of {chain}, block {block}, is not in the recorded chain data.",
    hints: ["The fixture holds what its own tasks read; several task files may share one.", RECORD],
    description: "Until `stop()` of what `hdp.replay` returned is called, its chains are read from fixtures alone.",
  },
  "HDP-4605": {
    title: "The network is another chain",
    message: "the tasks read {chain} (chain id {id}), the {network} is {found} (chain id {foundId}).",
    hints: [
      'Connect to a network of {chain} with --network, or name one for it: hdp: { sources: { {chain}: "<network>" } }',
    ],
    description:
      "A network whose chain id belongs to no known chain, such as a development chain, may stand for any chain, and results name it; a known chain stands only for itself. Nothing was read: values of one chain would have been called proven for another.",
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, ErrorTemplate>>;
