import { overrideTask, task } from "hardhat/config";
import { ArgumentType } from "hardhat/types/arguments";
import type { ConfigHooks } from "hardhat/types/hooks";
import type { NewTaskDefinition, TaskDefinition } from "hardhat/types/tasks";

import type { CommandGroup } from "./help.js";

const { INT, STRING_WITHOUT_DEFAULT } = ArgumentType;

const json = { name: "json", description: "Print one JSON document on standard output" } as const;

function optional<NameT extends string>(name: NameT, description: string) {
  return { name, description, type: STRING_WITHOUT_DEFAULT, defaultValue: undefined } as const;
}

/** Returns a subtask of `hdp` that prints lines or, with `--json`, one document. */
function command(name: string, description: string) {
  return task(["hdp", ...name.split(" ")], description).addFlag(json);
}

const file = {
  name: "file",
  description: "A task file; standard input when left out",
  defaultValue: "-",
} as const;
const more = {
  name: "more",
  description: "More task files or patterns",
  defaultValue: [] as string[],
} as const;
const files = { name: "files", description: "Task files (JSON), relative to the project" } as const;
const compiledClass = {
  name: "file",
  description: "A compiled class: *.compiled_contract_class.json",
} as const;
const submissionId = { name: "id", description: "A submission's id, or a task hash" } as const;
const packageFolder = {
  name: "dir",
  description: "The package's folder",
  defaultValue: ".",
} as const;
const store = optional("store", "Address of the execution store, instead of the configured one");
const destination = optional(
  "destination",
  "Chain identifier the result was delivered to, for instance STARKNET_SEPOLIA",
);
const unit = optional(
  "unit",
  "wei, gwei, ether, gas or date, instead of the sampled field's own unit",
);
const open = { name: "open", description: "Also open the run as a page in the browser" } as const;
const watch = {
  name: "watch",
  description: "Run it again after each change of its files, until stopped",
} as const;
const recording = optional(
  "recording",
  "File that hdp record wrote; the chains are read from it alone",
);
const stepsLimit = optional(
  "stepsLimit",
  "Steps after which a run is stopped; 100,000,000 when left out",
);
const memoryLimit = optional(
  "memoryLimit",
  "MiB of memory that a run may take; 1,024 when left out",
);
const timeout = optional(
  "timeout",
  "Seconds until the wait gives up, instead of hdp.timeouts.await",
);
const since = optional("since", "First block to search for requests; 10,000 ago when left out");
const yes = { name: "yes", description: "Do it without asking" } as const;
const force = {
  name: "force",
  description: "Send it although it was sent before, or may have been",
} as const;
const noWait = {
  name: "noWait",
  description: "Return when the service has accepted, without awaiting",
} as const;
const check = {
  name: "check",
  description: "Write nothing, and fail where the file is out of date",
} as const;

