import { z } from "zod";

import { toTaskRequestJson } from "../../request/task-request-json.js";
import type { TaskRequest } from "../../request/task.js";
import { wireIdSchema, wireTaskHashSchema, wireTaskRequestSchema } from "../http/wire.js";
import { CHECK_SUBMISSIONS, type WireEdition } from "./edition.js";

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
