import { emptyTask, task } from "hardhat/config";
import type { TaskDefinition } from "hardhat/types/tasks";

import {
  command,
  type CommandGroup,
  flag,
  integer,
  optionalText,
  optionalWord,
  optionalWords,
  taskOf,
  text,
  word,
  words,
} from "./command.js";

const file = word("A task file (JSON), relative to the project; standard input when left out", "-");
const more = optionalWords("More task files, or a pattern in quotes");
const compiledClass = word("A compiled class: *.compiled_contract_class.json");
const submissionId = word("A submission's id, or a task hash");
const store = optionalText("Address of the execution store, instead of the configured one");
const unit = optionalText("wei, gwei, ether, gas or date, instead of the sampled field's own unit");
const yes = flag("Do it without asking");
const force = flag("Send it although it was sent before, or may have been");
const noWait = flag("Return when the service has accepted, without awaiting");
const timeout = optionalText("Seconds until the wait gives up, instead of hdp.timeouts.await");
const out = { shortName: "o" } as const;
const check = flag("Write nothing, and fail where the file is not what would be written");

export const GROUPS: readonly CommandGroup[] = [
  {
    title: "Tasks",
    commands: {
      submit: command({
        description: "Submit task files, await them and print their results",
        positional: { file, more },
        options: {
          noWait,
          force: flag("Send although the same tasks are open or finalized already"),
          unsupportedFields: flag("Send to a service also fields that no published evaluator has a value for"),
          timeout,
          unit,
          dryRun: flag("Say what would be sent, and send nothing"),
          yes,
        },
        load: async () => (await import("./requests/submit.js")).submit,
      }),
      check: command({
        description: "Validate task files and show what they would compute; with --network, what sending would take",
        positional: { file, more },
        load: async () => (await import("./requests/task-files.js")).check,
      }),
      hash: command({
        description: "Print the task hashes of task files, without any network",
        positional: { file, more },
        options: {
          encoding: text(
            "Datalake encoding: with-chain-id, or without-chain-id for stores before July 2024",
            "with-chain-id",
          ),
        },
        load: async () => (await import("./requests/task-files.js")).hash,
      }),
      fields: command({
        description: "List the fields a sampled property can name, and the functions they allow",
        positional: { kind: optionalWord("header, account, storage, tx or tx_receipt; all when left out") },
        load: async () => (await import("./requests/task-files.js")).fields,
      }),
      status: command({
        description: "Print the state of a submission or of a task hash",
        positional: { id: submissionId },
        load: async () => (await import("./requests/await.js")).status,
      }),
      await: command({
        description: "Await a submission made before and print its results",
        positional: { id: submissionId },
        options: { timeout },
        load: async () => (await import("./requests/await.js")).awaitSubmission,
      }),
      list: command({
        description: "List what was sent from this project, with states and ages",
        load: async () => (await import("./journal/list.js")).list,
      }),
      resume: command({
        description: "Finish submissions that were interrupted",
        positional: {
          id: optionalWord("A journal id, a service id or a task hash; all that are not finished when left out"),
        },
        options: {
          accepted: optionalText("The service's id of a submission whose answer was lost"),
          lost: flag("Give the submission up, so that its tasks may be sent again"),
          timeout,
        },
        load: async () => (await import("./journal/resume.js")).resume,
      }),
      journal: command({
        description: "Check the journal of submissions for damage",
        options: {
          check: flag("Look at every line (what the command does without an option, too)"),
          repair: flag("Go on without the damaged lines: record that the damage is known"),
        },
        load: async () => (await import("./journal/check-and-repair.js")).checkAndRepair,
      }),
    },
  },
  {
    title: "Results",
    commands: {
      result: command({
        description: "Print the finalized result of a task hash",
        positional: { taskHash: word("The task hash") },
        options: {
          store,
          destination: optionalText("Chain identifier the result was delivered to, for instance SN_SEPOLIA"),
          unit,
        },
        load: async () => (await import("./results/result.js")).result,
      }),
      watch: command({
        description: "Follow task hashes, or the tasks of files, until their results are finalized",
        positional: { tasks: words("Task hashes and task files (JSON)") },
        options: { interval: text("Seconds between two reads of the store", "4"), timeout },
        load: async () => (await import("./results/result.js")).watch,
      }),
      verify: command({
        description: "Compute a task from chain data and compare with the stored result",
        positional: {
          task: word("A task file, or the hash of a task that was submitted; standard input when left out", "-"),
        },
        options: { store },
        load: async () => (await import("./results/verify.js")).verify,
      }),
      explain: command({
        description: "Show the values a task samples, with a chart",
        positional: { file },
        options: {
          task: integer("Which task of the file, counted from 1", 1),
          out: optionalText("Also write them to a file: .svg, .csv or .json", out),
        },
        load: async () => (await import("./results/explain.js")).explain,
      }),
      record: command({
        description: "Record the chain data that tasks read, with its proofs, for offline tests",
        positional: { files: words("Task files (JSON), relative to the project") },
        options: { out: optionalText("The fixture to write, for instance fixtures/fee.json", out) },
        load: async () => (await import("./results/record.js")).record,
      }),
    },
  },
  {
    title: "Generated code",
    commands: {
      types: command({
        description: "Write a TypeScript module of task files, with their requests typed and their hashes",
        positional: { files: words("Task files (JSON), or a pattern in quotes", ["tasks/*.json"]) },
        options: { out: text("File to write", "hdp-tasks.ts"), check },
        load: async () => (await import("./requests/generate.js")).types,
      }),
      storage: command({
        description: "Write a Solidity library of contracts' storage slots, from the compiler's layout",
        positional: { contracts: words("Contracts, by name or source:name") },
        options: { out: text("File to write", "contracts/HdpStorage.sol"), check },
        load: async () => (await import("./requests/generate.js")).storage,
      }),
      fixtures: command({
        description: "Run task files locally and write their hashes and results as constants for tests",
        positional: { files: words("Task files (JSON), relative to the project") },
        options: {
          format: optionalText(
            "solidity, typescript, cairo, json or txt; by default the extension of --out, else cairo",
          ),
          out: optionalText("File to write; standard output when left out"),
        },
        json: false,
        load: async () => (await import("./requests/generate.js")).fixtures,
      }),
    },
  },
  {
    title: "Modules and programs",
    commands: {
      "module new": command({
        description: "Write a new module: a Scarb package with a task file",
        positional: { name: word("Name of the package, and of its folder") },
        options: { template: text("What it does: balance, logs, injected-state, bridge or eth-call", "balance") },
        load: async () => (await import("./modules/package.js")).newModule,
      }),
      "module build": command({
        description: "Build a module's package with Scarb",
        positional: { dir: word("The package's folder", ".") },
        options: { release: flag("Build into target/release instead of target/dev") },
        load: async () => (await import("./modules/package.js")).build,
      }),
      "module run": command({
        description: "Run the modules of a task file here, without submitting",
        positional: { file },
        options: {
          generation: optionalText("Calling convention, instead of the task's and hdp.local.generation"),
          state: optionalText("JSON file of injected state: labels with their roots, beside or in place of the task's"),
          stateLeaves: optionalText("JSON file of the leaves behind those roots"),
          profile: optionalText("File for a flame graph of the steps by function and by read (speedscope's JSON)"),
          stepsLimit: optionalText("Steps after which the run is stopped; 100,000,000 when left out"),
        },
        load: async () => (await import("./modules/run.js")).run,
      }),
      "module test": command({
        description: "Run a module's assertions over recorded chain data",
        positional: { dir: word("The package's folder: its tests are in tests/*.test.json", ".") },
        load: async () => (await import("./modules/test.js")).test,
      }),
      "eth-call": command({
        description: "Call a view function of a contract over proven state, and finalize what it returns",
        positional: {
          contract: word("Address of the contract"),
          function: word("The function, like balanceOf(address)(uint256); or the call's data as hex"),
          arguments: optionalWords("Its arguments"),
        },
        options: {
          from: optionalText("The caller; the first account of the node when left out"),
          block: optionalText("Number of the block; the latest when left out"),
          chain: optionalText("Chain identifier of the contract's chain; the connected one when left out"),
          timeout,
          yes,
        },
        load: async () => (await import("./modules/eth-call.js")).ethCall,
      }),
      "program hash": command({
        description: "Print the program hash of a compiled class, without any network",
        positional: { file: compiledClass },
        load: async () => (await import("./modules/programs.js")).hash,
      }),
      "program show": command({
        description: "Print what the program registry knows of a program hash",
        positional: { programHash: word("The program hash") },
        load: async () => (await import("./modules/programs.js")).show,
      }),
      "program upload": command({
        description: "Store a compiled class in the program registry",
        positional: { file: compiledClass },
        options: { force },
        load: async () => (await import("./modules/programs.js")).upload,
      }),
    },
  },
  {
    title: "Services",
    commands: {
      alive: command({
        description: "Check every configured interface",
        load: async () => (await import("./services/alive.js")).alive,
      }),
      "service-tasks": command({
        description: "List, show or retry the tasks that a service of edition module-tasks has",
        positional: {
          action: word("list, show or retry", "list"),
          id: optionalWord("A task's id at the service, for show and retry"),
        },
        options: {
          page: integer("Page of the list, from 1", 1),
          perPage: integer("Tasks a page, 1 to 100", 10),
          search: optionalText("Part of an id, a program hash or a program name"),
        },
        load: async () => (await import("./services/service-tasks.js")).serviceTasks,
      }),
      "proof submit": command({
        description: "Submit a storage proof request and await its queries (charged)",
        positional: { file: word("The request's body (JSON), relative to the project") },
        options: { noWait, force, timeout },
        load: async () => (await import("./services/storage-proofs.js")).submit,
      }),
      "proof queries": command({
        description: "List the queries of a storage proof request",
        positional: { requestId: word("A storage proof request's id") },
        load: async () => (await import("./services/storage-proofs.js")).queries,
      }),
      "proof actions": command({
        description: "List what was done for a query of a storage proof request",
        positional: { queryId: word("A query's internal id, from hdp proof queries") },
        load: async () => (await import("./services/storage-proofs.js")).actions,
      }),
      "grow-orders": command({
        description: "List, show, create (charged) or cancel grow orders",
        positional: {
          action: word("list, show, create or cancel", "list"),
          target: optionalWord("The order's id for show and cancel; the request's body (JSON file) for create"),
        },
        options: { yes, force },
        load: async () => (await import("./services/storage-proofs.js")).growOrders,
      }),
    },
  },
  {
    title: "Starknet",
    commands: {
      "starknet init": command({
        description: "Add what a Starknet Foundry test needs, and a first test, to a folder",
        positional: { dir: word("The Scarb package's folder", ".") },
        load: async () => (await import("./starknet/commands.js")).init,
      }),
      "starknet deploy-mock": command({
        description: "Deploy an execution store mock, declaring its class where needed",
        options: {
          declareOnly: flag("Declare the class, and deploy nothing"),
          rpcUrl: optionalText("Node, instead of the configured one"),
          account: optionalText("Address of the account that pays; its key is read from HDP_STARKNET_PRIVATE_KEY"),
          destination: optionalText(
            "Chain identifier whose section of hdp.starknet is used; needed where several have an account",
          ),
          yes: flag("Do it without asking also where it costs fees: on a chain that is not a devnet"),
        },
        load: async () => (await import("./starknet/commands.js")).deployMock,
      }),
    },
  },
  {
    title: "Development",
    commands: {
      init: command({
        description: "Write a first task, a contract that acts on its result, and tests of both; overwrite nothing",
        load: async () => (await import("./development/init.js")).init,
      }),
      node: command({
        description: "Run a chain node and the data processor over HTTP; with --network, beside a node that runs",
        options: {
          hostname: optionalText("Address on which the chain node listens (127.0.0.1; in a container 0.0.0.0)"),
          port: integer("Port of the chain node", 8545),
          hdpPort: integer("Port of the data processor, the program registry and the storage proof interface", 8546),
          host: optionalText(
            "Address on which the data processor listens (127.0.0.1; for use from outside a container 0.0.0.0)",
          ),
          apiKey: optionalText("The only API key to accept; any is when left out"),
          dataDir: optionalText("Folder in which tasks and programs survive this process"),
          latency: optionalText("Seconds from one state of a batch to the next; results come after the last"),
          fault: optionalText("Faults, each once, in order, with commas: http-burst:503:3,stuck-at:CachedMmrRoot"),
          cors: optionalText("Origins whose web pages may use the data processor, with commas: http://localhost:3000"),
        },
        json: false,
        load: async () => (await import("./development/node.js")).node,
      }),
      "deploy-store": command({
        description: "Deploy a mock execution store on a development chain",
        options: { yes: flag("Deploy also on a chain that is not a development chain, without asking") },
        load: async () => (await import("./development/deploy-store.js")).deployStore,
      }),
      error: command({
        description: "Explain an error by its number, for instance 4101",
        positional: { number: word("The number, with or without HDP-") },
        load: async () => (await import("./development/error.js")).error,
      }),
    },
  },
];

