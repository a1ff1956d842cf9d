// Written by `npm run commands` from the files that it names: a command's definition is changed there.
import { ArgumentType } from "hardhat/types/arguments";
import type { NewTaskDefinition } from "hardhat/types/tasks";

export type CommandEntry = Omit<Extract<NewTaskDefinition, { inlineAction?: never }>, "id" | "type"> & {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: string;
};

export const commands: readonly CommandEntry[] = [
  {
    name: "alive",
    aliases: [],
    group: "development",
    description: "Check every configured interface",
    action: () => import("../development/alive.js"),
    positionalArguments: [],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "error",
    aliases: [],
    group: "development",
    description: "Explain an error by its number, for instance 4101",
    action: () => import("../development/error.js"),
    positionalArguments: [
      { name: "number", type: ArgumentType.STRING, description: "The number, with or without HDP-", isVariadic: false },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "init",
    aliases: [],
    group: "development",
    description: "Write a first task, a contract that acts on its result, and tests of both; nothing is overwritten",
    action: () => import("../development/init.js"),
    positionalArguments: [],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "node",
    aliases: [],
    group: "development",
    description: "Run a chain node and, beside it, the local data processor over HTTP",
    action: () => import("../development/node.js"),
    positionalArguments: [],
    options: {
      hdpPort: {
        name: "hdpPort",
        type: ArgumentType.INT,
        description: "Port of the data processor, the program registry and the storage proof interface",
        defaultValue: 8546,
      },
      apiKey: {
        name: "apiKey",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "The only API key to accept; any is when left out",
        defaultValue: undefined,
      },
      dataDir: {
        name: "dataDir",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Folder in which tasks and programs survive this process",
        defaultValue: undefined,
      },
      host: {
        name: "host",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description:
          "Address on which the data processor listens (127.0.0.1; for use from outside a container 0.0.0.0)",
        defaultValue: undefined,
      },
      latency: {
        name: "latency",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds from one state of a batch to the next: all six are seen, results come after the last",
        defaultValue: undefined,
      },
      fault: {
        name: "fault",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "What goes wrong, each once, in order, with commas: http-burst:503:3,stuck-at:CachedMmrRoot",
        defaultValue: undefined,
      },
      cors: {
        name: "cors",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Origins whose web pages may use the data processor, with commas: http://localhost:3000",
        defaultValue: undefined,
      },
      hostname: {
        name: "hostname",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Address on which the chain node listens (127.0.0.1; in a container 0.0.0.0)",
        defaultValue: undefined,
      },
      port: { name: "port", type: ArgumentType.INT, description: "Port of the chain node", defaultValue: 8545 },
    },
  },
  {
    name: "serve",
    aliases: [],
    group: "development",
    description: "Run the local data processor over HTTP beside a node that runs already (--network localhost)",
    action: () => import("../development/serve.js"),
    positionalArguments: [],
    options: {
      hdpPort: {
        name: "hdpPort",
        type: ArgumentType.INT,
        description: "Port of the data processor, the program registry and the storage proof interface",
        defaultValue: 8546,
      },
      apiKey: {
        name: "apiKey",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "The only API key to accept; any is when left out",
        defaultValue: undefined,
      },
      dataDir: {
        name: "dataDir",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Folder in which tasks and programs survive this process",
        defaultValue: undefined,
      },
      host: {
        name: "host",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description:
          "Address on which the data processor listens (127.0.0.1; for use from outside a container 0.0.0.0)",
        defaultValue: undefined,
      },
      latency: {
        name: "latency",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds from one state of a batch to the next: all six are seen, results come after the last",
        defaultValue: undefined,
      },
      fault: {
        name: "fault",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "What goes wrong, each once, in order, with commas: http-burst:503:3,stuck-at:CachedMmrRoot",
        defaultValue: undefined,
      },
      cors: {
        name: "cors",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Origins whose web pages may use the data processor, with commas: http://localhost:3000",
        defaultValue: undefined,
      },
    },
  },
  {
    name: "store deploy",
    aliases: ["deploy-store"],
    group: "development",
    description: "Deploy a mock execution store on a development chain",
    action: () => import("../development/store-deploy.js"),
    positionalArguments: [],
    options: {
      yes: {
        name: "yes",
        type: ArgumentType.FLAG,
        description: "Deploy also on a chain that is no development chain, without asking",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "journal",
    aliases: [],
    group: "journal",
    description: "Check the journal of submissions for damage",
    action: () => import("../journal/check-and-repair.js"),
    positionalArguments: [],
    options: {
      check: {
        name: "check",
        type: ArgumentType.FLAG,
        description: "Look at every line (what the command does without an option, too)",
        defaultValue: false,
      },
      repair: {
        name: "repair",
        type: ArgumentType.FLAG,
        description: "Go on without the damaged lines: record that the damage is known",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "list",
    aliases: [],
    group: "journal",
    description: "List what was sent from this project, with states and ages",
    action: () => import("../journal/list.js"),
    positionalArguments: [],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "resume",
    aliases: [],
    group: "journal",
    description: "Finish submissions that were interrupted",
    action: () => import("../journal/resume.js"),
    positionalArguments: [
      {
        name: "id",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "A journal id, a service id or a task hash; all that are not finished when left out",
        isVariadic: false,
        defaultValue: undefined,
      },
    ],
    options: {
      accepted: {
        name: "accepted",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "The service's id of a submission whose answer was lost",
        defaultValue: undefined,
      },
      lost: {
        name: "lost",
        type: ArgumentType.FLAG,
        description: "Give the submission up, so that its tasks may be sent again",
        defaultValue: false,
      },
      timeout: {
        name: "timeout",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds until the wait gives up, instead of hdp.timeouts.await",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "eth-call",
    aliases: [],
    group: "modules",
    description: "Call a view function of a contract over proven state, and finalize what it returns",
    action: () => import("../modules/eth-call.js"),
    positionalArguments: [
      { name: "contract", type: ArgumentType.STRING, description: "Address of the contract", isVariadic: false },
      {
        name: "function",
        type: ArgumentType.STRING,
        description: "The function, like balanceOf(address)(uint256); or the call's data as hex",
        isVariadic: false,
      },
      {
        name: "arguments",
        type: ArgumentType.STRING,
        description: "Its arguments",
        isVariadic: true,
        defaultValue: [],
      },
    ],
    options: {
      from: {
        name: "from",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "The caller; the first account of the node when left out",
        defaultValue: undefined,
      },
      block: {
        name: "block",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Number of the block; the latest when left out",
        defaultValue: undefined,
      },
      chain: {
        name: "chain",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Chain identifier of the contract's chain; the connected one when left out",
        defaultValue: undefined,
      },
      timeout: {
        name: "timeout",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds until the wait gives up, instead of hdp.timeouts.await",
        defaultValue: undefined,
      },
      yes: { name: "yes", type: ArgumentType.FLAG, description: "Do it without asking", defaultValue: false },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "module build",
    aliases: [],
    group: "modules",
    description: "Build a module's package with Scarb",
    action: () => import("../modules/module-build.js"),
    positionalArguments: [
      {
        name: "dir",
        type: ArgumentType.STRING,
        description: "The package's folder",
        isVariadic: false,
        defaultValue: ".",
      },
    ],
    options: {
      release: {
        name: "release",
        type: ArgumentType.FLAG,
        description: "Build into target/release instead of target/dev",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "module new",
    aliases: [],
    group: "modules",
    description: "Write a new module: a Scarb package with a task file",
    action: () => import("../modules/module-new.js"),
    positionalArguments: [
      {
        name: "name",
        type: ArgumentType.STRING,
        description: "Name of the package, and of its folder",
        isVariadic: false,
      },
    ],
    options: {
      template: {
        name: "template",
        type: ArgumentType.STRING,
        description: "What it does: balance, logs, injected-state, bridge or eth-call",
        defaultValue: "balance",
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "module run",
    aliases: [],
    group: "modules",
    description: "Run the modules of a task file here, without submitting",
    action: () => import("../modules/module-run.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "A task file (JSON), relative to the project; standard input when left out",
        isVariadic: false,
        defaultValue: "-",
      },
    ],
    options: {
      generation: {
        name: "generation",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Calling convention, instead of the task's and hdp.local.generation",
        defaultValue: undefined,
      },
      state: {
        name: "state",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "JSON file of injected state: labels with their roots, beside or in place of the task's",
        defaultValue: undefined,
      },
      stateLeaves: {
        name: "stateLeaves",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "JSON file of the leaves behind those roots",
        defaultValue: undefined,
      },
      profile: {
        name: "profile",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "File for a flame graph of the steps by function and by read (speedscope's JSON)",
        defaultValue: undefined,
      },
      stepsLimit: {
        name: "stepsLimit",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Steps after which the run is stopped; 100,000,000 when left out",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "module test",
    aliases: [],
    group: "modules",
    description: "Run a module's assertions over recorded chain data",
    action: () => import("../modules/module-test.js"),
    positionalArguments: [
      {
        name: "dir",
        type: ArgumentType.STRING,
        description: "The package's folder: its tests are in tests/*.test.json",
        isVariadic: false,
        defaultValue: ".",
      },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "program hash",
    aliases: ["program-hash"],
    group: "modules",
    description: "Print the program hash of a compiled class, without any network",
    action: () => import("../modules/program-hashes.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "A compiled class: *.compiled_contract_class.json",
        isVariadic: false,
      },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "program show",
    aliases: ["program"],
    group: "modules",
    description: "Print what the program registry knows of a program hash",
    action: () => import("../modules/program-show.js"),
    positionalArguments: [
      { name: "programHash", type: ArgumentType.STRING, description: "The program hash", isVariadic: false },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "program upload",
    aliases: ["upload"],
    group: "modules",
    description: "Store a compiled class in the program registry",
    action: () => import("../modules/program-upload.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "A compiled class: *.compiled_contract_class.json",
        isVariadic: false,
      },
    ],
    options: {
      force: {
        name: "force",
        type: ArgumentType.FLAG,
        description: "Send it although it was sent before, or may have been",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "",
    aliases: [],
    group: "",
    description: "Lists the commands of the data processor in groups",
    action: () => import("../overview.js"),
    positionalArguments: [
      {
        name: "command",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "None: whatever follows is looked for among the commands",
        isVariadic: false,
        defaultValue: undefined,
      },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "task list",
    aliases: ["tasks"],
    group: "remote-tasks",
    description: "List the tasks a service of edition module-tasks has",
    action: () => import("../remote-tasks/task-list.js"),
    positionalArguments: [],
    options: {
      page: { name: "page", type: ArgumentType.INT, description: "Page, from 1", defaultValue: 1 },
      perPage: { name: "perPage", type: ArgumentType.INT, description: "Tasks a page, 1 to 100", defaultValue: 10 },
      search: {
        name: "search",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Part of an id, a program hash or a program name",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "task retry",
    aliases: ["retry"],
    group: "remote-tasks",
    description: "Start a failed task of edition module-tasks again",
    action: () => import("../remote-tasks/task-retry.js"),
    positionalArguments: [
      { name: "id", type: ArgumentType.STRING, description: "A task's id at the service", isVariadic: false },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "task show",
    aliases: ["task"],
    group: "remote-tasks",
    description: "Print all that a service of edition module-tasks has on a task",
    action: () => import("../remote-tasks/task-show.js"),
    positionalArguments: [
      { name: "id", type: ArgumentType.STRING, description: "A task's id at the service", isVariadic: false },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "await",
    aliases: [],
    group: "requests",
    description: "Await a submission made before and print its results",
    action: () => import("../requests/await.js"),
    positionalArguments: [
      { name: "id", type: ArgumentType.STRING, description: "A submission's id, or a task hash", isVariadic: false },
    ],
    options: {
      timeout: {
        name: "timeout",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds until the wait gives up, instead of hdp.timeouts.await",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "check",
    aliases: [],
    group: "requests",
    description:
      "Validate task files and show what they would compute; with --network, what sending them there would take",
    action: () => import("../requests/check.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "A task file (JSON), relative to the project; standard input when left out",
        isVariadic: false,
        defaultValue: "-",
      },
      {
        name: "more",
        type: ArgumentType.STRING,
        description: "More task files, or a pattern in quotes",
        isVariadic: true,
        defaultValue: [],
      },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "fields",
    aliases: [],
    group: "requests",
    description: "List the fields a sampled property can name, and the functions they allow",
    action: () => import("../requests/fields.js"),
    positionalArguments: [
      {
        name: "kind",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "header, account, storage, tx or tx_receipt; all when left out",
        isVariadic: false,
        defaultValue: undefined,
      },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "fixtures",
    aliases: ["snforge fixtures", "snforge:fixtures"],
    group: "requests",
    description: "Run task files locally and write their hashes and results as constants for tests",
    action: () => import("../requests/fixtures.js"),
    positionalArguments: [
      {
        name: "files",
        type: ArgumentType.STRING,
        description: "Task files (JSON), relative to the project",
        isVariadic: true,
      },
    ],
    options: {
      format: {
        name: "format",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "solidity, typescript, cairo, json or txt; by default what the ending of --out says, else cairo",
        defaultValue: undefined,
      },
      out: {
        name: "out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "File to write; standard output when left out",
        defaultValue: undefined,
      },
    },
  },
  {
    name: "hash",
    aliases: [],
    group: "requests",
    description: "Print the task hashes of task files, without any network",
    action: () => import("../requests/hash.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "A task file (JSON), relative to the project; standard input when left out",
        isVariadic: false,
        defaultValue: "-",
      },
      {
        name: "more",
        type: ArgumentType.STRING,
        description: "More task files, or a pattern in quotes",
        isVariadic: true,
        defaultValue: [],
      },
    ],
    options: {
      encoding: {
        name: "encoding",
        type: ArgumentType.STRING,
        description: "Datalake encoding: with-chain-id, or without-chain-id for stores before July 2024",
        defaultValue: "with-chain-id",
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "status",
    aliases: [],
    group: "requests",
    description: "Print the state of a submission or of a task hash",
    action: () => import("../requests/status.js"),
    positionalArguments: [
      { name: "id", type: ArgumentType.STRING, description: "A submission's id, or a task hash", isVariadic: false },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "storage",
    aliases: [],
    group: "requests",
    description: "Write a Solidity library of contracts' storage slots, from the compiler's layout",
    action: () => import("../requests/storage.js"),
    positionalArguments: [
      {
        name: "contracts",
        type: ArgumentType.STRING,
        description: "Contracts, by name or source:name",
        isVariadic: true,
      },
    ],
    options: {
      out: {
        name: "out",
        type: ArgumentType.STRING,
        description: "File to write",
        defaultValue: "contracts/HdpStorage.sol",
      },
      check: {
        name: "check",
        type: ArgumentType.FLAG,
        description: "Write nothing, and fail where the file is not what would be written",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "submit",
    aliases: [],
    group: "requests",
    description: "Submit task files, await them and print their results",
    action: () => import("../requests/submit.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "A task file (JSON), relative to the project; standard input when left out",
        isVariadic: false,
        defaultValue: "-",
      },
      {
        name: "more",
        type: ArgumentType.STRING,
        description: "More task files, or a pattern in quotes",
        isVariadic: true,
        defaultValue: [],
      },
    ],
    options: {
      noWait: {
        name: "noWait",
        type: ArgumentType.FLAG,
        description: "Return when the service has accepted, without awaiting",
        defaultValue: false,
      },
      force: {
        name: "force",
        type: ArgumentType.FLAG,
        description: "Send although the same tasks are open or finalized already",
        defaultValue: false,
      },
      unsupportedFields: {
        name: "unsupportedFields",
        type: ArgumentType.FLAG,
        description: "Send to a service also fields that no published evaluator has a value for",
        defaultValue: false,
      },
      timeout: {
        name: "timeout",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds until the wait gives up, instead of hdp.timeouts.await",
        defaultValue: undefined,
      },
      unit: {
        name: "unit",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "wei, gwei, ether, gas or date, instead of the sampled field's own unit",
        defaultValue: undefined,
      },
      dryRun: {
        name: "dryRun",
        type: ArgumentType.FLAG,
        description: "Say what would be sent, and send nothing",
        defaultValue: false,
      },
      yes: { name: "yes", type: ArgumentType.FLAG, description: "Do it without asking", defaultValue: false },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "types",
    aliases: [],
    group: "requests",
    description: "Write a TypeScript module of task files, with their requests typed and their hashes",
    action: () => import("../requests/types.js"),
    positionalArguments: [
      {
        name: "files",
        type: ArgumentType.STRING,
        description: "Task files (JSON), or a pattern in quotes",
        isVariadic: true,
        defaultValue: ["tasks/*.json"],
      },
    ],
    options: {
      out: { name: "out", type: ArgumentType.STRING, description: "File to write", defaultValue: "hdp-tasks.ts" },
      check: {
        name: "check",
        type: ArgumentType.FLAG,
        description: "Write nothing, and fail where the file is not what would be written",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "explain",
    aliases: [],
    group: "results",
    description: "Show the values a task samples, with a chart",
    action: () => import("../results/explain.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "A task file (JSON), relative to the project; standard input when left out",
        isVariadic: false,
        defaultValue: "-",
      },
    ],
    options: {
      task: {
        name: "task",
        type: ArgumentType.INT,
        description: "Which task of the file, counted from 1",
        defaultValue: 1,
      },
      out: {
        name: "out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Also write them to a file: .svg, .csv or .json",
        defaultValue: undefined,
        shortName: "o",
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "record",
    aliases: [],
    group: "results",
    description: "Record the chain data that tasks read, with its proofs, for offline tests",
    action: () => import("../results/record.js"),
    positionalArguments: [
      {
        name: "files",
        type: ArgumentType.STRING,
        description: "Task files (JSON), relative to the project",
        isVariadic: true,
      },
    ],
    options: {
      out: {
        name: "out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "The fixture to write, for instance fixtures/fee.json",
        defaultValue: undefined,
        shortName: "o",
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "result",
    aliases: [],
    group: "results",
    description: "Print the finalized result of a task hash",
    action: () => import("../results/result.js"),
    positionalArguments: [
      { name: "taskHash", type: ArgumentType.STRING, description: "The task hash", isVariadic: false },
    ],
    options: {
      store: {
        name: "store",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Address of the execution store, instead of the configured one",
        defaultValue: undefined,
      },
      destination: {
        name: "destination",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Chain identifier the result was delivered to, for instance SN_SEPOLIA",
        defaultValue: undefined,
      },
      unit: {
        name: "unit",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "wei, gwei, ether, gas or date, instead of the sampled field's own unit",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "verify",
    aliases: [],
    group: "results",
    description: "Compute a task from chain data and compare with the stored result",
    action: () => import("../results/verify.js"),
    positionalArguments: [
      {
        name: "task",
        type: ArgumentType.STRING,
        description: "A task file, or the hash of a task that is in the journal; standard input when left out",
        isVariadic: false,
        defaultValue: "-",
      },
    ],
    options: {
      store: {
        name: "store",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Address of the execution store, instead of the configured one",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "watch",
    aliases: [],
    group: "results",
    description: "Follow task hashes, or the tasks of files, until their results are finalized",
    action: () => import("../results/watch.js"),
    positionalArguments: [
      { name: "tasks", type: ArgumentType.STRING, description: "Task hashes and task files (JSON)", isVariadic: true },
    ],
    options: {
      interval: {
        name: "interval",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds between two looks at the store; 4 when left out",
        defaultValue: undefined,
      },
      timeout: {
        name: "timeout",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds until the wait gives up, instead of hdp.timeouts.await",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "snforge init",
    aliases: ["snforge:init"],
    group: "starknet",
    description: "Add what a Starknet Foundry test needs, and a first test, to a folder",
    action: () => import("../starknet/snforge-init.js"),
    positionalArguments: [
      {
        name: "dir",
        type: ArgumentType.STRING,
        description: "The Scarb package's folder",
        isVariadic: false,
        defaultValue: ".",
      },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "snforge test",
    aliases: [],
    group: "starknet",
    description: "Compute the fixtures of hdp.cairo anew and run the Cairo package's tests with snforge",
    action: () => import("../starknet/snforge-test.js"),
    positionalArguments: [],
    options: {
      filter: {
        name: "filter",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Run only the Cairo tests whose name contains this",
        defaultValue: undefined,
      },
      watch: {
        name: "watch",
        type: ArgumentType.FLAG,
        description: "Do it again whenever a task file changes, until stopped",
        defaultValue: false,
      },
    },
  },
  {
    name: "starknet declare-mock",
    aliases: ["starknet:declare-mock"],
    group: "starknet",
    description: "Declare the class of the execution store mock",
    action: () => import("../starknet/starknet-declare-mock.js"),
    positionalArguments: [],
    options: {
      rpcUrl: {
        name: "rpcUrl",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Node, instead of the configured one",
        defaultValue: undefined,
      },
      account: {
        name: "account",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Address of the account that pays; its key is read from HDP_STARKNET_PRIVATE_KEY",
        defaultValue: undefined,
      },
      destination: {
        name: "destination",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Chain identifier whose section of hdp.starknet is used; needed where several have an account",
        defaultValue: undefined,
      },
      yes: {
        name: "yes",
        type: ArgumentType.FLAG,
        description: "Do it without asking also where it costs fees: on a chain that is no devnet",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "starknet deploy-mock",
    aliases: ["starknet:deploy-mock"],
    group: "starknet",
    description: "Deploy an execution store mock, declaring its class where needed",
    action: () => import("../starknet/starknet-deploy-mock.js"),
    positionalArguments: [],
    options: {
      rpcUrl: {
        name: "rpcUrl",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Node, instead of the configured one",
        defaultValue: undefined,
      },
      account: {
        name: "account",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Address of the account that pays; its key is read from HDP_STARKNET_PRIVATE_KEY",
        defaultValue: undefined,
      },
      destination: {
        name: "destination",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Chain identifier whose section of hdp.starknet is used; needed where several have an account",
        defaultValue: undefined,
      },
      yes: {
        name: "yes",
        type: ArgumentType.FLAG,
        description: "Do it without asking also where it costs fees: on a chain that is no devnet",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "grow-order cancel",
    aliases: ["grow-order:cancel"],
    group: "storage-proofs",
    description: "Cancel a grow order",
    action: () => import("../storage-proofs/grow-order-cancel.js"),
    positionalArguments: [
      { name: "id", type: ArgumentType.STRING, description: "A grow order's id", isVariadic: false },
    ],
    options: {
      yes: { name: "yes", type: ArgumentType.FLAG, description: "Do it without asking", defaultValue: false },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "grow-order create",
    aliases: ["grow-order:create"],
    group: "storage-proofs",
    description: "Create a grow order (charged)",
    action: () => import("../storage-proofs/grow-order-create.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "The request's body (JSON), relative to the project",
        isVariadic: false,
      },
    ],
    options: {
      yes: { name: "yes", type: ArgumentType.FLAG, description: "Do it without asking", defaultValue: false },
      force: {
        name: "force",
        type: ArgumentType.FLAG,
        description: "Send it although it was sent before, or may have been",
        defaultValue: false,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "grow-order list",
    aliases: ["grow-orders"],
    group: "storage-proofs",
    description: "List the grow orders",
    action: () => import("../storage-proofs/grow-order-list.js"),
    positionalArguments: [],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "grow-order show",
    aliases: ["grow-order"],
    group: "storage-proofs",
    description: "Print a grow order",
    action: () => import("../storage-proofs/grow-order-show.js"),
    positionalArguments: [
      { name: "id", type: ArgumentType.STRING, description: "A grow order's id", isVariadic: false },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "proof actions",
    aliases: ["actions"],
    group: "storage-proofs",
    description: "List what was done for a query of a storage proof request",
    action: () => import("../storage-proofs/proof-actions.js"),
    positionalArguments: [
      {
        name: "queryId",
        type: ArgumentType.STRING,
        description: "A query's internal id, from hdp:queries",
        isVariadic: false,
      },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "proof queries",
    aliases: ["queries"],
    group: "storage-proofs",
    description: "List the queries of a storage proof request",
    action: () => import("../storage-proofs/proof-queries.js"),
    positionalArguments: [
      { name: "requestId", type: ArgumentType.STRING, description: "A storage proof request's id", isVariadic: false },
    ],
    options: {
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
  {
    name: "proof submit",
    aliases: ["prove"],
    group: "storage-proofs",
    description: "Submit a storage proof request and await its queries (charged)",
    action: () => import("../storage-proofs/proof-submit.js"),
    positionalArguments: [
      {
        name: "file",
        type: ArgumentType.STRING,
        description: "The request's body (JSON), relative to the project",
        isVariadic: false,
      },
    ],
    options: {
      noWait: {
        name: "noWait",
        type: ArgumentType.FLAG,
        description: "Return when the service has accepted, without awaiting",
        defaultValue: false,
      },
      force: {
        name: "force",
        type: ArgumentType.FLAG,
        description: "Send it although it was sent before, or may have been",
        defaultValue: false,
      },
      timeout: {
        name: "timeout",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        description: "Seconds until the wait gives up, instead of hdp.timeouts.await",
        defaultValue: undefined,
      },
      json: {
        name: "json",
        type: ArgumentType.FLAG,
        description: "Print one JSON document on standard output, progress on standard error",
        defaultValue: false,
      },
    },
  },
];
