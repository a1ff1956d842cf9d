import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of chains (HDP-41xx, HDP-42xx), computing (43xx, 44xx), the dev server (45xx), recordings (46xx) and faults. */
export const PROCESSOR_ERRORS = {
  "HDP-4101": {
    title: "The block does not exist",
    message: "block {block} does not exist, the latest block of {chain} is {head}.",
    hints: ["Read up to block {head}, or wait for block {block}."],
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
    hints: ["The text after the colon is {whose} own."],
    description:
      "Check that the node can be reached and has the block. If it limits the rate, lower `hdp.local.concurrency`; `hdp.timeouts.rpc` bounds the wait.",
  },
  "HDP-4104": {
    title: "The transaction's type is unknown",
    message: "{subject} has type {type}, which this version cannot encode.",
    hints: [
      "Known types: 0, 1, 2, 3, 4 and 126 (OP-stack deposits). Sample a block without such transactions.",
    ],
  },
  "HDP-4201": {
    title: "A block does not match its hash or its roots",
    ends: "service",
    message: 'block {block} does not match its field "{field}": {reason}',
    hints: ["Nothing was finalized. On a live chain, ask another node (hdp.sources)."],
    description: "The node is wrong, or the chain hashes its headers otherwise than Ethereum does.",
  },
  "HDP-4202": {
    title: "State does not match the state root",
    ends: "service",
    message: "the state of block {block} does not match its root, {subject}: {reason}",
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
    hints: [
      'Use a node that proves (hdp.sources). With prove: "when-possible", results say what is unproven.',
    ],
    description:
      "Archive nodes have proofs of old blocks. `storage_root` and `code_hash` are read from proofs only.",
  },
  "HDP-4205": {
    title: "The chain was reorganised while it was read",
    message: "the chain was reorganised while it was read: block {block} was {before} and {now}",
    hints: [
      "Run the task again. Nothing was finalized. Ranges that end well below the head are not affected.",
    ],
    description: "Reverting to a snapshot during a run has the same effect.",
  },
  "HDP-4206": {
    title: "What was read does not lead to the checkpoint",
    message: "what was read does not lead to the checkpoint {checkpoint}: {reason}",
    hints: [
      "Set hdp.local.checkpoint to the hash of a block at or after the last one that tasks read, or remove it.",
    ],
    description:
      "Every block that is read must be the checkpoint or one of its last 20,000 ancestors.",
  },
  "HDP-4207": {
    title: "Two nodes have different blocks",
    message: "block {block} is {first}, but the second node has {second}",
    hints: [
      "Nothing was finalized. One of the nodes (hdp.local.secondNode) is wrong, behind or on another chain.",
    ],
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
  "HDP-4209": {
    title: "A block does not follow the one below it",
    ends: "service",
    message:
      "block {block} does not follow the block below it: its parentHash is {parent}, but block {below} hashes to {hash}.",
    hints: [
      "The node's blocks do not make up one chain, or it was reorganised while it was read. Run the task again.",
      "Nothing was finalized. On a live chain, ask another node (hdp.sources).",
    ],
  },
  "HDP-4210": {
    title: "A block was skipped and has no parent",
    message:
      "block {block} was skipped by one hardhat_mine of 8 or more (mine of Hardhat's network helpers), and has no parent.",
    hints: ["Mine with hdp.mine(blocks), or at most 7 a call. Nothing was finalized."],
    description: "Such a block has a parent hash of zeros, and no state.",
  },
  "HDP-4301": {
    title: "The transaction index is out of range",
    message: "block {block} has no transaction {index}: it has {transactions}",
    hints: [
      "Indices count from 0, and the endIndex of a range is exclusive: it can be at most {count} here.",
    ],
  },
  "HDP-4302": {
    title: "A sampled block has no such field",
    message: "block {block} has no {field}: it is from before the fork that added the field.",
    hints: ["Start the range at a later block."],
    description:
      "`base_fee_per_gas` came with London, `withdrawals_root` with Shanghai, and `blob_gas_used`, `excess_blob_gas` and `parent_beacon_block_root` with Cancun. A sampled element without the field fails the task.",
  },
  "HDP-4303": {
    title: "A sampled transaction has no such field",
    message: "{transaction} has {type}, which has no {field}.",
    hints: ["Exclude its type: includedTypes with {key} false, or sample other indices."],
    description:
      "`gas_price` is not listed by EIP-1559, and `chain_id` not by a legacy transaction without EIP-155. A sampled element without the field fails the task.",
  },
  "HDP-4304": {
    title: "A sampled receipt is from before Byzantium",
    message:
      "{receipt} has a state root in place of success: its block is from before the Byzantium fork.",
    hints: ["Sample tx_receipt.cumulative_gas_used, or a later block."],
  },
  "HDP-4305": {
    title: "The set of values is empty",
    message: "{function} has no values: the task selects no element.",
    hints: [
      "Widen the range, or include the transaction types that the block holds through includedTypes.",
    ],
    description: "No prover can prove a function over no values, `count` included.",
  },
  "HDP-4306": {
    title: "The field has no integer value",
    message: "{property} has no integer value, so it cannot be aggregated.",
    hints: [
      "It can be encoded and hashed only. Sample an integer field: npx hardhat hdp fields lists them.",
    ],
  },
  "HDP-4401": {
    title: "Module tasks need a module runner",
    message: "this local data processor has no module runner, and the task is a module.",
    hints: ["Give it a module runner (runModule), or send the request to a remote data processor."],
  },
  "HDP-4402": {
    title: "The submission is not known in this process",
    message:
      "the local data processor does not know {what}: no submission of it is under way in this process.",
    hints: ["Submit the task again, or look for its result: npx hardhat hdp:result <task hash>"],
    description:
      "Local submissions end with the process that made them; 10,000 ended ones are remembered.",
  },
  "HDP-4403": {
    title: "The local data processor was closed",
    message: "the local data processor was closed before the submission was finalized.",
    hints: ["Submit again on an open connection."],
  },
  "HDP-4404": {
    title: "The execution store has another value than was computed",
    message: "the execution store has {stored} for task {hash}, and {computed} was computed.",
    hints: ["The store {store} {advice}."],
    description: "Somebody else finalized the task, or a development chain was restarted.",
  },
  "HDP-4406": {
    title: "The submission failed",
    message: "submission {id} failed in the local data processor: {reason}",
    hints: ["Nothing of it was finalized. Correct the cause and submit it again."],
  },
  "HDP-4407": {
    title: "The submission's transaction was not mined in time",
    message: "submission {id} sent a transaction that was not mined in time: {reason}",
    hints: [
      "Do not submit it again before that: once the transaction is mined, hdp.readResult reads the result.",
    ],
    description: "Its transaction is pending: the next mined block finalizes the tasks.",
  },
  "HDP-4410": {
    title: "The module panicked",
    message: "the module panicked and has no result: {panic}",
    hints: [
      "Program {program}. It has no result at the service either: correct its arguments or its code.",
    ],
    description:
      "`npx hardhat hdp module run <file>` shows what the module read before it panicked.",
  },
  "HDP-4411": {
    title: "The compiled class of a program is not known",
    message: "the compiled class of program {hash} is not known here, so it cannot be run locally.",
    hints: [
      'Name the class in the task: "module": { "class": "path", "arguments": { … } }, in place of programHash.',
      'Or configure it: hdp.local.programs: ["path of a class or of a folder"] (now: {looked}).',
      "Or put the class there: {own}",
    ],
    description: "A local run needs the class itself. It is found by the hash of its bytecode.",
  },
  "HDP-4413": {
    title: "The module's output has no raw value",
    message: "the module returned {felts} felts, which have no raw value.",
    hints: [
      'The rule "value" (generation {generation}) takes one felt, or a u256 of two 128-bit halves.',
      'Return one of these, or store the root over all felts: hdp.local.moduleResult: "output-root".',
    ],
    description: "By the rule `value`, the returned number itself is the result: one word.",
  },
  "HDP-4414": {
    title: "The service publishes another output than the module returns",
    message:
      "the service says that the module returned the felts {published}; run here, it returned {computed}.",
    hints: [
      "Both have the stored root {sameRoot}, which does not fix the order: only one of them is what was proven.",
      "The root of the felts here is {otherRoot}, the stored one is {storedRoot}.",
      "Compare the stored value: {again}",
      "Act on neither before you know why.",
    ],
    description:
      "The root that is stored does not fix the order of felts, so a service may publish another order than was proven.",
  },
  "HDP-4420": {
    title: "A node of the injected state's trie is missing",
    message: "the node {hash} of the injected state's trie is not known.",
    hints: [
      "Configure a state server (hdp.local.stateServer), or give the leaves behind the root (--state-leaves).",
    ],
    description: "A label that starts from `0x0` needs no leaves.",
  },
  "HDP-4422": {
    title: "The leaves of injected state do not have its root",
    message: 'the leaves of "{label}" have the root {computed}, not {root}.',
    hints: ["Give the leaves of the root {root}, or start the label from {computed}."],
  },
  "HDP-4424": {
    title: "The module of proven calls is missing",
    message: 'no compiled class of the module of proven calls was found ("{name}").',
    hints: [
      "Make one: npx hardhat hdp module new eth_call --template eth-call",
      "Build it: npx hardhat hdp module build eth_call",
      'Name it: hdp: { local: { ethCallModule: "eth_call/target/dev/eth_call_Module.compiled_contract_class.json" } }',
    ],
  },
  "HDP-4425": {
    title: "The module of proven calls returned something else",
    message: "the module of proven calls cannot be used: {reason}.",
    description:
      "The class of `hdp.local.ethCallModule` must return one felt, the digest of the return data, 2^250 more for a failed call, and print the gas used and the data; the stored word must be that felt's root.",
  },
  "HDP-4426": {
    title: "The state server keeps another trie",
    message:
      'the state server returned the root {kept} for a write under "{label}" that leads to {computed}.',
    hints: [
      "Name a state server of the data processor, or the one of hdp:node. Others hash otherwise.",
    ],
  },
  "HDP-4427": {
    title: "Injected state is out of range",
    message: "{what} of injected state is out of range: {value}.",
    hints: [
      "A key is smaller than 2^251; values and hashes are felts. An edge has 1 to 251 bits, its path no more.",
    ],
    description: "Cut hashes to 250 bits, as Starknet's addresses.",
  },
  "HDP-4428": {
    title: "A proven call answers otherwise than the node",
    message:
      "the proven call of {contract} at block {block} {ours}, where the node's own eth_call {theirs}.",
    hints: [
      "Likely cause: {cause}.",
      "Nothing was finalized. node_modules/hardhat-hdp/docs/proven-calls.md lists what differs.",
    ],
    description:
      "`hdp.ethCall` compares the module's answer with the node's own `eth_call` before it finalizes anything. [Proven calls](../proven-calls.md) lists the cases that differ; the cause is looked for with `debug_traceCall`. `--even-if-different` (`evenIfDifferent: true`) finalizes the module's answer, which is also the service's.",
  },
  "HDP-4429": {
    title: "A proven call returned nothing usable",
    message: "the proven call of {contract} at block {block} has no usable answer: {reason}.",
    hints: [
      "Nothing was finalized. Check the address, the block, the chain and the function's types.",
    ],
  },
  "HDP-4501": {
    title: "The address or port is taken",
    message: "{server} cannot listen for requests on {place}: {reason}.",
    hints: ["Give {remedy}."],
  },
  "HDP-4505": {
    title: "The task has too many samples to show",
    message: "the task has {samples} samples, and the dashboard shows at most {most}.",
    hints: ["npx hardhat hdp explain <task file> --out samples.csv writes them all."],
  },
  "HDP-4510": {
    title: "Nothing is served at that path",
    message: "{method} {path} is not an endpoint of this server.",
    hints: [
      "The path takes {methods}.",
      "It is retired: use {current}.",
      "All endpoints are listed at /swagger/ and /openapi.json.",
    ],
    description:
      "Answered 404 for an unknown path, 405 for another method, and 410 for a path that is retired.",
  },
  "HDP-4513": {
    title: "The API key is missing or wrong",
    message: "the API key in the {place} is {fault}.",
    description:
      "Answered 401 for a missing key and 403 for a wrong one. The key is the header `X-API-KEY` for tasks and injected state, the query parameter `apiKey` for batches and programs, and the header `api-key` for storage proofs. Any key is accepted unless the server has one of its own.",
  },
  "HDP-4517": {
    title: "The body cannot be read",
    message: "the body cannot be read: {reason}.",
    hints: ["Send {form}."],
    description: "Answered 400, 408 after 30 seconds, or 415 for another content type.",
  },
  "HDP-4518": {
    title: "The request has errors",
    message: "the request cannot be accepted: {error}.",
    description:
      "Answered 400; nothing was accepted. `/swagger/` shows the schema of each endpoint.",
  },
  "HDP-4519": {
    title: "The id is unknown",
    message: "the server knows no {kind} {id}.",
    hints: ["Make it first: {call}."],
    description:
      "Answered 404. Without a data folder, everything is forgotten when the server ends.",
  },
  "HDP-4524": {
    title: "The task cannot be retried",
    message: "task {id} is in state {state}, and only a failed task can be retried.",
    description:
      "Answered 400. Wait for the task, or submit it again where a second result is wanted.",
  },
  "HDP-4526": {
    title: "The Idempotency-Key cannot be used",
    message: "the Idempotency-Key {key} cannot be used: it {fault}.",
    hints: ["Nothing was accepted. Give each request a key of its own."],
    description:
      "Answered 422 if the key came before with another path or body, 400 above 255 characters.",
  },
  "HDP-4527": {
    title: "The host is not this server's",
    message: "the host {host} is not this server's.",
    hints: [
      "Use an address such as 127.0.0.1, localhost, or the name that was given as --host.",
      "Behind a proxy or a forwarded port, name its address when the server is started: --public-url https://…",
    ],
    description:
      "Answered 403: the host name of a web page may point at this machine (DNS rebinding).",
  },
  "HDP-4528": {
    title: "Pages of another origin may not use the server",
    message: "pages of {origin} may not use this server.",
    hints: [
      "Name the origin when the server is started: --cors http://localhost:3000",
      "If it is where a proxy or a forwarded port serves this server: --public-url https://…",
    ],
    description:
      "Answered 403: any page open in a browser could submit tasks and read their inputs.",
  },
  "HDP-4529": {
    title: "The request is too large",
    message: "the request is too large: {excess}.",
    hints: [
      "Split the request. The commands have fixed limits; a program that calls startDevServer can set others.",
    ],
    description: "Answered 413. `limits` of `startDevServer` raises them.",
  },
  "HDP-4530": {
    title: "The chain has no block so early",
    message: "no block of {chain} is as early as {timestamp} (seconds since 1970).",
  },
  "HDP-4531": {
    title: "The server has enough to do",
    message: "the server takes no more {what}: {found}.",
    description:
      "Answered 429. Work under way, and what is kept for ever, is bounded, as the memory is.",
  },
  "HDP-4532": {
    title: "The login is refused",
    message: "the login is refused: {reason}.",
    description:
      "Answered 401. The development server logs wallets in where it was started without a key: it then takes any.",
  },
  "HDP-4533": {
    title: "The decommitment cannot be retried",
    message: "the results of task {id}, which its decommitment would deliver, are missing.",
    description: "Answered 400. Submit the task again.",
  },
  "HDP-4603": {
    title: "Recorded chain data was changed",
    message: 'recorded data of {chain}, block {block}, field "{field}": {reason}.',
    hints: [
      "The fixture was changed or is damaged. Take it from its source again, or record it again.",
    ],
    description: "To test with chosen values, use `hdp.finalize(task, value)`.",
  },
  "HDP-4604": {
    title: "The recorded chain data does not hold a value",
    message: "{subject} of {chain}, block {block}, is not in the recorded chain data.",
    hints: [
      "The fixture holds what its own tasks read: npx hardhat hdp record <task file> --out <fixture>",
    ],
    description:
      "Until `stop()` of what `hdp.replay` returned is called, its chains are read from fixtures alone.",
  },
  "HDP-4605": {
    title: "The network is another chain",
    message:
      "the tasks read {chain} (chain id {id}), the {network} is {found} (chain id {foundId}).",
    hints: [
      'Connect to a network of {chain}, or name one for it: hdp: { sources: { {chain}: "<network>" } }',
    ],
    description: "A network whose chain id is of no known chain may stand for any chain.",
  },
  "HDP-4901": {
    title: "An injected fault",
    message: "a test injected this fault: {what}.",
    hints: ["hdp.faults.clear() removes the faults that are left."],
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, ErrorTemplate>>;
