import { z } from "zod";

import type { TaskStatus } from "../../request/lifecycle.js";
import { toTaskRequestJson } from "../../request/parse.js";
import type { TaskRequest } from "../../request/task.js";
import type { WireEdition, WireEditionName } from "./edition.js";
import {
  CHECK_SUBMISSIONS,
  KEY,
  moduleTaskAcceptedSchema,
  moduleTaskStatusSchema,
  moduleTasksEdition,
  type ModuleTasksEditionOptions,
  open,
  phaseOf,
  statusOf,
  taskDetails,
  taskRead,
  wireIdSchema,
  wireTaskHashSchema,
} from "./module-tasks-edition.js";

/** Reply of `POST /tasks`. The specification promises a task UUID; published servers call it `uuid`. */
export const tasksAcceptedSchema = moduleTaskAcceptedSchema.extend({
  taskHashes: z.array(wireTaskHashSchema).optional(),
});

/** Reply of `GET /tasks/{uuid}/status`. */
export const tasksStatusSchema = moduleTaskStatusSchema;

/** API version `tasks`, the default: the specification's current shape. */
export const tasksEdition: WireEdition = {
  name: "tasks",
  buildSubmit: (request) => ({
    ...{ method: "POST", path: ["tasks"], json: specificationJson(request), key: KEY, once: CHECK_SUBMISSIONS },
  }),
  parseSubmit: (body) => {
    const { uuid: id, taskHashes } = tasksAcceptedSchema.parse(body);
    return { id, ...(taskHashes && { taskHashes }), raw: body };
  },
  ...taskDetails,
  buildStatus: (id) => ({ ...taskRead(id, "status"), key: KEY }),
  parseStatus: (body) => {
    const { status, errorMessage } = tasksStatusSchema.parse(body);
    // The specification does not name states for this shape; the final state of a batch is accepted as well.
    return { ...statusOf(status, status === "Finalized" ? "finalized" : phaseOf(status), errorMessage), raw: body };
  },
};

/**
 * Returns the request body with the specification's name of Starknet Sepolia, `SN_SEPOLIA`. The canonical identifier is
 * from the published parsers, which do not accept that name.
 */
function specificationJson(request: TaskRequest): unknown {
  return JSON.parse(JSON.stringify(toTaskRequestJson(request)), (member, value: unknown) =>
    (member === "destinationChainId" || member === "chainId") && value === "STARKNET_SEPOLIA" ? "SN_SEPOLIA" : value,
  );
}

/** Reply of `POST /submit-batch`. */
export const batchAcceptedSchema = open({ batchId: wireIdSchema, taskHashes: z.array(wireTaskHashSchema) });

/** The specification's states of a batch, in order. */
export const BATCH_STATES = [
  "Opened",
  "ProofsFetched",
  "CachedMmrRoot",
  "PieSubmittedToProver",
  "FactRegisteredOnchain",
  "Finalized",
] as const;

/** The published record of `GET /batch-query/{batchId}`. */
const batchRecordSchema = open({
  dataProcessorQuery: open({
    id: z.string().optional(),
    status: z.string().min(1),
    stepState: z.string().nullish(),
    completedAt: z.string().nullish(),
    createdAt: z.string().optional(),
    destinationChainId: z.string().optional(),
    tasks: z.array(z.record(z.unknown())).optional(),
  }),
});

/** The specification's reply: one of its states, bare or as member `status`. */
const batchStateSchema = z.union([
  z.string().min(1),
  open({ status: z.string().min(1), errorMessage: z.string().nullish() }),
]);

/** Phases of the final states in the specification and in the published record's `status`. */
const BATCH_PHASES = new Map<string, TaskStatus["phase"]>([
  ["Finalized", "finalized"],
  ["DONE", "finalized"],
  ["REJECTED", "failed"],
  ["FAILED", "failed"],
]);

/** API version `batch`: the retired shape, several tasks per batch. */
export const batchEdition: WireEdition = {
  name: "batch",
  buildSubmit: (request) => ({
    method: "POST",
    path: ["submit-batch"],
    json: toTaskRequestJson(request),
    key: { in: "query", name: "apiKey" },
    once: CHECK_SUBMISSIONS,
  }),
  parseSubmit: (body) => {
    const { batchId, taskHashes } = batchAcceptedSchema.parse(body);
    return { id: batchId, taskHashes, raw: body };
  },
  // The specification lists batchId as the only parameter.
  buildStatus: (id) => ({ method: "GET", path: ["batch-query", id] }),
  parseStatus: (body) => {
    const record = batchRecordSchema.safeParse(body).data?.dataProcessorQuery;
    const state = record === undefined ? batchStateSchema.parse(body) : { ...record, errorMessage: record.stepState };
    const { status, errorMessage } = typeof state === "string" ? { status: state, errorMessage: null } : state;
    return { ...statusOf(status, BATCH_PHASES.get(status) ?? "pending", errorMessage), raw: body };
  },
  buildDetails: (id) => ({ method: "GET", path: ["batch-query", id] }),
  parseDetails: (body) => {
    const [task, ...others] = batchRecordSchema.safeParse(body).data?.dataProcessorQuery.tasks ?? [];
    return others.length > 0 ? undefined : wireTaskHashSchema.safeParse(task?.["taskHash"]).data;
  },
};

/** API versions by name. The options are for `module-tasks`, which sends the class of a module. */
export const EDITIONS: Readonly<
  Record<WireEditionName, (options: Pick<ModuleTasksEditionOptions, "compiledClass" | "webhookUrl">) => WireEdition>
> = {
  tasks: () => tasksEdition,
  batch: () => batchEdition,
  "module-tasks": moduleTasksEdition,
};