const GROUPS: Readonly<Record<string, readonly { build(): NewTaskDefinition }[]>> = {
  Start: [
    command(
      "init",
      "Write a first task, a contract that acts on its result, and tests of both; overwrite nothing",
    )
      .addOption(
        optional(
          "example",
          "Write this example instead, into a folder of its name: gas-insurance, twap, …",
        ),
      )
      .setAction(async () => ({ default: (await import("./development/init.js")).init })),
    task(
      ["hdp", "node"],
      "Run a chain node and the data processor over HTTP; with --network, beside a node that runs",
    )
      .addOption(
        optional(
          "hostname",
          "Address on which the chain node listens (127.0.0.1; in a container 0.0.0.0)",
        ),
      )
      .addOption({
        name: "port",
        description: "Port of the chain node",
        type: INT,
        defaultValue: 8545,
      })
      .addOption({
        name: "hdpPort",
        description: "Port of the data processor",
        type: INT,
        defaultValue: 8546,
      })
      .addOption(
        optional(
          "host",
          "Address on which the data processor listens (127.0.0.1; in a container 0.0.0.0)",
        ),
      )
      .addOption(
        optional(
          "apiKey",
          "Only API key to accept, visible to ps; or HDP_NODE_API_KEY, or the next option",
        ),
      )
      .addOption(
        optional(
          "apiKeyFile",
          "File that holds the only API key to accept; any is when none is given",
        ),
      )
      .addOption(optional("dataDir", "Folder in which tasks and programs survive this process"))
      .addOption(
        optional(
          "latency",
          "Seconds from one state of a batch to the next; results come after the last",
        ),
      )
      .addOption(
        optional(
          "fault",
          "Faults, each once, in order, with commas: http-burst:503:3,stuck-at:CachedMmrRoot",
        ),
      )
      .addOption(
        optional(
          "published",
          "Sides where sources contradict each other: inputs=params,accepted=bare; default: both",
        ),
      )
      .addOption(
        optional("cors", "Origins whose web pages may use it, with commas: http://localhost:3000"),
      )
      .addOption(
        optional("publicUrl", "Address at which a proxy or a forwarded port serves its pages"),
      )
      .setAction(async () => ({ default: (await import("./development/node.js")).node })),
  ],
  Tasks: [
    command("fields", "List the fields a sampled property can name, and the functions they allow")
      .addPositionalArgument(
        optional("kind", "header, account, storage, tx or tx_receipt; all when left out"),
      )
      .setAction(async () => ({ default: (await import("./requests/task-files.js")).fields })),
    command(
      "check",
      "Validate task files and show what they would compute; with --network, what sending would take",
    )
      .addPositionalArgument(file)
      .addVariadicArgument(more)
      .addFlag({
        name: "awaitProvable",
        description: "Wait until the destination can prove the blocks, as the indexer says",
      })
      .addOption(timeout)
      .setAction(async () => ({ default: (await import("./requests/task-files.js")).check })),
    command("hash", "Print the task hashes of task files, without any network")
      .addPositionalArgument(file)
      .addVariadicArgument(more)
      .addOption({
        name: "encoding",
        description:
          "Datalake encoding: with-chain-id, or without-chain-id for stores before July 2024",
        defaultValue: "with-chain-id",
      })
      .setAction(async () => ({ default: (await import("./requests/task-files.js")).hash })),
    command("submit", "Submit task files, await them and print their results")
      .addPositionalArgument(file)
      .addVariadicArgument(more)
      .addFlag(noWait)
      .addFlag({
        name: "force",
        description: "Send although the same tasks are open or finalized already",
      })
      .addFlag({
        name: "unsupportedFields",
        description: "Send fields too that no published evaluator has values for",
      })
      .addOption(timeout)
      .addOption(unit)
      .addFlag({ name: "dryRun", description: "Say what would be sent, and send nothing" })
      .addFlag({
        name: "noRehearsal",
        description: "Send to a service without running the tasks here first",
      })
      .addOption(
        optional(
          "request",
          "Transaction in which a contract asked for the tasks, instead of a file",
        ),
      )
      .addOption(
        optional("watch", "Contract or account: submit what its transactions ask for, as they do"),
      )
      .addOption(since)
      .addFlag(yes)
      .setAction(async () => ({ default: (await import("./submit.js")).submit })),
    command("status", "Print the state of a submission or of a task hash")
      .addPositionalArgument(submissionId)
      .setAction(async () => ({ default: (await import("./follow.js")).status })),
    command("await", "Await submissions made before and print their results")
      .addVariadicArgument({ name: "ids", description: "Ids of submissions, or task hashes" })
      .addOption(timeout)
      .setAction(async () => ({ default: (await import("./follow.js")).awaitSubmissions })),
    command("list", "List what was sent from this project, with states and ages")
      .addFlag({
        name: "unfinished",
        description: "Only what is not over, or whose results were not read",
      })
      .addOption(
        optional(
          "requests",
          "Address of a store: what contracts asked it for and nobody fulfilled",
        ),
      )
      .addOption(optional("state", "Only those in a state, as it is listed: failed, unknown, …"))
      .addOption(
        optional(
          "since",
          "Only those from an age or date on: 30m, 2d, 2026-11-01; a block with --requests",
        ),
      )
      .addOption(optional("task", "Only those with a task: its hash, or a task file"))
      .addOption(optional("label", "Only those whose file's name contains this"))
      .addOption(optional("limit", "How many of the newest are shown; 50 when left out"))
      .setAction(async () => ({ default: (await import("./list.js")).list })),
    command("resume", "Finish submissions that were interrupted")
      .addPositionalArgument(
        optional("id", "A submission's id, or a task hash; all unfinished ones when left out"),
      )
      .addOption(optional("accepted", "The service's id of a submission whose answer was lost"))
      .addFlag({
        name: "force",
        description: "Record the accepted id although the service names another task hash",
      })
      .addFlag({
        name: "lost",
        description: "Give the submission up, so that its tasks may be sent again",
      })
      .addOption(timeout)
      .setAction(async () => ({ default: (await import("./follow.js")).resume })),
  ],
  Results: [
    command("result", "Print the finalized result of a task hash, or those of a submission")
      .addPositionalArgument({
        name: "taskHash",
        description: "The task hash, or a submission's id",
      })
      .addOption(store)
      .addOption(destination)
      .addOption(unit)
      .setAction(async () => ({ default: (await import("./results/result.js")).result })),
    command("deliver", "Call a contract with the value of a result, in one transaction, once")
      .addPositionalArgument({
        name: "task",
        description: "A task file with one task, or a task hash",
      })
      .addPositionalArgument({
        name: "contract",
        description: "The contract's name and address: FeeGate@0x5FbD…0aa3",
      })
      .addPositionalArgument({
        name: "function",
        description: "Its function, by name or signature: update or update(uint256)",
      })
      .addVariadicArgument({
        name: "arguments",
        description:
          "Its arguments, where value stands for the result's; the value alone when left out",
        defaultValue: [],
      })
      .addOption(optional("from", "The account that sends; the network's first when left out"))
      .addOption(timeout)
      .addFlag(force)
      .addFlag(yes)
      .setAction(async () => ({ default: (await import("./results/deliver.js")).deliver })),
    command(
      "why",
      "Say why a task has no result in a store, or why a transaction that read one failed",
    )
      .addPositionalArgument({ name: "hash", description: "A task hash, or a transaction's" })
      .addOption(store)
      .addOption(destination)
      .setAction(async () => ({ default: (await import("./results/why.js")).why })),
    command("watch", "Follow task hashes, or the tasks of files, until their results are finalized")
      .addVariadicArgument({ name: "tasks", description: "Task hashes and task files (JSON)" })
      .addOption({
        name: "interval",
        description: "Seconds between two reads of the store",
        defaultValue: "4",
      })
      .addOption(timeout)
      .setAction(async () => ({ default: (await import("./results/result.js")).watch })),
    command("explain", "Show the values a task samples, with a chart")
      .addPositionalArgument(file)
      .addOption({
        name: "task",
        description: "Which task of the file, counted from 1",
        type: INT,
        defaultValue: 1,
      })
      .addOption({
        ...optional("out", "Also write them to a file: .svg, .csv or .json"),
        shortName: "o",
      })
      .addFlag(open)
      .addFlag(watch)
      .setAction(async () => ({ default: (await import("./results/explain.js")).explain })),
    command("verify", "Compute a task from chain data and compare with the stored result")
      .addPositionalArgument({
        name: "task",
        description: "Task file, task hash or submission's id",
        defaultValue: "-",
      })
      .addOption(store)
      .setAction(async () => ({ default: (await import("./results/result.js")).verify })),
    command("record", "Record the chain data that tasks read, with its proofs, for offline tests")
      .addVariadicArgument(files)
      .addOption({
        ...optional("out", "The fixture to write, for instance fixtures/fee.json"),
        shortName: "o",
      })
      .setAction(async () => ({ default: (await import("./requests/generate.js")).record })),
    command("store", "Show the execution store in use, deploy a mock, or choose the one to use")
      .addPositionalArgument({
        name: "action",
        description: "show, deploy or use",
        defaultValue: "show",
      })
      .addPositionalArgument(optional("address", "Address of the store to use"))
      .addOption(
        optional(
          "kind",
          "satellite or execution-store, instead of the kind of the chain's published store",
        ),
      )
      .addFlag({
        name: "yes",
        description: "Deploy also on a chain that is not a development chain, without asking",
      })
      .setAction(async () => ({ default: (await import("./development/mocks.js")).store })),
  ],
  "Generated code": [
    command(
      "types",
      "Write a TypeScript module of task files, with their requests typed and their hashes",
    )
      .addVariadicArgument({ ...files, defaultValue: ["tasks/*.json"] })
      .addOption({ name: "out", description: "File to write", defaultValue: "hdp-tasks.ts" })
      .addFlag(check)
      .setAction(async () => ({ default: (await import("./requests/generate.js")).types })),
    command(
      "storage",
      "Write a Solidity library of contracts' storage slots, from the compiler's layout",
    )
      .addVariadicArgument({ name: "contracts", description: "Contracts, by name or source:name" })
      .addOption({
        name: "out",
        description: "File to write",
        defaultValue: "contracts/HdpStorage.sol",
      })
      .addFlag(check)
      .setAction(async () => ({ default: (await import("./requests/generate.js")).storage })),
    task(
      ["hdp", "fixtures"],
      "Run task files locally and write their hashes and results as constants for tests",
    )
      .addVariadicArgument(files)
      .addOption(
        optional(
          "format",
          "solidity, typescript, cairo, json or txt; the extension of --out says it too",
        ),
      )
      .addOption(optional("out", "File to write; standard output when left out"))
      .addOption(recording)
      .setAction(async () => ({ default: (await import("./requests/generate.js")).fixtures })),
  ],
  "Modules and programs": [
    command("module new", "Write a new module: a Scarb package with a task file")
      .addPositionalArgument({
        name: "name",
        description: "Name of the package, and of its folder",
      })
      .addOption({
        name: "template",
        description: "balance, events, injected-state, bridge or eth-call",
        defaultValue: "balance",
      })
      .setAction(async () => ({ default: (await import("./modules/programs.js")).newModule })),
    command("module build", "Build a module's package with Scarb")
      .addPositionalArgument(packageFolder)
      .addFlag({ name: "release", description: "Build into target/release instead of target/dev" })
      .addFlag({
        name: "yes",
        description: "Add what Scarb.toml lacks for modules, without asking",
      })
      .setAction(async () => ({ default: (await import("./modules/programs.js")).build })),
    command("module run", "Run the modules of a task file here, without submitting")
      .addPositionalArgument(file)
      .addOption(
        optional(
          "generation",
          "Calling convention, instead of the task's and hdp.local.generation",
        ),
      )
      .addOption(optional("state", "JSON file of injected state: labels with their roots"))
      .addOption(optional("stateLeaves", "JSON file of the leaves behind those roots"))
      .addOption(
        optional(
          "profile",
          "File for a flame graph of the steps by function and by read (speedscope's JSON)",
        ),
      )
      .addFlag(open)
      .addOption(recording)
      .addOption(stepsLimit)
      .addOption(memoryLimit)
      .addFlag(watch)
      .setAction(async () => ({ default: (await import("./modules/run.js")).run })),
    command("module test", "Run a module's assertions (tests/*.test.json) over recorded chain data")
      .addPositionalArgument(packageFolder)
      .addOption(stepsLimit)
      .addOption(memoryLimit)
      .addFlag(watch)
      .setAction(async () => ({ default: (await import("./modules/test.js")).test })),
    command(
      "eth-call",
      "Call a view function of a contract over proven state, and finalize what it returns",
    )
      .addPositionalArgument({ name: "contract", description: "Address of the contract" })
      .addPositionalArgument({
        name: "function",
        description: "Like balanceOf(address)(uint256); or data as hex",
      })
      .addVariadicArgument({ name: "arguments", description: "Its arguments", defaultValue: [] })
      .addOption(optional("from", "The caller; the first account of the node when left out"))
      .addOption(optional("block", "Number of the block; the latest when left out"))
      .addOption(
        optional(
          "chain",
          "Chain identifier of the contract's chain; the connected one when left out",
        ),
      )
      .addFlag({
        name: "evenIfDifferent",
        description: "Finalize the answer also where the node's own is another",
      })
      .addOption(stepsLimit)
      .addOption(memoryLimit)
      .addOption(timeout)
      .addFlag(yes)
      .setAction(async () => ({ default: (await import("./modules/eth-call.js")).ethCall })),
    command("program hash", "Print the program hash of a compiled class, without any network")
      .addPositionalArgument(compiledClass)
      .setAction(async () => ({ default: (await import("./modules/programs.js")).hash })),
    command("program show", "Print what the program registry knows of a program hash")
      .addPositionalArgument({ name: "programHash", description: "The program hash" })
      .setAction(async () => ({ default: (await import("./modules/programs.js")).show })),
    command("program upload", "Store a compiled class in the registry of the API version")
      .addPositionalArgument(compiledClass)
      .addOption(optional("name", "Name of the module; that of its package when left out"))
      .addOption(optional("moduleVersion", "Its version; that of its package when left out"))
      .addOption(optional("changelog", "What is new in the version"))
      .addFlag({
        name: "classOnly",
        description: "Send no sources, ABI and Scarb.toml to a module registry",
      })
      .addFlag(force)
      .setAction(async () => ({ default: (await import("./modules/programs.js")).upload })),
  ],
  Starknet: [
    command(
      "starknet init",
      "Add what a Starknet Foundry test needs, and a first test, to a folder",
    )
      .addPositionalArgument(packageFolder)
      .setAction(async () => ({ default: (await import("./starknet.js")).init })),
    command(
      "starknet deploy-mock",
      "Deploy an execution store mock, declaring its class where needed",
    )
      .addFlag({ name: "declareOnly", description: "Declare the class, and deploy nothing" })
      .addOption(optional("rpcUrl", "Node, instead of the configured one"))
      .addOption(
        optional(
          "account",
          "Address of the account that pays; its key is read from HDP_STARKNET_PRIVATE_KEY",
        ),
      )
      .addOption(
        optional(
          "destination",
          "Chain whose section of hdp.starknet is used, where several have an account",
        ),
      )
      .addFlag(yes)
      .setAction(async () => ({ default: (await import("./development/mocks.js")).deployMock })),
  ],
  Services: [
    command("login", "Log in to the service by wallet, and keep the project's key in the keystore")
      .addOption(optional("from", "Account that signs, instead of the network's first"))
      .addFlag({ name: "force", description: "Replace a key of the same name" })
      .addFlag(yes)
      .setAction(async () => ({ default: (await import("./login.js")).login })),
    command(
      "service-tasks",
      "List, show or retry the tasks of a service with API version module-tasks, or have a run delivered",
    )
      .addPositionalArgument({
        name: "action",
        description: "list, show, retry or decommit",
        defaultValue: "list",
      })
      .addPositionalArgument(
        optional("id", "A task's id at the service; for decommit a run's query id at the prover"),
      )
      .addOption({
        name: "page",
        description: "Page of the list, from 1",
        type: INT,
        defaultValue: 1,
      })
      .addOption({
        name: "perPage",
        description: "Tasks a page, 1 to 100",
        type: INT,
        defaultValue: 10,
      })
      .addOption(optional("search", "Part of an id, a program hash or a program name"))
      .addOption(optional("destination", "Chain identifier that decommit delivers to"))
      .addOption(
        optional("output", "JSON file of the run's output; the service fetches it when left out"),
      )
      .addOption(optional("programHash", "Hash of the prover's program, for decommit"))
      .addFlag(force)
      .addFlag(yes)
      .setAction(async () => ({
        default: (await import("./services/service-tasks.js")).serviceTasks,
      })),
    command(
      "service-modules",
      "List, show, change, publish or withdraw modules of the service's registry",
    )
      .addPositionalArgument({
        name: "action",
        description: "list, show, update, publish or unpublish",
        defaultValue: "list",
      })
      .addPositionalArgument(optional("id", "A module's id, for all but list"))
      .addFlag({ name: "marketplace", description: "List only published modules" })
      .addOption(optional("description", "update: what the module does"))
      .addOption(optional("tags", "update: words, with commas"))
      .addOption(optional("license", "update: its license"))
      .setAction(async () => ({ default: (await import("./modules/registry.js")).serviceModules })),
    command("proof submit", "Submit a storage proof request and await its queries (charged)")
      .addPositionalArgument({
        name: "file",
        description: "The request's body (JSON), relative to the project",
      })
      .addFlag(noWait)
      .addFlag(force)
      .addOption(timeout)
      .addFlag(yes)
      .setAction(async () => ({ default: (await import("./services/proof.js")).submit })),
    command("proof queries", "List the queries of a storage proof request")
      .addPositionalArgument({ name: "requestId", description: "A storage proof request's id" })
      .setAction(async () => ({ default: (await import("./services/proof.js")).queries })),
    command("proof actions", "List what was done for a query of a storage proof request")
      .addPositionalArgument({
        name: "queryId",
        description: "A query's internal id, from hdp proof queries",
      })
      .setAction(async () => ({ default: (await import("./services/proof.js")).actions })),
    command("grow-orders", "List, show, create (charged) or cancel grow orders")
      .addPositionalArgument({
        name: "action",
        description: "list, show, create or cancel",
        defaultValue: "list",
      })
      .addPositionalArgument(
        optional("target", "An order's id; for create the request's body (JSON file)"),
      )
      .addFlag(yes)
      .addFlag(force)
      .setAction(async () => ({ default: (await import("./services/grow-orders.js")).growOrders })),
  ],
  Help: [
    command(
      "doctor",
      "Check versions, configuration, node, store, services and database, with the next steps",
    ).setAction(async () => ({ default: (await import("./doctor.js")).doctor })),
    command("error", "Explain an error by its number, for instance 4101")
      .addPositionalArgument({ name: "number", description: "The number, with or without HDP-" })
      .setAction(async () => ({ default: (await import("./help.js")).error })),
  ],
};

