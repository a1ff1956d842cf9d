import { emptyTask } from "hardhat/config";
import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json } from "./command.js";

/** Writing, building and trying modules. */
export const moduleTasks: TaskDefinition[] = [
  emptyTask(["hdp", "module"], "Writes, builds and runs modules").build(),
  ...command("module new", "Write a new module: a Scarb package with a task file", (builder) =>
    builder
      .addPositionalArgument({ name: "name", description: "Name of the package, and of its folder" })
      .addFlag(json)
      .setAction(() => import("../module-new.js")),
  ),
  ...command("module build", "Build a module's package with Scarb", (builder) =>
    builder
      .addPositionalArgument({ name: "dir", description: "The package's folder", defaultValue: "." })
      .addFlag({ name: "release", description: "Build into target/release instead of target/dev" })
      .addFlag(json)
      .setAction(() => import("../module-build.js")),
  ),
  ...command("module run", "Run the modules of a task file here, without submitting", (builder) =>
    builder
      .addPositionalArgument({
        name: "file",
        description: "A task file (JSON), relative to the project; standard input when left out",
        defaultValue: "-",
      })
      .addOption({
        name: "generation",
        description: "Calling convention, instead of the task's and hdp.local.generation",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addOption({
        name: "stepsLimit",
        description: "Steps after which the run is stopped; 100,000,000 when left out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag(json)
      .setAction(() => import("../module-run.js")),
  ),
];

const optionalText = { type: ArgumentType.STRING_WITHOUT_DEFAULT, defaultValue: undefined } as const;
const rpcUrl = { name: "rpcUrl", description: "Node, instead of the configured one", ...optionalText } as const;
const account = {
  name: "account",
  description: "Address of the account that pays; its key is read from HDP_STARKNET_PRIVATE_KEY",
  ...optionalText,
} as const;
const destination = {
  name: "destination",
  description: "Chain identifier whose section of hdp.starknet is used; needed where several have an account",
  ...optionalText,
} as const;

/** Starknet, and Starknet Foundry. */
export const starknetTasks: TaskDefinition[] = [
  ...command("snforge:init", "Add what a Starknet Foundry test needs, and a first test, to a folder", (builder) =>
    builder
      .addPositionalArgument({ name: "dir", description: "The Scarb package's folder", defaultValue: "." })
      .addFlag(json)
      .setAction(() => import("../snforge-init.js")),
  ),
  ...command("snforge:fixtures", "Run task files locally and write their hashes and results for Cairo", (builder) =>
    builder
      .addVariadicArgument({ name: "files", description: "Task files (JSON), relative to the project" })
      .addOption({ name: "format", description: "cairo (constants), json or txt", defaultValue: "cairo" })
      .addOption({ name: "out", description: "File to write; standard output when left out", ...optionalText })
      .setAction(() => import("../snforge-fixtures.js")),
  ),
  ...command("starknet:declare-mock", "Declare the class of the execution store mock", (builder) =>
    builder
      .addOption(rpcUrl)
      .addOption(account)
      .addOption(destination)
      .addFlag(json)
      .setAction(() => import("../starknet-declare-mock.js")),
  ),
  ...command("starknet:deploy-mock", "Deploy an execution store mock, declaring its class where needed", (builder) =>
    builder
      .addOption(rpcUrl)
      .addOption(account)
      .addOption(destination)
      .addFlag(json)
      .setAction(() => import("../starknet-deploy-mock.js")),
  ),
];
