import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command } from "./command.js";

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
