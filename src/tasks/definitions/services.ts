import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json, timeout, yes } from "./command.js";

const file = { name: "file", description: "A compiled class: *.compiled_contract_class.json" } as const;

/** Compiled modules and the program registry. */
export const programTasks: TaskDefinition[] = [
  ...command("upload", "Store a compiled class in the program registry", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag(json)
      .setAction(() => import("../upload.js")),
  ),
  ...command("program", "Print what the program registry knows of a program hash", (builder) =>
    builder
      .addPositionalArgument({ name: "programHash", description: "The program hash" })
      .addFlag(json)
      .setAction(() => import("../program.js")),
  ),
  ...command("program-hash", "Print the program hash of a compiled class, without any network", (builder) =>
    builder
      .addPositionalArgument(file)
      .addFlag(json)
      .setAction(() => import("../program-hash.js")),
  ),
];

const body = { name: "file", description: "The request's body (JSON), relative to the project" } as const;
const growOrderId = { name: "id", description: "A grow order's id" } as const;

/** The storage proof interface. */
export const storageProofTasks: TaskDefinition[] = [
  ...command("prove", "Submit a storage proof request and await its queries (charged)", (builder) =>
    builder
      .addPositionalArgument(body)
      .addFlag({ name: "noWait", description: "Return when the service has accepted, without awaiting" })
      .addOption(timeout)
      .addFlag(json)
      .setAction(() => import("../prove.js")),
  ),
  ...command("queries", "List the queries of a storage proof request", (builder) =>
    builder
      .addPositionalArgument({ name: "requestId", description: "A storage proof request's id" })
      .addFlag(json)
      .setAction(() => import("../queries.js")),
  ),
  ...command("actions", "List what was done for a query of a storage proof request", (builder) =>
    builder
      .addPositionalArgument({ name: "queryId", description: "A query's internal id, from hdp:queries" })
      .addFlag(json)
      .setAction(() => import("../actions.js")),
  ),
  ...command("grow-orders", "List the grow orders", (builder) =>
    builder.addFlag(json).setAction(() => import("../grow-orders.js")),
  ),
  ...command("grow-order", "Print a grow order", (builder) =>
    builder
      .addPositionalArgument(growOrderId)
      .addFlag(json)
      .setAction(() => import("../grow-order.js")),
  ),
  ...command("grow-order:create", "Create a grow order (charged)", (builder) =>
    builder
      .addPositionalArgument(body)
      .addFlag(yes)
      .addFlag(json)
      .setAction(() => import("../grow-order-create.js")),
  ),
  ...command("grow-order:cancel", "Cancel a grow order", (builder) =>
    builder
      .addPositionalArgument(growOrderId)
      .addFlag(yes)
      .addFlag(json)
      .setAction(() => import("../grow-order-cancel.js")),
  ),
];

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
