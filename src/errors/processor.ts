import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Local data processor: HDP-4xxx. */
export const PROCESSOR_ERRORS = {
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
  "HDP-4301": {
    title: "The transaction index is out of range",
    meaning:
      "A `TransactionsInBlock` datalake visits an index that the block does not have. The range is not cut silently, because the prover does not cut it either.",
    remedy: "Lower `endIndex`: it is exclusive, so the number of transactions is its largest value.",
    example: "HDP-4301: block 12 has no transaction 5: it has 5 transactions.",
  },
  "HDP-4302": {
    title: "The transaction has no such field",
    meaning:
      "A visited transaction is of a type without the sampled field: for instance `gas_price` of an EIP-1559 transaction, or `chain_id` of a legacy transaction signed without EIP-155. It fails the whole task; the effective gas price of a receipt is never taken instead.",
    remedy: "Exclude the type through `includedTypes`, or choose other indices.",
    example: "HDP-4302: transaction 3 of block 12 has type 2 (eip1559), which has no gas_price.",
  },
  "HDP-4303": {
    title: "The field has no integer value",
    meaning:
      "The sampled field is a bloom, bytes of any number, a list, or a transaction's recipient: it can be encoded and hashed, not aggregated.",
    remedy: "Sample a field that is listed with functions by `npx hardhat hdp:fields`.",
    example: "HDP-4303: header.logs_bloom has no integer value, so it cannot be aggregated.",
  },
  "HDP-4304": {
    title: "The header has no such field",
    meaning:
      "The block is from before the fork that added the field: `base_fee_per_gas` came with London, `withdrawals_root` with Shanghai, `blob_gas_used`, `excess_blob_gas` and `parent_beacon_block_root` with Cancun.",
    remedy: "Start the range at a later block.",
    example: "HDP-4304: block 100 has no base_fee_per_gas: it is from before the fork that added the field.",
  },
  "HDP-4305": {
    title: "The set of values is empty",
    meaning:
      "No element takes part: the range is empty, or all visited transactions are of excluded types. The published implementations disagree about the value of an empty `count` (0 or -1) and refuse the other functions; none of it can be proven, so it is an error for all five.",
    remedy: "Widen the range, or include the types that the block holds.",
    example: "HDP-4305: count has no values: the task selects no element.",
  },
  "HDP-4306": {
    title: "Count without operator and value",
    meaning:
      "`count` counts the values that compare with a given value, and the task gives none. Parsed requests cannot get here; tasks made by hand can.",
    remedy: "Give `aggregateFnCtx` with `operator` and `valueToCompare`.",
    example: "HDP-4306: count has no operator and value to compare with.",
  },
  "HDP-4307": {
    title: "The receipt has no success",
    meaning: "Receipts from before the Byzantium fork hold a state root where later ones hold the status.",
    remedy: "Sample `tx_receipt.cumulative_gas_used`, or a later block.",
    example:
      "HDP-4307: receipt 0 of block 100 has a state root in place of success: its block is from before the Byzantium fork.",
  },
  "HDP-4308": {
    title: "The transaction index is too large",
    meaning: "An index above 4294967295 cannot exist in any block.",
    remedy: "Lower `startIndex` and `endIndex`.",
    example: "HDP-4308: block 3 cannot have a transaction 4294967296: indices end at 4294967295.",
  },
  "HDP-4401": {
    title: "Module tasks need a module runner",
    meaning:
      "The request holds a module task and this local data processor was made without `runModule`. It is refused before anything is computed.",
    remedy: "Give the processor a module runner, or send the request to a remote data processor.",
    example: "HDP-4401 in tasks[1]: this local data processor computes datalake tasks only, the task is a module.",
  },
  "HDP-4402": {
    title: "The submission is unknown",
    meaning:
      "Local submissions live in the process that made them, and the oldest finished ones are forgotten after 10,000 later ones. This one was made elsewhere, or long ago.",
    remedy: "Read the result from the execution store by its task hash. If it was not finalized, submit again.",
    example: "HDP-4402: the local data processor does not know the submission 0b9e…",
  },
  "HDP-4403": {
    title: "The local data processor was closed",
    meaning: "The processor was closed while the submission was being worked on. Nothing of it was finalized.",
    remedy: "Submit again on an open connection.",
    example: "HDP-4403: the local data processor was closed before the submission was finalized.",
  },
  "HDP-4404": {
    title: "The execution store holds another word than was computed",
    meaning:
      "A submission was finalized, and the store of its destination has another word for a task than the local data processor computed for it. Either somebody else finalized the task, or the store was written wrongly (in tests: an injected `wrongResult`).",
    remedy:
      "The stored word is what contracts read. Find the transaction that wrote it, and submit the task again before anything relies on it.",
    example: [
      "HDP-4404: the execution store holds 0x00…63 for task 0x3f…90, but 0x00…0a was computed.",
      "  Store 0x5fbdb2315678afecb367f032d93f642f64180aa3. Somebody else finalized the task, or the store was written wrongly.",
      "  The stored word is what contracts read: submit the task again before anything relies on it.",
    ].join("\n"),
  },
  "HDP-4410": {
    title: "The module panicked",
    meaning:
      "The compiled module ran locally and ended with a panic: an `assert` that does not hold, an overflow, an input of the wrong form. The message is the panic's own text. A module that panics has no result, so nothing of its request was finalized; the service fails such a task too.",
    remedy:
      "Correct the arguments, or the module. `npx hardhat hdp:module:run <file>` shows what the module read before it stopped.",
    example: [
      "HDP-4410: the module panicked: no blocks in the range.",
      "  Program 0x2437fe6ab0bcb7e07003cb785acf9536ff061cb5affa62ad73df646a6f59393. A module that panics has no result, here as at the service.",
    ].join("\n"),
  },
  "HDP-4411": {
    title: "The compiled class of a program is not known",
    meaning:
      "A task names a module by its program hash only. A service has the class in its registry; a local run needs the class itself.",
    remedy: [
      "One of:",
      "",
      '- name the class in the task: `"module": { "class": "path", "arguments": { … } }` in place of `programHash` and `inputs`;',
      '- configure where classes are: `hdp: { local: { programs: ["my_module/target/dev"] } }`;',
      "- put the class into the journal's folder: `hdp/programs/<program hash>.json`.",
      "",
      "A class is found by the hash of its bytecode: one that was changed or built again by another compiler has another hash.",
    ].join("\n"),
    example:
      "HDP-4411 in programHash: the compiled class of program 0x1234 is not known here, so it cannot be run locally.",
  },
  "HDP-4412": {
    title: "There is no such generation of modules",
    meaning:
      "A generation names how modules of a period call the data processor. The name given in a task's `module.generation`, in `hdp.local.generation` or with `--generation` is none of them.",
    remedy:
      "Use one of the names that the message lists, or `auto`. [The Cairo VM](../cairo-vm.md) says when each was in use.",
    example: [
      'HDP-4412 in generation: "2023" is not a generation of modules.',
      "  Allowed: auto, 2024-06, 2024-07-16, 2024-07-17, 2024-10-17, 2024-10-24, 2025-02, head.",
    ].join("\n"),
  },
  "HDP-4413": {
    title: "The module's output has no raw value",
    meaning:
      "The result of a module of 2024 is the returned number itself: one felt, or a u256 of two halves of 128 bits. The module returned something else, which has no place in one word.",
    remedy:
      'Return one felt or one `u256`, or store the root over all felts as today\'s service does: `hdp: { local: { moduleResult: "output-root" } }`.',
    example: "HDP-4413 in hdp.local.moduleResult: the module returned 3 felts, which have no raw value.",
  },
  "HDP-4414": {
    title: "The Starknet node refused a read",
    ends: "service",
    meaning:
      "A module that runs locally reads Starknet through the node of `hdp.starknet.<chain>.rpcUrl`. The node did not answer, or it answered with an error.",
    remedy: "Check the address, and that the node has the block: a pruned node has only the newest.",
    example:
      'HDP-4414 in hdp.starknet.STARKNET_SEPOLIA.rpcUrl: the Starknet node refused starknet_getStorageAt: {"code":24,"message":"Block not found"}',
  },
  "HDP-4420": {
    title: "A node of the injected state's trie is not known",
    meaning:
      "A module reads or writes injected state under a root other than 0, and the nodes behind that root are not here; or a proof of injected state lacks one.",
    remedy:
      "Give the leaves behind the root in a file (`--state-leaves leaves.json` of `hdp:module:run`), or start the label from `0x0`.",
    example: "HDP-4420: the node 0xf153c6cd2bc40a4ec675068562f4ddefadc23030 of the injected state's trie is not known.",
  },
  "HDP-4421": {
    title: "No entry of injected state",
    meaning: "A key of injected state is below 2^251, a value is a felt. The module, or a file of leaves, has another.",
    remedy: "Let the module use smaller keys: a hash is cut to 250 bits, as Starknet's addresses are.",
    example:
      "HDP-4421: 0x800000000000000000000000000000000000000000000000000000000000000 = 0x1 is no entry of injected state.",
  },
  "HDP-4422": {
    title: "The leaves of injected state do not make up its root",
    meaning: "The leaves that were given for a label are those of another root than the one the label starts from.",
    remedy: "Give the leaves of that very root, or the root that the message says the leaves have.",
    example: 'HDP-4422: the leaves of "my_trie" make up the root 0xf153c6cd2bc40a4ec675068562f4ddefadc23030, not 0x1.',
  },
  "HDP-4423": {
    title: "A file of injected state cannot be read",
    meaning:
      "`--state` names a JSON file of labels and roots, `--state-leaves` one of labels, keys and values. The file is not there, or is something else.",
    remedy: 'Write `{ "my_trie": "0x0" }` and `{ "my_trie": { "0x2a": "0x1" } }`: labels as text or as 0x felt.',
    example: 'HDP-4423 in labels.json: the root of "my_trie" is 7, which is no felt.',
  },
  "HDP-4424": {
    title: "The module of proven calls is not there",
    meaning:
      "`hdp.ethCall` and `hdp:eth-call` run a module of your own that has an EVM in it. No compiled class was found where `hdp.local.ethCallModule` says.",
    remedy:
      "Make it with the three commands that the message says. It is built on the data processor's public Cairo library.",
    example: "HDP-4424 in hdp.local.ethCallModule: the module of proven calls is not there.",
  },
  "HDP-4425": {
    title: "The module of proven calls returned something else",
    meaning:
      "The class under `hdp.local.ethCallModule` did not return a success flag, the gas used, and the return data with its length.",
    remedy: "Name a class of the template: `npx hardhat hdp:module:new eth_call --template eth-call`.",
    example: "HDP-4425 in hdp.local.ethCallModule: the module returned 2 felts, which are no answer to a call.",
  },
  "HDP-4426": {
    title: "The state server keeps another trie",
    meaning:
      "A module wrote injected state, and the state server of `hdp.local.stateServer` answered another root than the one that was computed here.",
    remedy: "Name a state server of the data processor, or the one that `npx hardhat hdp:node` runs.",
    example:
      'HDP-4426 in hdp.local.stateServer: the state server answered the root 0x1 to a write under "votes" that leads to 0x2.',
  },
  "HDP-4501": {
    title: "The port is taken",
    meaning: "The local front could not listen on its port on 127.0.0.1: most often another process does already.",
    remedy: "End the other process, or give another port: `--hdp-port 8556`, or `0` for any that is free.",
    example:
      "HDP-4501 in port: the local front cannot listen on port 8546: listen EADDRINUSE: address already in use 127.0.0.1:8546.",
  },
  "HDP-4502": {
    title: "The data folder's log cannot be used",
    meaning:
      "The file `front.jsonl` in the data folder cannot be opened, or has a line before its last that is not one the local front writes. An unfinished last line is no error: it is what a killed process leaves, and is cut off.",
    remedy: "Give another folder as `--data-dir`, or move this one away to begin anew. Nothing in it was changed.",
    example: "HDP-4502 in data/front.jsonl: the data folder's log cannot be used: line 3 is not JSON.",
  },
  "HDP-4503": {
    title: "The data folder is in use",
    meaning: "A running process has the data folder. Two fronts on one folder would write over each other.",
    remedy:
      "End that process, or give another folder as `--data-dir`. The lock of a process that was killed is taken over by itself; if the process named is no local front, delete the file `lock` in the folder.",
    example: "HDP-4503 in data: the data folder is in use by process 4711.",
  },
  "HDP-4510": {
    title: "Nothing is served at that path",
    meaning: "Answered 404. The local front has no endpoint at the path.",
    remedy: "See `/swagger/` or `/openapi.json` for all endpoints. Ids in paths must not be empty.",
    example: "HDP-4510: nothing is served at /task.",
  },
  "HDP-4511": {
    title: "The method is not allowed at that path",
    meaning: "Answered 405, with the allowed methods in the header `allow`.",
    remedy: "Use the method of the endpoint, see `/swagger/`.",
    example: "HDP-4511: DELETE is not allowed at /tasks, only POST, GET.",
  },
  "HDP-4512": {
    title: "The path is retired",
    meaning: "Answered 410. The specification says that the path must not be used any more.",
    remedy: "Use the path that the answer names: `POST /submit-request` and `GET /get_queries/{request_id}`.",
    example: "HDP-4512: /submit-batch-query is retired.",
  },
  "HDP-4513": {
    title: "The API key is missing",
    meaning:
      "Answered 401. The endpoint needs a key, as the specification says: header `X-API-KEY` for tasks, query parameter `apiKey` for batches and programs, header `api-key` for storage proofs.",
    remedy:
      'Send any key, or the one that was given as `--api-key`. For `X-API-KEY` the body is the published one, `{"error":"Missing Herodotus Cloud X-API-KEY header"}`.',
    example: "HDP-4513: the API key is missing: query parameter apiKey.",
  },
  "HDP-4514": {
    title: "The API key is wrong",
    meaning:
      "Answered 403. The local front was started with `--api-key` and another key was sent. The key is not repeated anywhere.",
    remedy: "Send the key that the local front was started with.",
    example: "HDP-4514: the API key in header X-API-KEY is not the one of this server.",
  },
  "HDP-4515": {
    title: "The body is too long",
    meaning:
      "Answered 413, and the connection is closed. A body may have 1 MiB; an uploaded program, and a module task that carries its class, 16 MiB.",
    remedy: "Send less: split a request, or upload the class as a program and name it by its hash.",
    example: "HDP-4515: the body is longer than 1,048,576 bytes.",
  },
  "HDP-4516": {
    title: "The body did not arrive in time",
    meaning: "Answered 408, and the connection is closed. A body has 30 seconds.",
    remedy: "Send the body at once.",
    example: "HDP-4516: the body did not arrive within 30 s.",
  },
  "HDP-4517": {
    title: "The body is not JSON",
    meaning: "Answered 400, or 415 where the content type says that it is something else. Bodies are JSON in UTF-8.",
    remedy: "Correct the text at the line and column that the answer names, and send `content-type: application/json`.",
    example: "HDP-4517: the body is not JSON: Not JSON at line 1, column 2: the text ends here.",
  },
  "HDP-4518": {
    title: "The request does not have the endpoint's form",
    meaning: "Answered 400. The hints name every member that is missing or of another type.",
    remedy: "Compare with the schema at `/swagger/`.",
    example: "HDP-4518: the request does not have the form that this endpoint takes.",
  },
  "HDP-4519": {
    title: "The id is unknown",
    meaning:
      "Answered 404. No task, batch, storage proof request, query or grow order has the id. Without a data folder everything is forgotten when the local front ends; the oldest of very many are forgotten in any case.",
    remedy: "Use the id as it was returned. A result can be read from the execution store by its task hash.",
    example: "HDP-4519: no batch 01JPJ03YJT1A93D6NF56G4GVEQ is known.",
  },
  "HDP-4520": {
    title: "The form has no program",
    meaning: "Answered 400. The multipart form has no part `programFile` (nor `program`, its older name).",
    remedy: "Name the part: `curl -F programFile=@x.compiled_contract_class.json …`",
    example: 'HDP-4520: the form has no part "programFile".',
  },
  "HDP-4521": {
    title: "The webhook's address is not allowed",
    meaning:
      "Answered 400; the task was not accepted. Webhooks are sent to loopback addresses only, unless others are allowed. A name is looked up when the task is submitted and again when the webhook is sent, and redirects are not followed.",
    remedy:
      "Give an address of this machine (`http://127.0.0.1:…`), or allow the host with the option `allowWebhooksTo` of `startLocalFront`.",
    example: 'HDP-4521: webhook_url "http://10.0.0.1/x" is not on this machine.',
  },
  "HDP-4522": {
    title: "The program of a module task is missing or contradicted",
    meaning:
      "Answered 400. The body names no program and has no class, or the class in it does not have the hash that is named.",
    remedy: "Upload the class and name its hash in `program_hash`, or send the class alone in `input.compiled_class`.",
    example: "HDP-4522: neither program_hash nor input.compiled_class is given.",
  },
  "HDP-4523": {
    title: "The destination chain is unknown",
    meaning:
      "Answered 400. `destination_chain_id` is not the id or name of a chain that the specification's sources name. Locally every chain identifier stands for the chain beside the front, whose own id (31337) is none of them.",
    remedy: "Use the id of the chain that is meant, for instance `0xaa36a7` (Ethereum Sepolia).",
    example: 'HDP-4523: destination_chain_id "0x7a69" is no known chain.',
  },
  "HDP-4524": {
    title: "The task cannot be retried",
    meaning: "Answered 400. Only a task in one of the states that end in `Failed` can be begun anew.",
    remedy: "Wait for the task; submit it again if a second result is wanted.",
    example: "HDP-4524: task 1f0c… is in state TaskDecommitmentCompleted: only a failed task can be retried.",
  },
  "HDP-4525": {
    title: "The body is not a multipart form",
    meaning: "Answered 400. A program is uploaded as a file in a multipart form.",
    remedy: "Use `curl -F programFile=@file`, or the form of your language's HTTP library.",
    example: "HDP-4525: the body is not a multipart form.",
  },
  "HDP-4526": {
    title: "The Idempotency-Key cannot be taken",
    meaning:
      "Answered 422: a request came before under the same `Idempotency-Key` with another body. Or 400: the key has more than 255 characters. Nothing was accepted.",
    remedy: "Give each request a key of its own, and repeat a request only with the body it had.",
    example: 'HDP-4526: the Idempotency-Key "20260101-1f0c" was sent before with another body.',
  },
  "HDP-4527": {
    title: "The host is not this server's",
    meaning:
      "Answered 403. The request's header `Host` names a host that does not lead to the local front. A page whose host name was pointed at this machine after it was loaded (DNS rebinding) asks like this.",
    remedy: "Use an address in digits such as `127.0.0.1`, `localhost`, or the name that was given as `--host`.",
    example: [
      'HDP-4527: the host "rebind.example" is not this server\'s.',
      "  Use an address such as 127.0.0.1, localhost, or the name that was given as --host.",
    ].join("\n"),
  },
  "HDP-4528": {
    title: "Pages of another origin may not use the server",
    meaning:
      "Answered 403, before anything was done. A browser sent the request for a web page that is not the local front's own. Any page that is open in the browser could otherwise submit tasks and read their private inputs.",
    remedy:
      "Name the page's origin when the front is started, for instance `--cors http://localhost:3000`. Programs other than browsers name no origin and are not concerned.",
    example: [
      'HDP-4528: pages of "https://example.org" may not use this server.',
      "  Start it with --cors and that origin to let them.",
    ].join("\n"),
  },
  "HDP-4529": {
    title: "The request is beyond a limit",
    meaning:
      "Answered 413. A request may have 1,000 tasks, 20,000 items of lists and members of objects, numbers of 78 digits, and lists and objects nested 64 deep; a class may have 81,920 felts.",
    remedy: "Split the request. A program that starts the front itself can give other `limits` to `startLocalFront`.",
    example: [
      "HDP-4529: the request has 2000 tasks, more than 1,000.",
      "  Split the request. The limits can be raised where the server is started.",
    ].join("\n"),
  },
  "HDP-4530": {
    title: "There is no such block",
    meaning:
      "A storage proof query asks for a block that the chain does not have, or for a time before its first block. The query fails with this as its action.",
    remedy: "Ask for a block that exists; on a simulated network, mine it first.",
    example: "HDP-4530: there is no block 999.",
  },
  "HDP-4531": {
    title: "The storage proof request cannot be served",
    meaning:
      "Answered 400; nothing was accepted. The hints name every part: unknown chains, header fields or properties, addresses that are names, slots that are not 32 bytes, blocks of which nothing is asked.",
    remedy: "Correct the parts that the hints name.",
    example: "HDP-4531: the storage proof request cannot be served.",
  },
  "HDP-4532": {
    title: "The server reads as much as it may",
    meaning:
      "Answered 503 with `Retry-After`. The bodies that are read at the time fill the room that there is for them, 64 MiB.",
    remedy: "Send the request again in a moment, and fewer of them at a time.",
    example: [
      "HDP-4532: the server is reading as much as it may at a time.",
      "  Send the request again in a moment.",
    ].join("\n"),
  },
  "HDP-4536": {
    title: "The program was not uploaded to the front",
    meaning: "A module task that came over HTTP names a program that neither an upload nor the project knows.",
    remedy: "Upload the compiled class to `/submit-program` of the same server, and submit the task again.",
    example: [
      "HDP-4536 in programHash: program 0x7 is not known here, so it cannot be run.",
      "  Upload its compiled class to /submit-program of this server, and submit the task again.",
    ].join("\n"),
  },
  "HDP-4601": {
    title: "Recorded chain data cannot be read",
    meaning:
      "The file or object given as recorded chain data is not JSON, or a field of it is missing, unknown or of the wrong form. The message names the first one. Hexadecimal text is lower case in a fixture.",
    remedy:
      "Take the fixture from its source again, or record it again with `npx hardhat hdp:record <task file> --out <fixture>`.",
    example:
      "HDP-4601 in fixtures/fee.json, chains[0].blocks[0].hash: the recorded chain data cannot be read: expected 32 bytes.",
  },
  "HDP-4602": {
    title: "The recorded chain data has another format",
    meaning:
      "The document does not say that it is recorded chain data, or it was written by a version of this package with another format.",
    remedy:
      "Name a file that `hdp:record` wrote. If it was written by a later version, update this package or record it again.",
    example:
      'HDP-4602 in fixtures/fee.json: the file is "hardhat-hdp recording", version 2; this version reads "hardhat-hdp recording", version 1.',
  },
  "HDP-4603": {
    title: "Recorded chain data was changed",
    meaning:
      "Something in a fixture does not fit a hash that the fixture pins: a header does not hash to its block hash, a block is not the child of the recorded block before it, a proof does not lead to its root, or a number of transactions is not the block's. The message names the chain, the block and the field.",
    remedy:
      "Take the fixture from its source again, for instance from version control, or record it again. Do not edit fixtures by hand: to test with values of your choice, use `hdp.finalize(task, value)`.",
    example:
      'HDP-4603: recorded data of ETHEREUM_SEPOLIA, block 6, field "header": it hashes to 0x51…0c, not to 0x3e…91.',
  },
  "HDP-4604": {
    title: "The recorded chain data does not hold it",
    meaning:
      "While a fixture stands for a chain, nothing of that chain is read from a network. The task needs a header, an account, a slot, a transaction or a receipt that was not read when the fixture was recorded.",
    remedy:
      "Record the fixture again with this task; several task files may share one. To read from the network again, call `stop()` on what `hdp.replay` returned.",
    example: "HDP-4604: slot 0x00…01 of 0x7099…79c8 of ETHEREUM_SEPOLIA, block 6, is not in the recorded chain data.",
  },
  "HDP-4605": {
    title: "The wrong chain is recorded",
    meaning:
      "The connected network says that it is a known chain, and the tasks name another one. A fixture of the wrong chain would be proven and useless. Networks with a chain id that no identifier has, development chains among them, may stand for any chain.",
    remedy:
      "Choose the network with `--network`, or say with `hdp.chains` in hardhat.config.ts which network stands for the chain.",
    example:
      "HDP-4605: the tasks read ETHEREUM_SEPOLIA (chain id 11155111), the network is ETHEREUM_MAINNET (chain id 1).",
  },
  "HDP-4606": {
    title: "A module has no samples",
    meaning:
      "`hdp:explain` shows the values that a datalake samples. A module task is a program; what it reads is not a list of samples.",
    remedy: "Explain another task of the file with `--task`. Compare a module's result with `hdp:verify`.",
    example: "HDP-4606: the task is the module 0x4a…1: it has no samples to show.",
  },
  "HDP-4901": {
    title: "The connection ended before the answer arrived (injected)",
    meaning:
      "A test asked the local data processor to accept a submission and then to cut the connection. The submission is being worked on, and the caller cannot know it.",
    remedy:
      "In a test of recovery this is the expected error: the journal has the submission as `unknown`. Elsewhere, remove `cutAfterAcceptance()` from the faults.",
    example: ["HDP-4901: the connection ended before the answer arrived.", "  This fault was injected by a test."].join(
      "\n",
    ),
  },
  "HDP-4902": {
    title: "The data processor answered with an error status (injected)",
    meaning:
      "A test asked the local data processor to answer a number of calls with 429 or a 5xx status. The calls went no further.",
    remedy:
      "Call again: the burst ends after the number of calls that the test named. To end it, remove `httpBurst()` from the faults.",
    example: ["HDP-4902: the data processor answered 503.", "  This fault was injected by a test."].join("\n"),
  },
  "HDP-4903": {
    title: "The chain cannot be reorganised (injected)",
    meaning:
      "A test asked for a chain reorganisation, and the node behind the connection cannot take blocks back: it has no `evm_snapshot` and `evm_revert`.",
    remedy: "Inject `reorg` on an in-process network or a development node, or remove it from the faults.",
    example: [
      "HDP-4903: the chain cannot be reorganised: the method evm_snapshot does not exist.",
      "  This fault was injected by a test.",
    ].join("\n"),
  },
  "HDP-4904": {
    title: "Not a fault",
    meaning:
      "`--fault` of `hdp:node` and `hdp:serve` names what goes wrong in the local front, and one of the names or of the parts behind it is none.",
    remedy: "Write a fault as the message lists it, several with commas between: `--fault http-burst:503:3,reorg:1`.",
    example:
      'HDP-4904 in --fault: "http-burst:404:1" is not a fault. Did you mean http-burst:<429|500|502|503|504>:<calls>?',
  },
  "HDP-4533": {
    title: "The state server does not know the root",
    meaning:
      "The state server of the local front keeps tries by label and root. It was asked for a root that it never had under that label.",
    remedy: "Make the trie first: `POST /create_trie` with its label, keys and values answers its root.",
    example: "HDP-4533: the state server knows no trie with the label 0x1 and the root 0x2.",
  },
  "HDP-4534": {
    title: "A trie needs one value for each key",
    meaning: "`POST /create_trie` was given lists of keys and values that are not equally long.",
    remedy: "Give one value for each key.",
    example: "HDP-4534: a trie was to be made of 2 keys and 1 values.",
  },
  "HDP-4535": {
    title: "Another state server was named",
    meaning:
      "A task sent to the local front names a state server (`injected_state_server`). The front reads injected state from its own only.",
    remedy: "Leave the member out, and make the trie at the front: `POST /create_trie`.",
    example:
      'HDP-4535: injected_state_server is "https://state.example": this front reads injected state from its own state server only.',
  },
} as const satisfies Readonly<Record<`HDP-4${number}`, CatalogueEntry | ErrorTemplate>>;
