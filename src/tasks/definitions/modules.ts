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
