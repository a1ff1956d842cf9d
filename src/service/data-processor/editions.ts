import { z } from "zod";

import type { TaskStatus } from "../../request/lifecycle.js";
import { toTaskRequestJson } from "../../request/parse.js";
import type { TaskRequest } from "../../request/task.js";
import { wireIdSchema, wireTaskHashSchema, wireTaskRequestSchema } from "../http/wire.js";
import { CHECK_SUBMISSIONS, type WireEdition, type WireEditionName } from "./edition.js";
import { moduleTasksEdition, type ModuleTasksEditionOptions } from "./module-tasks-edition.js";

/** Body of `POST /submit-batch`. */
export const batchSubmitSchema = wireTaskRequestSchema;

export const batchAcceptedSchema = z
  .object({ batchId: wireIdSchema, taskHashes: z.array(wireTaskHashSchema) })
  .passthrough();

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
const batchRecordSchema = z
  .object({
    dataProcessorQuery: z
      .object({
        id: z.string().optional(),
        status: z.string().min(1),
        stepState: z.string().nullish(),
        completedAt: z.string().nullish(),
        createdAt: z.string().optional(),
        destinationChainId: z.string().optional(),
        tasks: z.array(z.record(z.unknown())).optional(),
      })
      .passthrough(),
  })
  .passthrough();

/** The specification's reply: one of its states, bare or as member `status`. */
const batchStateSchema = z.union([
  z.string().min(1),
  z.object({ status: z.string().min(1), errorMessage: z.string().nullish() }).passthrough(),
]);

export const batchStatusSchema = z.union([batchRecordSchema, batchStateSchema]);

const BATCH_KEY = { in: "query", name: "apiKey" } as const;

/** Final names of both vocabularies: the specification's six states and the published record's `status`. */
const PHASES = new Map<string, TaskStatus["phase"]>([
  ["Finalized", "finalized"],
  ["DONE", "finalized"],
  ["REJECTED", "failed"],
  ["FAILED", "failed"],
]);

/** Edition `batch`: the retired shape, several tasks per batch. */
export const batchEdition: WireEdition = {
  name: "batch",
  buildSubmit: (request) => ({
    method: "POST",
    path: ["submit-batch"],
    json: toTaskRequestJson(request),
    key: BATCH_KEY,
    once: CHECK_SUBMISSIONS,
  }),
  parseSubmit: (body) => {
    const { batchId, taskHashes } = batchAcceptedSchema.parse(body);
    return { id: batchId, taskHashes, raw: body };
  },
  // The specification lists batchId as the only parameter.
  buildStatus: (id) => ({ method: "GET", path: ["batch-query", id] }),
  parseStatus: (body) => ({ ...statusOf(body), raw: body }),
};

function statusOf(body: unknown): TaskStatus {
  const record = batchRecordSchema.safeParse(body);
  if (record.success) {
    const { status, stepState } = record.data.dataProcessorQuery;
    return named(status, stepState);
  }
  const state = batchStateSchema.parse(body);
  return typeof state === "string" ? named(state, undefined) : named(state.status, state.errorMessage);
}

function named(name: string, detail: string | null | undefined): TaskStatus {
  return { name, phase: PHASES.get(name) ?? "pending", ...(detail === undefined || detail === null ? {} : { detail }) };
}

/** Body of `POST /tasks` in the specification's shape. */
export const tasksSubmitSchema = wireTaskRequestSchema;

/** Its reply. The specification promises a task UUID; the published servers call it `uuid` and say no more for sure. */
export const tasksAcceptedSchema = z
  .object({
    uuid: wireIdSchema,
    message: z.string().optional(),
    status: z.string().optional(),
    taskHashes: z.array(wireTaskHashSchema).optional(),
  })
  .passthrough();

/** Reply of `GET /tasks/{uuid}/status`: the published record, of which only `status` is required. */
export const tasksStatusSchema = z
  .object({
    taskId: z.string().optional(),
    status: z.string().min(1),
    errorMessage: z.string().nullish(),
    updatedAt: z.string().optional(),
  })
  .passthrough();

const KEY = { in: "header", name: "X-API-KEY" } as const;

/**
 * State names that end a task. The specification names none for this shape: understood are its own final state of a
 * batch and the final states of the service's published documents. Every other name is shown and waited on.
 */
const FINALIZED = new Set(["Finalized", "TaskDecommitmentCompleted"]);
const FAILED = new Set([
  "DryRunFailed",
  "ChainProofsFetchFailed",
  "TraceGenFailed",
  "AtlanticProvingFailed",
  "TaskDecommitmentFailed",
]);

/** Edition `tasks`, the default: the specification's current shape. */
export const tasksEdition: WireEdition = {
  name: "tasks",
  buildSubmit: (request) => ({
    method: "POST",
    path: ["tasks"],
    json: specificationJson(request),
    key: KEY,
    once: CHECK_SUBMISSIONS,
  }),
  parseSubmit: (body) => {
    const reply = tasksAcceptedSchema.parse(body);
    const hashes = reply.taskHashes === undefined ? {} : { taskHashes: reply.taskHashes };
    return { id: reply.uuid, ...hashes, raw: body };
  },
  buildStatus: (id) => ({ method: "GET", path: ["tasks", id, "status"], key: KEY }),
  parseStatus: (body) => {
    const { status, errorMessage } = tasksStatusSchema.parse(body);
    const detail = errorMessage === undefined || errorMessage === null ? {} : { detail: errorMessage };
    const phase = FINALIZED.has(status) ? "finalized" : FAILED.has(status) ? "failed" : "pending";
    return { name: status, phase, ...detail, raw: body };
  },
};

/**
 * The request body with the specification's name for Starknet Sepolia, `SN_SEPOLIA`; the canonical identifier is that
 * of the published parsers, which know no such name.
 */
function specificationJson(request: TaskRequest): unknown {
  return JSON.parse(JSON.stringify(toTaskRequestJson(request)), (member, value: unknown) =>
    (member === "destinationChainId" || member === "chainId") && value === "STARKNET_SEPOLIA" ? "SN_SEPOLIA" : value,
  );
}

/** Every wire edition by its name. `compiledClass` serves the one that sends a module's class along. */
export const EDITIONS: Readonly<
  Record<WireEditionName, (options: Pick<ModuleTasksEditionOptions, "compiledClass">) => WireEdition>
> = {
  tasks: () => tasksEdition,
  batch: () => batchEdition,
  "module-tasks": moduleTasksEdition,
};
