import { emptyTask } from "hardhat/config";
import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json, timeout } from "./definitions/command.js";
import { starknetTasks } from "./definitions/starknet.js";

const file = {
  name: "file",
  description: "A task file (JSON), relative to the project; standard input when left out",
  defaultValue: "-",
} as const;
const store = {
  name: "store",
  description: "Address of the execution store, instead of the configured one",
  type: ArgumentType.STRING_WITHOUT_DEFAULT,
  defaultValue: undefined,
} as const;
export const tasks: TaskDefinition[] = [
  emptyTask("hdp", "Submits tasks to a data processor, awaits them and reads their results").build(),
  ...command("submit", "Submit a task file, await it and print its results", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag({ name: "noWait", description: "Return when the service has accepted, without awaiting" })
      .addFlag({ name: "force", description: "Send although the same tasks are open or finalized already" })
      .addOption(timeout)
      .addFlag(json)
      .setAction(() => import("./submit.js")),
  ),
  ...command("status", "Print the state of a submission or of a task hash", (builder) =>
    builder
      .addPositionalArgument({ name: "id", description: "A submission's id, or a task hash" })
      .addFlag(json)
      .setAction(() => import("./status.js")),
  ),
  ...command("await", "Await a submission made before and print its results", (builder) =>
    builder
      .addPositionalArgument({ name: "id", description: "A submission's id, or a task hash" })
      .addOption(timeout)
      .addFlag(json)
      .setAction(() => import("./await.js")),
  ),
  ...command("result", "Print the finalized result of a task hash", (builder) =>
    builder
      .addPositionalArgument({ name: "taskHash", description: "The task hash" })
      .addOption(store)
      .addOption({
        name: "destination",
        description: "Chain identifier the result was delivered to, for instance SN_SEPOLIA",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag(json)
      .setAction(() => import("./result.js")),
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
      .setAction(() => import("./hash.js")),
  ),
  ...command("check", "Validate a task file and show what it would compute, without any network", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag(json)
      .setAction(() => import("./check.js")),
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
      .setAction(() => import("./fields.js")),
  ),
  ...command("deploy-store", "Deploy a mock execution store on a development chain", (builder) =>
    builder.addFlag(json).setAction(() => import("./deploy-store.js")),
  ),
  ...starknetTasks,
];
