import type { TaskDefinition } from "hardhat/types/tasks";

import { command, json, timeout, yes } from "./command.js";

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
