import type { TaskStatus } from "../../request/lifecycle.js";
import { toTaskRequestJson } from "../../request/task-request-json.js";
import { batchAcceptedSchema, batchRecordSchema, batchStateSchema } from "../wire/batch.js";
import { CHECK_SUBMISSIONS, type WireEdition } from "./edition.js";

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
