import type { ErrorTemplate } from "./catalogue-entry.js";

/** The errors of the plugin and the command line. */
export const COMMAND_ERRORS = {
  "HDP-6001": {
    title: "A file can't be read",
    message: "{what} can't be read ({reason}).",
    hints: ["Looked for {path}. Paths are relative to the project."],
    description:
      "The words in parentheses are the system's code, or the first place that is wrong.",
  },
  "HDP-6003": {
    title: "Not one of the allowed values",
    message: '"{value}" is not {what}.{suggestion}',
    hints: ["Allowed: {allowed}."],
    description: "`npx hardhat hdp` lists all commands, `--help` after a command its arguments.",
  },
  "HDP-6007": {
    title: "The local data processor can't be left alone",
    message: "the local data processor works inside this command and ends with it.",
    hints: [
      "Leave --no-wait out, or submit to a service: a network with hdp.dataProcessor configured.",
    ],
  },
  "HDP-6010": {
    title: "No execution store is known",
    message: "no execution store is known on {place}.",
    hints: [
      "Set its address in hardhat.config.ts, or give --store <address> to a command that reads.",
      "Deploy a mock for trials: {command}",
    ],
    description:
      "On a shared development node or a devnet, nothing is deployed just to read from it.",
  },
  "HDP-6014": {
    title: "The chain has no identifier",
    message: 'chain {id} of network "{network}" has no chain identifier.',
    hints: [
      "Submit a request that names its destination: taskRequest({ destinationChainId, tasks }).",
    ],
  },
  "HDP-6016": {
    title: "An argument is missing",
    message: "no {what} was named, and one is needed.",
    hints: ["For instance: {example}"],
    description: "A key is not an option, because other processes can read options.",
  },
  "HDP-6018": {
    title: "Not a task",
    message: "{value} is not a task.",
    hints: [
      "Allowed: a task file's path or content, blockSampled(…).avg() and the like, a request, or a list.",
    ],
  },
  "HDP-6021": {
    title: "Requests with several destinations",
    message: "these requests go to {destinations}, and one submission has one destination.",
    hints: ["Submit the requests of each destination by themselves."],
  },
  "HDP-6022": {
    title: "A mock on a live chain",
    message:
      'network "{network}" is chain {id}, not a development chain: a mock execution store there costs gas, and others may mistake it for the real one.',
    hints: [
      "Deploy it all the same: {command}",
      "or in code: hdp.deployExecutionStore({ onLiveChain: true }). Nothing was sent.",
      "Where it is a development node that is not on this machine: networks.{network}.hdp.development: true",
    ],
  },
  "HDP-6023": {
    title: "The destination is another chain",
    message:
      'the result goes to {destination}, but network "{network}" is {connected} (chain id {id}).',
    hints: [
      'Choose the network of {destination} with --network, or name it: hdp: { chains: { {destination}: "<network>" } }.',
      "Nothing was sent.",
    ],
    description:
      "Results are read on their destination chain: sent from here they would be paid for and not found.",
  },
  "HDP-6024": {
    title: "The execution store is not a mock",
    message:
      "the execution store {store} on {chain} is not a mock: it takes only proven results of the service.",
    hints: [
      "Configure the service as the network's dataProcessor, or deploy a mock: {command}",
      "Nothing was sent.",
    ],
    description: "Name a store of the service in the configuration, not in `hdp.store.use`.",
  },
  "HDP-6025": {
    title: "The execution store is a mock, and the tasks go to a service",
    message:
      'the execution store {store} on network "{network}" ({destination}) is a mock, and the tasks go to a service.',
    hints: ["Configure the service's store, or leave the address out. Nothing was sent."],
    description: "A service delivers to its own store: results would never arrive in the mock.",
  },
  "HDP-6026": {
    title: "The choice of a store has no effect",
    message:
      'choosing the execution store {store} for network "{network}" has no effect: {reason}.',
    hints: [
      "Name the network of a node with --network, and take another address out of its configuration.",
    ],
    description:
      "`hdp store use` is for chains that other processes see and no configuration names a store for.",
  },
  "HDP-6027": {
    title: "A contract for a mock on a live chain",
    message:
      'the execution store {store} is a mock, and network "{network}" is chain {id}, not a development chain: its operators can finalize any result, and the contract would act on it.',
    hints: [
      "Configure the real store's address, or leave it out where a store is published.",
      "To try the contract there with the mock all the same, take the address of hdp.store.current(). Nothing was deployed.",
      "Where it is a development node that is not on this machine: networks.{network}.hdp.development: true",
    ],
    description: "`hdp.store.forDeployment` and Ignition's `executionStore` refuse such a store.",
  },
  "HDP-6041": {
    title: "Nobody can answer the question",
    message: "this command asks before it acts, and nobody can answer here.",
    hints: ["Add --yes to do it without asking. Nothing was sent."],
    description: "Standard input or standard error is not a terminal.",
  },
  "HDP-6045": {
    title: "The submission was made at another service",
    message: 'submission {id} was made at {host}, but network "{network}" uses {own}.',
    hints: [
      'It was made on network "{other}": add --network {other}, or configure that address again.',
      "Nothing was asked: another service would not know it.",
    ],
  },
  "HDP-6047": {
    title: "An integer in a request body would be rounded",
    message: "the integer {integer} in the request body would be rounded.",
    hints: ["Write integers from 2^53 on as text, in quotes. Nothing was sent."],
  },
  "HDP-6060": {
    title: "Only the local data processor does this",
    message: '{what}, and tasks of network "{network}" go to the {description}.',
    hints: [
      'Use a development network without a service, or one with hdp.dataProcessor set to "local".',
    ],
    description:
      "`hdp.faults.clear()` removes faults. The development server has HTTP faults for clients.",
  },
  "HDP-6073": {
    title: "The folder is not a Scarb package",
    message: '"{dir}" is not a Scarb package: it has no Scarb.toml.',
    hints: [
      "Looked in {folder}. Name the package's folder; npx hardhat hdp module new <name> makes one.",
    ],
  },
  "HDP-6079": {
    title: "The tests of a module can't be used",
    message: "the module's tests can't be used: {problem}.",
    hints: [
      'A file tests/*.test.json: { "tests": [{ "name": "…", "task": "../tasks/x.json", "recording": "x.recording.json", "expect": { "returned": 7 } }] }',
      "Chain data is recorded once: npx hardhat hdp record <task file> --out tests/x.recording.json",
    ],
    description:
      "`hdp module test` runs these files of a package: [modules](../modules.md#tests-of-a-module).",
  },
  "HDP-6086": {
    title: "Two files or contracts of one name",
    message: "two {what} would be {name}: {first} and {second}.",
    hints: ["Rename one of them, or write two files: --out."],
    description:
      "Tasks are named after their files, libraries after their contracts. Nothing was written.",
  },
  "HDP-6087": {
    title: "A generated file is out of date",
    message: 'the generated file "{file}" {problem}, and is out of date.',
    hints: ["Write it again: {again}"],
  },
  "HDP-6089": {
    title: "There is no keystore to keep the key in",
    message:
      "the key would be kept as {variable} in Hardhat's keystore, which this project does not have.",
    hints: [
      "Install it: npm install --save-dev @nomicfoundation/hardhat-keystore",
      "and add it to the plugins in hardhat.config.ts. Nothing was signed. Then: {login}",
    ],
    description: "Keys are never printed. `configVariable` reads from the keystore.",
  },
  "HDP-6090": {
    title: "The keystore has a key of that name",
    message: "the keystore has {variable} already, and keeps it.",
    hints: ["{done} Replace it by a new login: {login}"],
  },
  "HDP-6123": {
    title: "No such block",
    message: 'there is no block "{block}": {reason}.',
    hints: ["Write the number of a block, or a time of this chain. Nothing was sent."],
    description:
      "A task file may name blocks by their distance from the latest block, or by a date.",
  },
  "HDP-6125": {
    title: "The storage layout was not kept",
    message: "the storage layout of {contract} was not kept when it was compiled.",
    hints: [
      'Add "storageLayout" to the compiler\'s output in hardhat.config.ts: settings: { outputSelection: { "*": { "*": ["storageLayout"] } } }.',
      "Then build again: npx hardhat build --force",
    ],
  },
  "HDP-6126": {
    title: "No storage slot of its own",
    message: "{name} has no storage slot of its own: {reason}.",
    description: "Name a variable with its keys and members, down to one value.",
  },
  "HDP-6127": {
    title: "The slot of a balance is not found",
    message:
      "the slot of the balance that {holder} has of token {token} is not found at block {block}: {reason}.",
    hints: [
      "Take it from the token's source: erc20Balance(token, holder, { slot }) of hardhat-hdp/request, or hdp.storageOf for a contract of this project.",
    ],
    description:
      "A token that computes `balanceOf` from other values, as rebasing ones do, has no slot of the balance. `hdp.ethCall` proves the call itself.",
  },
  "HDP-6128": {
    title: "The slot of a balance holds something else",
    message:
      "the balance that {holder} has of token {token} is {balance} at block {block}, and slot {slot} of {address}, from which it is read, holds {stored}.",
    hints: [
      "A task samples the whole slot. A module reads it and takes the part that is the balance; hdp.ethCall proves the call itself.",
    ],
    description:
      "Tokens may keep other values in the slot, as USDC keeps whether the holder is blocked.",
  },
  "HDP-6204": {
    title: "The task of a hash is not known",
    message: "the task of the hash {hash} is not known: {reason}.",
    hints: ["Name the task file instead, for instance: npx hardhat hdp verify tasks/fee.json"],
    description:
      "A hash says nothing of its task. Tasks that were submitted from this project are known by it.",
  },
  "HDP-6205": {
    title: "The node gives no trace of the transaction",
    ends: "service",
    message:
      'the node of network "{network}" gives no trace of transaction {hash} (debug_traceTransaction).',
    hints: [
      "Ask a node with traces, or name the task hash instead: npx hardhat hdp why <task hash>",
    ],
    description:
      "`hdp why` looks for the store that a transaction asked in its trace. A task hash needs no trace.",
  },
  "HDP-6207": {
    title: "The file can't be written",
    message: '"{file}" can\'t be written ({reason}).',
    hints: ["Tried {path}."],
  },
} as const satisfies Readonly<Record<`HDP-6${number}`, ErrorTemplate>>;
