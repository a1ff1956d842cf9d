import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Reading chains: HDP-41xx and HDP-42xx. */
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
    meaning:
      "A field of a JSON-RPC answer is missing or is not what Ethereum's JSON-RPC says it is. Nothing is guessed: a value that cannot be read exactly is not read.",
    remedy: "Use another node for this chain. Chains that are not Ethereum-like cannot be sampled.",
    example: 'HDP-4102: the node\'s answer has a bad field "gasUsed" of block 3: missing, expected a hex integer.',
  },
  "HDP-4103": {
    title: "The node failed to answer",
    ends: "service",
    meaning:
      "A JSON-RPC call failed for a reason other than an unsupported method: the connection broke, the node refused, a rate limit was reached. The words after the colon are the node's own, without addresses.",
    remedy:
      "Check that the node is reachable, then submit again. Lower `concurrency` where the node limits the rate. Nothing was finalized.",
    example: 'HDP-4103: the node failed to answer eth_getBlockByNumber("0x5", false): socket hang up.',
  },
  "HDP-4104": {
    title: "The transaction's type is unknown",
    meaning:
      "A block holds a transaction of a type that this version cannot encode, so its transactions cannot be checked against the block's root.",
    remedy: "Sample a block without such transactions. Known types are 0, 1, 2, 3, 4 and 126 (OP-stack deposits).",
    example: "HDP-4104: transaction 2 of block 9 has type 5, which this version cannot encode.",
  },
  "HDP-4201": {
    title: "A header does not match its block hash",
    ends: "service",
    meaning:
      "The fields of a header, encoded as the chain does, do not hash to the block hash that the node names, or the node returned another block. A field is wrong, the chain hashes its headers in its own way, or a later fork added fields this version does not know; the message lists such fields.",
    remedy:
      'Ask another node. If the chain does not hash its headers as Ethereum does, evaluate with `prove: "never"`; the result is then marked unproven.',
    example: 'HDP-4201: header of block 7, field "hash": the header hashes to 0x5c1e…, the node says 0x77d0…',
  },
  "HDP-4202": {
    title: "State does not match the state root",
    ends: "service",
    meaning:
      "The Merkle proof of an account or slot does not lead to the `stateRoot` of the block's header (or the slot's to the account's storage root), or the value beside the proof is not the one it proves. On simulated networks there are two usual causes: the block was skipped by one `hardhat_mine` of 8 or more blocks, which leaves all but three of them without state; or the state was set (`hardhat_setBalance`, `hardhat_setStorageAt`, …) while the block was the latest, which changes its state behind its header for good.",
    remedy:
      'Mine at most 7 blocks a call, in a loop. After setters, mine one block and sample from there on. On a real chain, ask another node. `prove: "never"` reads without checking and marks the result unproven.',
    example:
      "HDP-4202: state of block 5, accountProof of 0xf39F…2266: the proof does not lead to the state root 0xc2b8…",
  },
  "HDP-4203": {
    title: "Transactions or receipts do not match their root",
    ends: "service",
    meaning:
      "The trie rebuilt from all transactions (or all receipts) of a block has another root than the header states. One element is wrong, missing or out of order, or its JSON leaves out what is hashed.",
    remedy: 'Ask another node. `prove: "never"` reads without checking and marks the result unproven.',
    example:
      'HDP-4203: block 7, field "receiptsRoot": the receipts the node returned make up the root 0x1f0a…, not the header\'s.',
  },
  "HDP-4204": {
    title: "A value cannot be proven",
    ends: "service",
    meaning:
      '`prove` is `"require"` and the node cannot give the proof: it does not know `eth_getProof`, it has no proofs for old blocks, or the block was mined locally on a fork. It also comes where a field is known from a proof only (`storage_root`, `code_hash`) and there is none.',
    remedy:
      'Use `prove: "when-possible"` (the default): such values are read without a proof and the result is marked unproven. Or use an archive node that answers `eth_getProof`.',
    example: "HDP-4204: account 0xf39F…2266 of block 5 cannot be proven: Method eth_getProof is not supported.",
  },
  "HDP-4205": {
    title: "The chain was reorganised while it was read",
    meaning:
      "The node's head is noted before a task's first read and looked at again after the last one. The block of that number is another one now, or gone: what was read may belong to two chains. Reverting a simulated network to a snapshot during a run does the same.",
    remedy: "Run the task again. Ranges that end some blocks below the head are not affected by reorganisations.",
    example: "HDP-4205: the chain was reorganised while it was read: block 12 was 0x11aa… and is 0x22bb… now.",
  },
  "HDP-4206": {
    title: "What was read does not lead to the checkpoint",
    meaning:
      "`hdp.local.checkpoint` names a block by its hash, and every block that is read must be that block or an ancestor of it by parent hashes. The node does not know the block, a later block was read, or more than 20,000 headers lie in between.",
    remedy: "Name a block at or a little after the last one that your tasks read, on the chain that they read.",
    example: "HDP-4206: checkpoint 0x11aa…: it is block 100, and block 120 was read.",
  },
  "HDP-4207": {
    title: "Two nodes have different blocks",
    meaning:
      "`hdp.local.secondNode` names a network whose node is asked for every block that is read, and for the head. It has another block under that number, or none.",
    remedy: "Find out which of the two is right, for instance with a third. A node that is behind needs time.",
    example:
      "HDP-4207: block 120 is 0x22bb…, but the second node has 0x33cc…\n  Nothing was finalized. One of the nodes is behind, on another chain, or wrong: ask a third.\n  The second node is the network that hdp.local.secondNode names.",
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, CatalogueEntry | ErrorTemplate>>;
