import { z } from "zod";

import type { TaskStatus } from "../../request/lifecycle.js";
import { toTaskRequestJson } from "../../request/task-request-json.js";
import { wireIdSchema, wireTaskHashSchema, wireTaskRequestSchema } from "../http/wire.js";
import { CHECK_SUBMISSIONS, type WireEdition } from "./edition.js";

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

const KEY = { in: "query", name: "apiKey" } as const;

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
    key: KEY,
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
