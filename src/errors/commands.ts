import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Plugin and command line: HDP-6xxx. */
export const COMMAND_ERRORS = {
  "HDP-6001": {
    title: "A file can't be read",
    message: "{what} can't be read ({reason}).",
    hints: ["Looked for {path}. Paths are relative to the project."],
    description:
      "There is no file at that path, it may not be read, it is larger than files of its kind are, or a file of JSON is not JSON. The words in parentheses are the system's code or the first place that is wrong. Give a path relative to the project, or an absolute one. Without a task file, standard input is read.",
  },
  "HDP-6002": {
    title: "Not a number that the option takes",
    message: '"{text}" is not {allowed}.',
    description:
      "An option takes a number: seconds (`--timeout`, `--interval`, `--latency`), a page, a port, a number of steps or of a block. The message says which numbers are allowed.",
  },
  "HDP-6003": {
    title: "Not one of the allowed values",
    message: '"{value}" is not {what}.{suggestion}',
    hints: ["Allowed: {allowed}."],
    description:
      "A command, an argument or an option takes one of several words, and another one was given. The message lists the words or names the nearest. `npx hardhat hdp` lists all commands, `--help` after a command its arguments.",
  },
  "HDP-6004": {
    title: "Not a task hash",
    meaning: "A task hash is 32 bytes of hex; something else was given.",
    remedy: "Give `0x` and 64 hexadecimal digits. `npx hardhat hdp hash <file>` prints the hashes of a task file.",
    example: [
      'HDP-6004 in taskHash: "0x12" is not a task hash.',
      "  A task hash is 0x and 64 hexadecimal digits; npx hardhat hdp hash <file> prints those of a task file.",
    ].join("\n"),
  },
  "HDP-6005": {
    title: "Not an address",
    meaning: "`--store` takes the address of a contract.",
    remedy: "Give `0x` and 40 hexadecimal digits.",
    example: ['HDP-6005 in --store: "0x1" is not an address.', "  An address is 0x and 40 hexadecimal digits."].join(
      "\n",
    ),
  },
  "HDP-6007": {
    title: "The local data processor can't be left alone",
    message: "the local data processor works inside this command and ends with it.",
    hints: ["Leave --no-wait out, or submit to a service: a network with hdp.dataProcessor configured."],
    description:
      "`--no-wait` returns before there is a result. The local data processor runs inside the command, and its work would be lost.",
  },
  "HDP-6008": {
    title: "No such submission here",
    meaning:
      "The local data processor knows the submissions of its own process, and no other place can tell of this one.",
    remedy:
      "Give a task hash to look into the execution store instead, or name the network of a service with `--network`.",
    example: [
      'HDP-6008 in id: no submission "nobody" is known here.',
      "  The local data processor knows the submissions of its own process only.",
      "  Give a task hash to look into the execution store instead: npx hardhat hdp hash <file>",
    ].join("\n"),
  },
  "HDP-6009": {
    title: "The local data processor was not ready in time",
    ends: "not finalized",
    meaning: "The wait ended before the tasks were finalized. The work goes on in the process.",
    remedy: "Await the submission again in the same process, or give a longer `timeout` (`hdp.timeouts.await`).",
    example: [
      "HDP-6009: submission local-1 was not finalized within 5 s.",
      "  It goes on in this process: await it again, with a longer timeout if need be.",
    ].join("\n"),
  },
  "HDP-6010": {
    title: "No execution store is known for the chain",
    meaning:
      "The chain is no development chain, the configuration names no store for it, and no published one is known for its id.",
    remedy:
      "Set `hdp.executionStore.address` for the network, or give `--store`. The known addresses are listed in [configuration](../configuration.md).",
    example: [
      "HDP-6010 in networks.gnosis.hdp.executionStore.address: no execution store is known for chain 100.",
      "  Set the address in hardhat.config.ts, or give --store.",
      "  A mock store for trials: npx hardhat hdp deploy-store",
    ].join("\n"),
  },
  "HDP-6011": {
    title: "No execution store to read from",
    meaning:
      "On a development node that is shared between processes, no store is deployed just to be read, and none is configured.",
    remedy:
      "Give `--store <address>`, or set `hdp.executionStore.address` for the network. `npx hardhat hdp deploy-store` deploys a mock and prints its address.",
    example: [
      'HDP-6011: no execution store is known on network "localhost".',
      "  Set hdp.executionStore.address for the network in hardhat.config.ts, or give --store <address> to a command that reads.",
      "  A mock for trials: npx hardhat hdp deploy-store --network localhost",
    ].join("\n"),
  },
  "HDP-6012": {
    title: "The network has no account",
    meaning:
      "Deploying a mock store and finalizing results are transactions, and the network has no account to send them from.",
    remedy: "Give the network `accounts` in hardhat.config.ts.",
    example: [
      'HDP-6012 in networks.sepolia.accounts: network "sepolia" has no account to send transactions from.',
      "  Add an account to the network in hardhat.config.ts.",
    ].join("\n"),
  },
  "HDP-6013": {
    title: "Not a result",
    meaning: "A result is one word of 256 bits. What was to be finalized does not fit it.",
    remedy: "Give a bigint from 0 to 2^256 - 1, or 32 bytes of hex.",
    example: [
      "HDP-6013 in value: -1 is not a result.",
      "  A result is a bigint from 0 to 2^256 - 1, or 32 bytes of hex.",
    ].join("\n"),
  },
  "HDP-6014": {
    title: "The chain has no identifier",
    meaning:
      "A bare task is delivered to the connected chain, and that chain's id has no chain identifier in the specification.",
    remedy: "Submit a request that names its destination: `taskRequest({ destinationChainId, tasks })`.",
    example: [
      'HDP-6014 in destinationChainId: chain 100 of network "gnosis" has no chain identifier.',
      "  Submit a request that names its destinationChainId, for instance taskRequest({ destinationChainId, tasks }).",
    ].join("\n"),
  },
  "HDP-6015": {
    title: "The local data processor failed",
    meaning:
      "A task could not be computed or finalized; the message says why. Nothing of the submission was finalized.",
    remedy: "Correct the cause (a block that does not exist, a transaction that reverted, …) and submit again.",
    example: [
      "HDP-6015: submission local-1 failed: block 99 does not exist yet.",
      "  Nothing of it was finalized. Correct the cause and submit it again.",
    ].join("\n"),
  },
  "HDP-6016": {
    title: "An argument is missing",
    message: "no {what} was named.",
    hints: ["For instance: {example}"],
    description:
      "The command needs a file or an id, and none was given. Commands that take a task file read standard input without one, but not from a terminal.",
  },
  "HDP-6018": {
    title: "Not a task",
    meaning: "What was given to `hdp` is neither a task nor a request nor the path of a task file.",
    remedy: "Give a path, the file's content as an object, a task or a request of the builder, or a list of these.",
    example: [
      "HDP-6018: 5 is not a task.",
      '  Give the path of a task file ("tasks/fee.json"), its content as an object, a task from blockSampled(…).avg() or',
      "  moduleTask(…), a request from taskRequest(…), or a list of these.",
    ].join("\n"),
  },
  "HDP-6019": {
    title: "A datalake without an aggregate function",
    meaning: "`blockSampled(…)` or `transactionsInBlock(…)` was given where a task is needed.",
    remedy: "End it with `.avg()`, `.sum()`, `.min()`, `.max()` or `.count(operator, value)`.",
    example: [
      "HDP-6019: this is a datalake without an aggregate function.",
      "  End it with the function to compute: .avg(), .sum(), .min(), .max() or .count(operator, value).",
    ].join("\n"),
  },
  "HDP-6020": {
    title: "No tasks in the list",
    meaning: "An empty list was given to `hdp`.",
    remedy: "Give at least one task.",
    example: ["HDP-6020: there are no tasks in this list.", "  Give at least one. Nothing was sent."].join("\n"),
  },
  "HDP-6021": {
    title: "Requests with several destinations",
    meaning: "A list of requests or task files names more than one destination chain.",
    remedy: "Submit the requests of each destination by themselves.",
    example: [
      "HDP-6021 in destinationChainId: these requests go to ETHEREUM_SEPOLIA and STARKNET_SEPOLIA, and one submission has one destination.",
      "  Submit the requests of each destination by themselves.",
    ].join("\n"),
  },
  "HDP-6022": {
    title: "A mock store on a chain that is no development chain",
    meaning: "The network is neither in-process nor chain id 31337. A mock there costs gas, and is not the real store.",
    remedy: "Choose a development network, or say that you mean it: `--yes`, or `onLiveChain: true` in code.",
    example: [
      'HDP-6022: network "base" is chain 8453, not a development chain: a mock execution store there costs gas, and anybody may mistake it for the real one.',
      "  To deploy it all the same: npx hardhat hdp deploy-store --network base --yes",
      "  or in code hdp.deployExecutionStore({ onLiveChain: true }). Nothing was sent.",
    ].join("\n"),
  },
  "HDP-6023": {
    title: "The destination is another chain than the network",
    meaning: "Results of the destination are read on its own chain; the network that stands for it is another one.",
    remedy: "Choose the destination's network, name it under `hdp.chains`, or change `destinationChainId`.",
    example: [
      'HDP-6023 in destinationChainId: the result goes to ETHEREUM_SEPOLIA, but network "base" is BASE_MAINNET (chain id 8453).',
      '  Choose the network of ETHEREUM_SEPOLIA with --network, or name it: hdp: { chains: { ETHEREUM_SEPOLIA: "<network>" } }.',
      "  Nothing was sent.",
    ].join("\n"),
  },
  "HDP-6024": {
    title: "The execution store is no mock",
    meaning: "The local data processor stores results from an account, which only a mock store takes.",
    remedy: "Configure the service as the network's `dataProcessor`, or deploy a mock store and configure its address.",
    example: [
      'HDP-6024 in networks.base.hdp.executionStore.address: the execution store 0xb036f7Bdd9C7A5984323f148064f815f4C75174b on network "base" is no mock: it takes proven results of the service only.',
      "  Configure the service as the network's dataProcessor, or deploy a mock: npx hardhat hdp deploy-store.",
      "  Nothing was sent.",
    ].join("\n"),
  },
  "HDP-6025": {
    title: "The execution store is a mock on a live chain",
    meaning:
      "Tasks go to a service, and the store that its results are to be read from is a mock: anybody who operates it can store any result there, and the service stores none.",
    remedy: "Configure the address of the service's own store, or leave it out where a published one is known.",
    example: [
      'HDP-6025 in networks.base.hdp.executionStore.address: the execution store 0x5FbDB2315678afecb367f032d93F642f64180aa3 on network "base" (BASE_MAINNET) is a mock, and the tasks go to a service.',
      "  Configure the service's store, or leave the address out where a published store is known.",
      "  Nothing was sent.",
    ].join("\n"),
  },
  "HDP-6040": {
    title: "Accepted and lost at once",
    meaning: "`hdp resume` was told both that the service accepted the submission and that it is given up.",
    remedy: "Give one of `--accepted` and `--lost`.",
    example: [
      "HDP-6040 in --accepted, --lost: a submission can't be both accepted and lost.",
      "  Give one of the two. Nothing was changed.",
    ].join("\n"),
  },
  "HDP-6041": {
    title: "Nobody can answer the question",
    message: "this command asks before it acts, and nobody can answer here.",
    hints: ["Add --yes to do it without asking. Nothing was sent."],
    description:
      "The command asks before it sends, creates or cancels something that may cost money. Standard input or standard error is not a terminal, as in a pipeline.",
  },
  "HDP-6043": {
    title: "The compiled class can't be read",
    meaning: "There is no file at that path, or it may not be read.",
    remedy: "Give the `*.compiled_contract_class.json` that Scarb writes into `target/dev/`.",
    example: [
      "HDP-6043 in target/dev/sum.compiled_contract_class.json: the compiled class can't be read (ENOENT).",
      "  Looked for /project/target/dev/sum.compiled_contract_class.json. Paths are relative to the project. Nothing was sent.",
    ].join("\n"),
  },
  "HDP-6045": {
    title: "The submission was made at another service",
    meaning:
      "The journal says that the submission was made at another host than the one the network's data processor has now. Another service would not know its id.",
    remedy:
      "Name the network it was made on with `--network`, or configure that address again. Results can be read by task hash in any case: `npx hardhat hdp:result <task hash>`.",
    example: [
      'HDP-6045 in id: submission 01JPJ03YJT was made at hdp.example.org, but network "sepolia" uses other.example.org.',
      '  It was made on network "sepolia": add --network sepolia, or configure that address again.',
      "  Nothing was asked: another service would not know it.",
    ].join("\n"),
  },
  "HDP-6046": {
    title: "No submission is named",
    message: "--accepted and --lost are about one submission.",
    hints: ["Name it: npx hardhat hdp resume <id> --lost. npx hardhat hdp list shows the ids."],
    description: "`--accepted` and `--lost` record the outcome of one submission, and no id was given.",
  },
  "HDP-6047": {
    title: "An integer in a request body would be rounded",
    message: "the integer {integer} in the request body would be rounded.",
    hints: ["Write integers from 2^53 on as text, in quotes. Nothing was sent."],
    description:
      "The file of a storage proof request or of a grow order holds an integer of 2^53 or more as a JSON number. Services read such numbers rounded. Write the integer as text, in decimal or as `0x` hex.",
  },
  "HDP-6050": {
    title: "The chain node's port is taken",
    meaning: "`hdp:node` could not listen on the port of its chain node.",
    remedy: "End what listens there (most often another node), or give another port: `--port 8555`.",
    example:
      "HDP-6050 in --port: the chain node cannot listen on port 8545: listen EADDRINUSE: address already in use 127.0.0.1:8545.",
  },
  "HDP-6051": {
    title: "Not the origin of a web page",
    meaning: "`--cors` of `hdp:node` names the origins whose pages may use the local front, and one of them is none.",
    remedy: "Give scheme, host and port as the browser's address bar has them, separated by commas.",
    example: 'HDP-6051 in --cors: "localhost" is not the origin of a web page.',
  },
  "HDP-6060": {
    title: "Faults were injected where a service computes",
    meaning:
      "`connection.hdp.faults` makes the local data processor misbehave, and the tasks of this connection go to a service over HTTP. Nothing was sent.",
    remedy:
      'Use a network without a service, or set `dataProcessor: "local"`. To see a client under HTTP faults, start the local front with a `FaultQueue`. `hdp.faults.clear()` takes the faults back.',
    example: [
      "HDP-6060: faults were injected, but tasks go to the data processor at 127.0.0.1:8546, edition tasks.",
      '  Faults happen in the local data processor: use a network without a service, or dataProcessor: "local".',
    ].join("\n"),
  },
  "HDP-6070": {
    title: "A configured class can't be read",
    meaning: "`hdp.local.programs` names a file that is not there or that may not be read.",
    remedy:
      "Build the module, or correct the path. Paths are relative to the project; a folder is searched for `*.compiled_contract_class.json`.",
    example:
      'HDP-6070 in hdp.local.programs: the class "/project/target/dev/a_M.compiled_contract_class.json" can\'t be read (ENOENT).',
  },
  "HDP-6071": {
    title: "There is no module to run",
    meaning: "`hdp module run` runs the module tasks of a file, and the file has none.",
    remedy:
      "Submit datalake tasks instead: `npx hardhat hdp:submit <file>`. On a development chain they are computed locally.",
    example: "HDP-6071 in tasks: there is no module task in this request.",
  },
  "HDP-6073": {
    title: "The folder is not a Scarb package",
    message: '"{dir}" is not a Scarb package: it has no Scarb.toml.',
    hints: ["Looked in {folder}. Name the package's folder; npx hardhat hdp module new <name> makes one."],
    description: "`hdp module build` runs Scarb in a package's folder, which has a `Scarb.toml`. This one has none.",
  },
  "HDP-6076": {
    title: "Not a call of a function",
    message: '"{text}" is not a call of a function.',
    hints: ['Write its types, quoted for the shell: "balanceOf(address)(uint256)" 0xf39F…2266'],
    description:
      "`hdp eth-call` takes a function with its types, quoted for the shell, and as many arguments as it has; or the call's data as hex. Integers are decimal or `0x` hex; lists and tuples are JSON.",
  },
  "HDP-6078": {
    title: "The module has no tests",
    message: "there is no test in {folder}.",
    hints: [
      'Tests are files *.test.json: { "tests": [{ "name": "…", "task": "../tasks/x.json", "recording": "x.recording.json", "expect": { "returned": 7 } }] }',
      "Chain data is recorded once: npx hardhat hdp record <task file> --out tests/x.recording.json",
    ],
    description:
      "`hdp module test` runs the files `tests/*.test.json` of a module's package, and there is none. [Modules](../modules.md#tests-of-a-module) shows their form.",
  },
  "HDP-6079": {
    title: "A file of tests can't be used",
    message: "the file of tests can't be used: {problem}.",
    hints: [
      'A test has "name", "task", "expect" and optionally "recording"; node_modules/hardhat-hdp/docs/modules.md shows one.',
    ],
    description:
      "A file of `hdp module test` can't be read, or has another form than [modules](../modules.md#tests-of-a-module) shows.",
  },
  "HDP-6082": {
    title: "Watched tasks are not finalized",
    ends: "not finalized",
    message: "{open} of {tasks} not finalized after {timeout}.",
    hints: ["Watch longer with --timeout <seconds>, or look once: npx hardhat hdp:result <task hash>."],
    description:
      "`hdp watch` reached its timeout before every task had a result in the store. Results that were finalized were printed.",
  },
  "HDP-6083": {
    title: "No task file matches",
    message: 'no file matches "{pattern}".',
    hints: ["Looked in {root}. Patterns are relative to the project; * does not match a slash, ** does."],
    description: "A pattern such as `tasks/*.json` matches no file. Correct the pattern, or name the files.",
  },
  "HDP-6084": {
    title: "Errors in several task files",
    message: "{errors} errors in {failing} of {files} task files.",
    description:
      "More than one of the named files has errors. All are listed, each with its own number. Nothing was sent.",
  },
  "HDP-6086": {
    title: "Two files or contracts of one name",
    message: "two {what} would be {name}: {first} and {second}.",
    hints: ["Rename one of them, or write two files: --out."],
    description:
      "`hdp types` and `hdp fixtures` name tasks after their files, `hdp storage` libraries after their contracts, and two of them have the same name. Nothing was written.",
  },
  "HDP-6087": {
    title: "A generated file is out of date",
    message: '"{file}" {problem}.',
    hints: ["Write it again: {again}"],
    description:
      "`hdp types --check` and `hdp storage --check` compare a file with what they would write. A task file or a contract's variables were changed since, or the file is missing. Run the command without `--check` and commit the file.",
  },
  "HDP-6120": {
    title: "The store is no mock",
    meaning:
      "`hdp.useExecutionStore` makes a mock the store in use, and the contract at this address is a store of the service: it takes proven results only.",
    remedy: "Name a store of the service in the configuration, `hdp.executionStore.address`; deploy a mock for tests.",
    example: "HDP-6120 in store: the execution store 0x5FbDB2315678afecb367f032d93F642f64180aa3 is no mock.",
  },
  "HDP-6121": {
    title: "Not the address of an account",
    meaning: "An operator of a mock store is named by something that is no address.",
    remedy: "Give `0x` and 40 hexadecimal digits.",
    example: [
      'HDP-6121 in operator: "0x1" is not the address of an account.',
      "  An address is 0x and 40 hexadecimal digits. Nothing was sent.",
    ].join("\n"),
  },
  "HDP-6122": {
    title: "One value for several tasks",
    meaning: "An assertion compares the result of one task with a value, and the file or list has several.",
    remedy: "Name one task, or leave the value out to ask only whether all are finalized.",
    example: ["HDP-6122 in value: one value was given for 2 tasks.", "  Name one task, or leave the value out."].join(
      "\n",
    ),
  },
  "HDP-6123": {
    title: "No such block on the chain",
    meaning:
      "A block was named by its place or its date, and the connected chain has none there: a date in the future or before the first block, or more blocks back than there are.",
    remedy: "Write the number of a block, or a time of this chain.",
    example:
      'HDP-6123 in datalake.blockRangeStart: the chain has no block of "2030-01-01" yet: the latest is 12, of 2026-01-01T00:00:12.000Z.',
  },
  "HDP-6124": {
    title: "Blocks of this chain are named by numbers",
    meaning:
      "`latest`, `latest-64` and dates are looked up on EVM chains. The datalake's chain is another one, or is not known.",
    remedy: "Write the block's number.",
    example: "HDP-6124 in datalake.blockRangeEnd: blocks of STARKNET_SEPOLIA are named by their numbers only.",
  },
  "HDP-6125": {
    title: "The storage layout was not kept",
    message: "the storage layout of {contract} was not kept when it was compiled.",
    hints: [
      'Add "storageLayout" to the compiler\'s output in hardhat.config.ts: settings: { outputSelection: { "*": { "*": ["storageLayout"] } } }.',
      "Then build again: npx hardhat build --force",
    ],
    description:
      "`hdp.storageOf` and `hdp storage` read the compiler's storage layout, which Hardhat keeps only where the configuration asks for it.",
  },
  "HDP-6126": {
    title: "No storage slot of its own",
    message: "{name} has no storage slot of its own: {reason}.",
    description:
      "The variable, member or key is not in the contract's storage layout, has more than one word, or shares its slot with others, and a task samples whole slots. Name a variable with its keys and members, down to one value.",
  },
  "HDP-6202": {
    title: "The recorded chain data can't be read",
    message: 'the recorded chain data "{file}" can\'t be read ({reason}).',
    hints: [
      "Looked for {path}. Paths are relative to the project.",
      "Record it: npx hardhat hdp record <task file> --out {file}",
    ],
    description: "The file named to `hdp.replay` is missing or not readable. The code in parentheses is the system's.",
  },
  "HDP-6203": {
    title: "Replay needs the local data processor",
    meaning:
      "Recorded chain data is read by the local data processor. On this network tasks go to a service, which reads the chains itself.",
    remedy: 'Replay on an in-process network, or set `hdp.dataProcessor` of the network to `"local"`.',
    example:
      'HDP-6203: recorded chain data cannot be replayed on network "sepolia": its tasks go to the data processor at hdp.example, edition tasks.',
  },
  "HDP-6204": {
    title: "Nothing is known of the task",
    meaning:
      "A task was named by its hash, which says nothing of what it computes. Tasks that were submitted in this process, and tasks that were sent to a service and are in the journal, can be named so; others cannot.",
    remedy: "Name the task file: `npx hardhat hdp verify tasks/fee.json`.",
    example: "HDP-6204 in task: nothing is known of a task with the hash 0x66…30.",
  },
  "HDP-6205": {
    title: "There is no such task in the request",
    meaning:
      "`--task` (or the option `task`) names a task that the request does not have. Tasks are counted from 1, as commands print them.",
    remedy: "Give a number that is there; `npx hardhat hdp:check <task file>` lists the tasks.",
    example: "HDP-6205 in task: there is no task 3: the request has 2.",
  },
  "HDP-6207": {
    title: "The file can't be written",
    message: '"{file}" can\'t be written ({reason}).',
    hints: ["Tried {path}."],
    description:
      "A file or folder that a command creates can't be created or written: a module's folder (`hdp module new`), a first file (`hdp:init`), or the file of `--out` or `--profile`. The code in parentheses is the system's. Choose another name, free space, or correct the permissions.",
  },
  "HDP-6208": {
    title: "Private inputs are not in the journal",
    meaning:
      "The task is a module with private inputs, named by its hash. The journal keeps no values of private inputs, so it cannot be computed again from there.",
    remedy: "Name the task file, which has the inputs.",
    example:
      "HDP-6208 in task: the module task 0x12…9f has private inputs, and the journal keeps none of their values.",
  },
} as const satisfies Readonly<Record<`HDP-6${number}`, CatalogueEntry | ErrorTemplate>>;