/** Words under which commands are grouped: `npx hardhat hdp module` lists what is below it. */
const PARENTS: Readonly<Record<string, string>> = {
  module: "Write, build, run and test modules",
  program: "Hash, upload and look up programs",
  proof: "Submit and follow storage proof requests",
  starknet: "Set up Starknet Foundry tests and mocks",
};

/** Commands that are also root tasks: `npx hardhat hdp:submit`. */
const ROOT_TASKS: readonly string[] = [
  ...["init", "submit", "await", "result", "check", "node", "program upload", "proof submit"],
];

const overview = command({
  description: "List the commands of the data processor in groups",
  positional: { command: optionalWords(`One of:\n\n${groupLines().join("\n")}`) },
  load: async () => (await import("./overview.js")).overviewOf(GROUPS),
});

/** Everything that Hardhat registers; parents before what is below them. */
export const tasks: readonly TaskDefinition[] = [
  { ...taskOf(overview), id: ["hdp"] },
  ...Object.entries(PARENTS).map(([name, description]) => emptyTask(["hdp", name], description).build()),
  ...GROUPS.flatMap(({ commands }) => Object.entries(commands)).flatMap(([name, definition]) => {
    const task = taskOf(definition);
    const subtask = { ...task, id: ["hdp", ...name.split(" ")] };
    return ROOT_TASKS.includes(name) ? [subtask, { ...task, id: [`hdp:${name.replaceAll(" ", ":")}`] }] : [subtask];
  }),
  task(["test", "cairo"], "Run the Cairo package of hdp.cairo with snforge")
    .addVariadicArgument({
      name: "testFiles",
      description: "Run only the Cairo tests whose name contains this",
      defaultValue: [],
    })
    .addFlag({ name: "noCompile", description: "Has no effect: snforge compiles what it tests" })
    .addFlag({ name: "watch", description: "Run them again whenever a task file changes, until stopped" })
    .setAction(async () => await import("./starknet/test-cairo.js"))
    .build(),
];

/** What `npx hardhat hdp --help` lists: a line a group, with the names of its commands. */
function groupLines(): string[] {
  const width = Math.max(...GROUPS.map(({ title }) => title.length));
  return GROUPS.map(({ title, commands }) => `    ${title.padEnd(width)}  ${Object.keys(commands).join(", ")}`);
}
