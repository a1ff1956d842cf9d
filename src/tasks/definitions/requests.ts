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
];