/** Definitions of all commands, by the group that `hdp` lists them in. */
export const groups: readonly CommandGroup[] = Object.entries(GROUPS).map(([title, builders]) => {
  return { title, commands: builders.map((builder) => builder.build()) };
});

/** Commands that are also root tasks: `npx hardhat hdp:submit`. */
const ROOT_TASKS: readonly string[] = [
  "hdp:init",
  "hdp:submit",
  "hdp:await",
  "hdp:result",
  "hdp:check",
  "hdp:node",
  "hdp:program:upload",
  "hdp:proof:submit",
];

/** All tasks for Hardhat to register; parents come before their subtasks. */
export const tasks: TaskDefinition[] = [
  parent(
    "hdp",
    "List the commands of the data processor in groups",
    `One of:\n\n${groupLines().join("\n")}`,
  ),
  parent("hdp module", "Write, build, run and test modules"),
  parent("hdp program", "Hash, upload and look up programs"),
  parent("hdp proof", "Submit and follow storage proof requests"),
  parent("hdp starknet", "Set up Starknet Foundry tests and mocks"),
  ...groups
    .flatMap(({ commands }) => commands)
    .flatMap((subtask) => {
      const id = subtask.id.join(":");
      return ROOT_TASKS.includes(id) ? [subtask, { ...subtask, id: [id] }] : [subtask];
    }),
];

