import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json } from "./command.js";

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
