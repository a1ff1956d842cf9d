import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json } from "./command.js";

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