const cairoTests = task(["test", "cairo"], "Run the Cairo package of hdp.cairo with snforge")
  .addVariadicArgument({
    name: "testFiles",
    description: "Only Cairo tests whose name contains this",
    defaultValue: [],
  })
  .addFlag({ name: "noCompile", description: "Has no effect: snforge compiles what it tests" })
  .addFlag({
    name: "watch",
    description: "Run them again whenever a task file changes, until stopped",
  })
  .setAction(async () => ({ default: (await import("./starknet.js")).testCairo }))
  .build();

/** Overrides Hardhat's Solidity tests, to say of those that fail what is wrong with their values. */
export const solidityTests: TaskDefinition = overrideTask(["test", "solidity"])
  .setAction(() => import("./development/solidity-tests.js"))
  .build();

/** Adds `test cairo` to the tasks of a project that configures a Cairo package, so that `npx hardhat test` runs it. */
export const withCairoTests: ConfigHooks["extendUserConfig"] = async (userConfig, next) => {
  const extended = await next(userConfig);
  if (extended.hdp?.cairo === undefined) return extended;
  return { ...extended, tasks: [...(extended.tasks ?? []), cairoTests] };
};

/** Returns a task that lists its subtasks. If no subtask has the given name, Hardhat passes it as an argument. */
function parent(
  name: string,
  description: string,
  commands = "One of the subtasks",
): TaskDefinition {
  return task(name.split(" "), description)
    .addVariadicArgument({ name: "command", description: commands, type: STRING_WITHOUT_DEFAULT })
    .addFlag(json)
    .setAction(async () => ({ default: (await import("./help.js")).commandOverview(name, groups) }))
    .build();
}

/** Returns the lines of `npx hardhat hdp --help`: one per group, with the names of its commands. */
function groupLines(): string[] {
  const width = Math.max(...groups.map(({ title }) => title.length));
  const names = ({ commands }: CommandGroup): string =>
    commands.map(({ id }) => id.slice(1).join(" ")).join(", ");
  return groups.map((group) => `    ${group.title.padEnd(width)}  ${names(group)}`);
}
