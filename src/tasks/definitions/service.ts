import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json } from "./command.js";

const taskId = { name: "id", description: "A task's id at the service" } as const;

/** The data processor's own list of tasks, and whether the interfaces answer. */
export const serviceTasks: TaskDefinition[] = [
  ...command("tasks", "List the tasks a service of edition module-tasks has", (builder) =>
    builder
      .addOption({ name: "page", description: "Page, from 1", type: ArgumentType.INT, defaultValue: 1 })
      .addOption({ name: "perPage", description: "Tasks a page, 1 to 100", type: ArgumentType.INT, defaultValue: 10 })
      .addOption({
        name: "search",
        description: "Part of an id, a program hash or a program name",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      })
      .addFlag(json)
      .setAction(() => import("../tasks.js")),
  ),
  ...command("task", "Print all that a service of edition module-tasks has on a task", (builder) =>
    builder
      .addPositionalArgument(taskId)
      .addFlag(json)
      .setAction(() => import("../task.js")),
  ),
  ...command("retry", "Start a failed task of edition module-tasks again", (builder) =>
    builder
      .addPositionalArgument(taskId)
      .addFlag(json)
      .setAction(() => import("../retry.js")),
  ),
  ...command("alive", "Check every configured interface", (builder) =>
    builder.addFlag(json).setAction(() => import("../alive.js")),
  ),
];
