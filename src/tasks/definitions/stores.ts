import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json } from "./command.js";

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
      .addFlag(json)
      .setAction(() => import("../result.js")),
  ),
  ...command("deploy-store", "Deploy a mock execution store on a development chain", (builder) =>
    builder.addFlag(json).setAction(() => import("../deploy-store.js")),
  ),
];
