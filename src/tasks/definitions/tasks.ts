import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json, timeout } from "./command.js";

const file = {
  name: "file",
  description: "A task file (JSON), relative to the project; standard input when left out",
  defaultValue: "-",
} as const;
const id = { name: "id", description: "A submission's id, or a task hash" } as const;

/** Task files and submissions. */
export const requestTasks: TaskDefinition[] = [
  ...command("submit", "Submit a task file, await it and print its results", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag({ name: "noWait", description: "Return when the service has accepted, without awaiting" })
      .addFlag({ name: "force", description: "Send although the same tasks are open or finalized already" })
      .addOption(timeout)
      .addFlag(json)
      .setAction(() => import("../submit.js")),
  ),
  ...command("status", "Print the state of a submission or of a task hash", (builder) =>
    builder
      .addPositionalArgument(id)
      .addFlag(json)
      .setAction(() => import("../status.js")),
  ),
  ...command("await", "Await a submission made before and print its results", (builder) =>
    builder
      .addPositionalArgument(id)
      .addOption(timeout)
      .addFlag(json)
      .setAction(() => import("../await.js")),
  ),
  ...command("hash", "Print the task hashes of a task file, without any network", (builder) =>
    builder
      .addPositionalArgument(file)
      .addOption({
        name: "encoding",
        description: "Datalake encoding: with-chain-id, or without-chain-id for stores before July 2024",
        defaultValue: "with-chain-id",
      })
      .addFlag(json)
      .setAction(() => import("../hash.js")),
  ),
  ...command("check", "Validate a task file and show what it would compute, without any network", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag(json)
      .setAction(() => import("../check.js")),
  ),
  ...command("fields", "List the fields a sampled property can name, and the functions they allow", (builder) =>
    builder
      .addPositionalArgument({
        name: "kind",
        description: "header, account, storage, tx or tx_receipt; all when left out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag(json)
      .setAction(() => import("../fields.js")),
  ),
  ...command("error", "Explain an error by its number, for instance 4101", (builder) =>
    builder
      .addPositionalArgument({ name: "number", description: "The number, with or without HDP-" })
      .addFlag(json)
      .setAction(() => import("../error.js")),
  ),
];

/** Execution stores. */
export const storeTasks: TaskDefinition[] = [
  ...command("result", "Print the finalized result of a task hash", (builder) =>
    builder
      .addPositionalArgument({ name: "taskHash", description: "The task hash" })
      .addOption({
        name: "store",
        description: "Address of the execution store, instead of the configured one",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addOption({
        name: "destination",
        description: "Chain identifier the result was delivered to, for instance SN_SEPOLIA",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag(json)
      .setAction(() => import("../result.js")),
  ),
  ...command("deploy-store", "Deploy a mock execution store on a development chain", (builder) =>
    builder.addFlag(json).setAction(() => import("../deploy-store.js")),
  ),
];

const out = {
  name: "out",
  shortName: "o",
  type: ArgumentType.STRING_WITHOUT_DEFAULT,
  defaultValue: undefined,
} as const;

/** Commands that look into tasks and results. */
export const inspectTasks: TaskDefinition[] = [
  ...command("verify", "Compute a task from chain data and compare with the stored result", (builder) =>
    builder
      .addPositionalArgument({
        name: "task",
        description: "A task file, or the hash of a task that is in the journal; standard input when left out",
        defaultValue: "-",
      })
      .addOption({
        name: "store",
        description: "Address of the execution store, instead of the configured one",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag(json)
      .setAction(() => import("../verify.js")),
  ),
  ...command("explain", "Show the values a task samples, with a chart", (builder) =>
    builder
      .addPositionalArgument({
        name: "file",
        description: "A task file (JSON), relative to the project; standard input when left out",
        defaultValue: "-",
      })
      .addOption({
        name: "task",
        description: "Which task of the file, counted from 1",
        type: ArgumentType.INT,
        defaultValue: 1,
      })
      .addOption({ ...out, description: "Also write them to a file: .svg, .csv or .json" })
      .addFlag(json)
      .setAction(() => import("../explain.js")),
  ),
  ...command("record", "Record the chain data that tasks read, with its proofs, for offline tests", (builder) =>
    builder
      .addOption({ ...out, description: "The fixture to write, for instance fixtures/fee.json" })
      .addFlag(json)
      .addVariadicArgument({ name: "files", description: "Task files (JSON), relative to the project" })
      .setAction(() => import("../record.js")),
  ),
];

/** What was sent from this project. */
export const journalTasks: TaskDefinition[] = [
  ...command("list", "List the submissions of this project, with their states and ages", (builder) =>
    builder.addFlag(json).setAction(() => import("../list.js")),
  ),
  ...command("resume", "Finish submissions that were interrupted", (builder) =>
    builder
      .addPositionalArgument({
        name: "id",
        description: "A journal id, a service id or a task hash; all that are not finished when left out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addOption({
        name: "accepted",
        description: "The service's id of a submission whose answer was lost",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag({ name: "lost", description: "Give the submission up, so that its tasks may be sent again" })
      .addOption(timeout)
      .addFlag(json)
      .setAction(() => import("../resume.js")),
  ),
];

/** The chain node with the local front. */
export const nodeTasks: TaskDefinition[] = [
  ...command("node", "Run a chain node and, beside it, the local data processor over HTTP", (builder) =>
    builder
      .addOption({
        name: "hostname",
        description: "Address on which the chain node listens (127.0.0.1; in a container 0.0.0.0)",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addOption({ name: "port", description: "Port of the chain node", type: ArgumentType.INT, defaultValue: 8545 })
      .addOption({
        name: "hdpPort",
        description: "Port of the data processor, the program registry and the storage proof interface",
        type: ArgumentType.INT,
        defaultValue: 8546,
      })
      .addOption({
        name: "apiKey",
        description: "The only API key to accept; any is when left out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addOption({
        name: "dataDir",
        description: "Folder in which tasks and programs survive this process",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .setAction(() => import("../node.js")),
  ),
];
