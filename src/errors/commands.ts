import type { CatalogueEntry, ErrorTemplate } from "./catalogue-entry.js";

/** Plugin and command line: HDP-6xxx. */
export const COMMAND_ERRORS = {
  "HDP-6001": {
    title: "The task file can't be read",
    meaning: "There is no file at that path, or it may not be read.",
    remedy: "Give a path relative to the project, or an absolute one. Without a file, standard input is read.",
    example: [
      'HDP-6001: the task file "tasks/none.json" can\'t be read (ENOENT).',
      "  Looked for /project/tasks/none.json. Paths are relative to the project; without a file, standard input is read.",
    ].join("\n"),
  },
  "HDP-6002": {
    title: "Not a number of seconds",
    meaning: "`--timeout` takes a positive number.",
    remedy: "Give seconds, for instance `--timeout 600`.",
    example: [
      'HDP-6002 in --timeout: "x" is not a number of seconds.',
      "  A positive number, for instance --timeout 600",
    ].join("\n"),
  },
  "HDP-6003": {
    title: "Not a datalake encoding",
    meaning: "`--encoding` takes the name of a published datalake encoding.",
    remedy: "Use `with-chain-id` (the default), or `without-chain-id` for stores before July 2024.",
    example: [
      'HDP-6003 in --encoding: "x" is not a datalake encoding.',
      "  Allowed: with-chain-id, without-chain-id",
    ].join("\n"),
  },
  "HDP-6004": {
    title: "Not a task hash",
    meaning: "A task hash is 32 bytes of hex; something else was given.",
    remedy: "Give `0x` and 64 hexadecimal digits. `npx hardhat hdp:hash <file>` prints the hashes of a task file.",
    example: [
      'HDP-6004 in taskHash: "0x12" is not a task hash.',
      "  A task hash is 0x and 64 hexadecimal digits; npx hardhat hdp:hash <file> prints those of a task file.",
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
  "HDP-6006": {
    title: "Not a kind of sampled property",
    meaning: "`hdp:fields` lists the fields of one kind, and there is none of that name.",
    remedy: "Use one of the kinds that the message lists, or leave it out for all of them.",
    example: [
      'HDP-6006 in kind: "headers" is not a kind of sampled property with fields.',
      "  Allowed: header, account, tx, tx_receipt. A storage property names a slot: storage.{address}.{slot}.",
    ].join("\n"),
  },
  "HDP-6007": {
    title: "The local data processor can't be left alone",
    meaning:
      "`--no-wait` returns before the result is there, but the local data processor works inside the command and would end with it.",
    remedy: "Leave `--no-wait` out, or submit on a network with a service.",
    example: [
      "HDP-6007 in --no-wait: the local data processor works inside this command and ends with it.",
      "  Leave --no-wait out, or submit to a service: a network with hdp.dataProcessor configured.",
    ].join("\n"),
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
      "  Give a task hash to look into the execution store instead: npx hardhat hdp:hash <file>",
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
      "  A mock store for trials: npx hardhat hdp:store:deploy",
    ].join("\n"),
  },
  "HDP-6011": {
    title: "No execution store to read from",
    meaning:
      "On a development node that is shared between processes, no store is deployed just to be read, and none is configured.",
    remedy:
      "Give `--store <address>`, or set `hdp.executionStore.address` for the network. `npx hardhat hdp:store:deploy` deploys a mock and prints its address.",
    example: [
      'HDP-6011: no execution store is known on network "localhost".',
      "  Set hdp.executionStore.address for the network in hardhat.config.ts, or give --store <address> to a command that reads.",
      "  A mock for trials: npx hardhat hdp:store:deploy --network localhost",
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
    title: "No task file was given",
    meaning: "The command reads standard input when no file is named, and standard input is a terminal.",
    remedy: "Name a file, or pipe one in.",
    example: [
      "HDP-6016 in file: no task file was given.",
      "  Name a file, for instance tasks/fee.json, or pipe one in: npx hardhat hdp:submit < tasks/fee.json",
    ].join("\n"),
  },
  "HDP-6017": {
    title: "There is no error of that number",
    meaning: "`hdp:error` was asked about a number that the catalogue does not have.",
    remedy: "Give the number that an error begins with, for instance `npx hardhat hdp:error 4101`.",
    example: [
      'HDP-6017 in number: "4109" is not the number of an error.',
      "  The nearest is HDP-4104: The transaction's type is unknown.",
    ].join("\n"),
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
      "  To deploy it all the same: npx hardhat hdp:store:deploy --network base --yes",
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
      "  Configure the service as the network's dataProcessor, or deploy a mock: npx hardhat hdp:store:deploy.",
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
    meaning: "`hdp:resume` was told both that the service accepted the submission and that it is given up.",
    remedy: "Give one of `--accepted` and `--lost`.",
    example: [
      "HDP-6040 in --accepted, --lost: a submission can't be both accepted and lost.",
      "  Give one of the two. Nothing was changed.",
    ].join("\n"),
  },
  "HDP-6041": {
    title: "Nobody can answer the question",
    meaning:
      "The command asks before it sends, creates or cancels something that may cost money, and standard input or standard error is not a terminal, as in a pipeline.",
    remedy: "Add `--yes` to do it without being asked.",
    example: [
      "HDP-6041 in --yes: this asks before it acts, and nobody can answer here.",
      "  Add --yes to do it without asking. Nothing was sent.",
    ].join("\n"),
  },
  "HDP-6042": {
    title: "The body of a request can't be read",
    meaning: "The file of a storage proof request or of a grow order is not there, may not be read, or is not JSON.",
    remedy: "Correct the path or the JSON. What the file has to hold is the service's matter: it is sent as it is.",
    example: [
      "HDP-6042 in body.json: the request's body can't be read (ENOENT).",
      "  Looked for /project/body.json. Paths are relative to the project. Nothing was sent.",
    ].join("\n"),
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
  "HDP-6044": {
    title: "A page or page size is out of range",
    meaning: "`hdp:tasks` counts pages from 1 and takes 1 to 100 tasks a page.",
    remedy: "Give numbers in that range.",
    example: ["HDP-6044 in --per-page: 101 is out of range.", "  Allowed: 1 to 100"].join("\n"),
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
    meaning: "`--accepted` and `--lost` say something about one submission, and none is named.",
    remedy: "Name it: `npx hardhat hdp:resume <id> --lost`. `npx hardhat hdp:list` shows the ids.",
    example: [
      "HDP-6046 in id: --accepted and --lost are about one submission.",
      "  Name it: npx hardhat hdp:resume <id> --lost. npx hardhat hdp:list shows the ids.",
    ].join("\n"),
  },
  "HDP-6047": {
    title: "An integer in a request's body would be rounded",
    meaning:
      "The file of a storage proof request or of a grow order holds an integer of 2^53 or more as a JSON number. JSON numbers of that size are rounded on their way, so the service would get another one than is written.",
    remedy: "Write the integer as text, in quotes, in decimal or as `0x` hex.",
    example: [
      "HDP-6047 in body.json: the integer 12345678901234567890 in the request's body would be rounded.",
      "  Write integers from 2^53 on as text, in quotes. Nothing was sent.",
    ].join("\n"),
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
    meaning:
      "`--cors` of `hdp:node` and `hdp:serve` names the origins whose pages may use the local front, and one of them is none.",
    remedy: "Give scheme, host and port as the browser's address bar has them, separated by commas.",
    example: 'HDP-6051 in --cors: "localhost" is not the origin of a web page.',
  },
  "HDP-6052": {
    title: "A front beside a chain that nobody can reach",
    meaning:
      "`hdp:serve` puts the local front beside a node that runs already; the network in use is a chain inside the command's own process, which would end with it.",
    remedy:
      "Name the network of a running node, such as `--network localhost`. `npx hardhat hdp:node` runs a chain and the front at once.",
    example: 'HDP-6052 in --network: network "default" is a chain inside this process, which nobody else can reach.',
  },
  "HDP-6053": {
    title: "Not a port",
    meaning: "`--port` or `--hdp-port` is no number from 0 to 65535.",
    remedy: "Give a port that is free, for instance 8545; 0 takes any.",
    example: "HDP-6053 in --port: 99999999 is not a port.",
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
    meaning: "`hdp:module:run` runs the module tasks of a file, and the file has none.",
    remedy:
      "Submit datalake tasks instead: `npx hardhat hdp:submit <file>`. On a development chain they are computed locally.",
    example: "HDP-6071 in tasks: there is no module task in this request.",
  },
  "HDP-6072": {
    title: "The new module's folder can't be made",
    meaning:
      "`hdp:module:new` makes a folder by the package's name and never overwrites: there is something by that name already, or the folder may not be written.",
    remedy: "Choose another name, or move what is there.",
    example: 'HDP-6072 in name: the folder "my_module" can\'t be made (EEXIST).',
  },
  "HDP-6073": {
    title: "The folder is no Scarb package",
    meaning: "`hdp:module:build` runs Scarb in a package's folder, which has a `Scarb.toml`. This one has none.",
    remedy:
      "Name the package's folder: `npx hardhat hdp:module:build my_module`. `npx hardhat hdp:module:new <name>` makes a package.",
    example: 'HDP-6073 in dir: "." is not a Scarb package: it has no Scarb.toml.',
  },
  "HDP-6075": {
    title: "Not an address",
    meaning: "`hdp:eth-call` takes the address of a contract first, and one as `--from`.",
    remedy: "Write 20 bytes of hex.",
    example: 'HDP-6075 in contract: "0x12" is not an address.',
  },
  "HDP-6076": {
    title: "Not a call of a function",
    meaning:
      "`hdp:eth-call` takes a function with its types, quoted for the shell, and as many arguments as it has; or the call's data as hex.",
    remedy: 'Write it like `"balanceOf(address)(uint256)" 0xf39F…2266`.',
    example: 'HDP-6076 in function: "balanceOf" is no call of a function.',
  },
  "HDP-6077": {
    title: "No such template",
    meaning: "`hdp:module:new --template` knows `balance` and `eth-call`.",
    remedy: "Name one of them, or leave the option out for `balance`.",
    example: 'HDP-6077 in --template: there is no template "bridge".',
  },
  "HDP-6078": {
    title: "The module has no tests",
    meaning: "`hdp:module:test` runs the files `tests/*.test.json` of a module's package, and there is none.",
    remedy: "Write one: [modules](../modules.md#tests-of-a-module) shows its form.",
    example: "HDP-6078 in dir: there is no test in /project/my_module/tests.",
  },
  "HDP-6079": {
    title: "A file of tests cannot be used",
    meaning: "A file of `hdp:module:test` cannot be read, or is written otherwise.",
    remedy: "Correct what the message names: [modules](../modules.md#tests-of-a-module) shows the form.",
    example:
      "HDP-6079 in my_module/tests/sum.test.json: the file of tests can't be used: tests.0.expect: expect has to say returned, felts, panic or roots.",
  },
  "HDP-6074": {
    title: "The limit of steps is not a number",
    meaning: "`--steps-limit` takes a positive integer.",
    remedy: "For instance `--steps-limit 1000000`. Without the option a run stops after 100,000,000 steps.",
    example: 'HDP-6074 in --steps-limit: "many" is not a number of steps.',
  },
  "HDP-6080": {
    title: "There is no such command",
    meaning: "A word after `hdp` is neither a command nor a group of commands.",
    remedy: "Write the command that is meant; `npx hardhat hdp` lists all.",
    example: [
      'HDP-6080 in hdp: "sumbit" is not a command. Did you mean hdp:submit?',
      "  npx hardhat hdp lists all commands.",
    ].join("\n"),
  },
  "HDP-6081": {
    title: "Not a unit",
    meaning: "`--unit` takes the name of a unit in which results are shown.",
    remedy: "Use `wei`, `gwei`, `ether`, `gas` or `date`, or leave it out: the sampled field has a unit of its own.",
    example: [
      'HDP-6081 in --unit: "szabo" is not a unit of values.',
      "  Allowed: wei, gwei, ether, gas, date. Without it, the sampled field decides.",
    ].join("\n"),
  },
  "HDP-6082": {
    title: "Watched tasks are not finalized",
    ends: "not finalized",
    meaning: "`hdp:watch` reached its limit before every task had a result in the store.",
    remedy: "Watch longer with `--timeout <seconds>`; what was finalized was printed.",
    example: [
      "HDP-6082: 1 of 2 tasks not finalized after 10 min 0 s.",
      "  Open: 0x5c1e…a902",
      "  Watch longer with --timeout <seconds>, or look once: npx hardhat hdp:result <task hash>.",
    ].join("\n"),
  },
  "HDP-6083": {
    title: "No task file matches",
    meaning: "A pattern such as `tasks/*.json` matches no file.",
    remedy: "Correct the pattern, which is relative to the project, or name the files.",
    example: [
      'HDP-6083 in file: no file matches "task/*.json".',
      "  Looked in /project. Patterns are relative to the project; * does not match a slash, ** does.",
    ].join("\n"),
  },
  "HDP-6084": {
    title: "Mistakes in several task files",
    meaning: "More than one of the files that were named has mistakes. All are listed, and nothing was sent.",
    remedy: "Correct each; every line has the mistake's own number.",
    example: [
      "HDP-6084: 2 mistakes in 2 of 3 task files.",
      '  HDP-1104 in tasks/a.json, tasks[0].datalake.sampledProperty: "header.base_fee" is not a header field.',
      "  HDP-6001 in tasks/b.json: the task file can't be read (ENOENT).",
    ].join("\n"),
  },
  "HDP-6085": {
    title: "A first file cannot be written",
    meaning: "`hdp:init` may not write into the project's folder, or a file is where a folder has to be.",
    remedy: "Correct what the system names and repeat: files that are there already are kept.",
    example: [
      "HDP-6085 in contracts/FeeGate.sol: the file cannot be written (EACCES).",
      "  Correct the permissions and repeat: what is there already is kept.",
    ].join("\n"),
  },
  "HDP-6086": {
    title: "Two task files of one name",
    meaning: "`hdp:types` names tasks after their files, and two of the files have the same name. Nothing was written.",
    remedy: "Rename one of the files, or write two modules with `--out`.",
    example: "HDP-6086 in files: two files would be tasks.fee: tasks/fee.json and tasks/more/fee.json.",
  },
  "HDP-6087": {
    title: "The module of tasks is out of date",
    meaning:
      "`hdp:types --check` compares the file with what it would write, and they differ: a task file was changed since.",
    remedy: "Run the command without `--check` and commit the file.",
    example: [
      'HDP-6087 in --check: "hdp-tasks.ts" is not what the task files say.',
      "  Write it again: npx hardhat hdp:types 'tasks/*.json' --out hdp-tasks.ts",
    ].join("\n"),
  },
  "HDP-6088": {
    title: "The library of storage slots is out of date",
    meaning:
      "`hdp:storage --check` compares the file with what it would write, and they differ: a contract's variables were changed since, or the contracts that are named.",
    remedy: "Run the command without `--check` and commit the file.",
    example: [
      'HDP-6088 in --check: "contracts/HdpStorage.sol" is not what the compiler\'s layout says.',
      "  Write it again: npx hardhat hdp:storage Vault --out contracts/HdpStorage.sol",
    ].join("\n"),
  },
  "HDP-6089": {
    title: "Two contracts of one name",
    meaning:
      "`hdp:storage` names libraries after their contracts, and two of the contracts have the same name. Nothing was written.",
    remedy: "Write two files with `--out`.",
    example:
      "HDP-6089 in contracts: two contracts would be StorageOfVault: contracts/Vault.sol:Vault and contracts/old/Vault.sol:Vault.",
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
      "`hdp.storageOf` and `hdp:storage` read the compiler's storage layout, which Hardhat keeps only where the configuration asks for it.",
  },
  "HDP-6126": {
    title: "No storage slot of its own",
    message: "{name} has no storage slot of its own: {reason}.",
    description:
      "The variable, member or key is not in the contract's storage layout, has more than one word, or shares its slot with others, and a task samples whole slots. Name a variable with its keys and members, down to one value.",
  },
  "HDP-6201": {
    title: "The format of the output is not known",
    meaning:
      "`--out` of `hdp:explain` chooses the format by the file's extension, and this extension has none. Nothing was read.",
    remedy: "Use `.svg` for a chart, `.csv` for a table or `.json` for programs.",
    example: 'HDP-6201 in --out: "fee.png" does not say its format.',
  },
  "HDP-6202": {
    title: "The fixture cannot be read",
    meaning:
      "The file named to `hdp.replay` is not there, or may not be read. The code in parentheses is the system's.",
    remedy:
      "Paths are relative to the project. Record the fixture with `npx hardhat hdp:record <task file> --out <fixture>`.",
    example: 'HDP-6202: the recorded chain data "fixtures/fee.json" cannot be read (ENOENT).',
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
    remedy: "Name the task file: `npx hardhat hdp:verify tasks/fee.json`.",
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
    title: "The output cannot be written",
    meaning:
      "The file named with `--out` or `--profile` cannot be created or written. The code in parentheses is the system's.",
    remedy: "Name another file, free space, or correct the permissions.",
    example: 'HDP-6207 in --out: "fixtures/fee.json" cannot be written (EACCES).',
  },
  "HDP-6208": {
    title: "Private inputs are not in the journal",
    meaning:
      "The task is a module with private inputs, named by its hash. The journal keeps no values of private inputs, so it cannot be computed again from there.",
    remedy: "Name the task file, which has the inputs.",
    example:
      "HDP-6208 in task: the module task 0x12…9f has private inputs, and the journal keeps none of their values.",
  },
  "HDP-6209": {
    title: "No file is named for the recorded chain data",
    meaning: "`hdp:record` was called without `--out`. Nothing was read.",
    remedy: "Name the fixture: `npx hardhat hdp:record tasks/fee.json --out fixtures/fee.json`.",
    example: "HDP-6209 in --out: no file was named for the recorded chain data.",
  },
} as const satisfies Readonly<Record<`HDP-6${number}`, CatalogueEntry | ErrorTemplate>>;
