import { z } from "zod";

import { parseTaskRequest } from "../request/parse.js";
import { toTaskRequestJson } from "../request/task-request-json.js";
import { EDITION_NAMES } from "../service/data-processor/edition-names.js";
import {
  idempotencySchema,
  storedResultSchema,
  type TaskRecord,
  transitionSchema,
  type AcceptedTask,
} from "./task-record.js";

const acceptedEntrySchema = z.object({
  type: z.literal("task"),
  id: z.string(),
  edition: z.enum(EDITION_NAMES),
  request: z.unknown(),
  taskHashes: z.array(z.string()),
  createdAt: z.string(),
  webhookUrl: z.string().optional(),
  idempotency: idempotencySchema.optional(),
});

const endedEntrySchema = z.object({
  type: z.literal("task-ended"),
  id: z.string(),
  transitions: z.array(transitionSchema).min(1),
  results: z.array(storedResultSchema),
  error: z.string().optional(),
});

const retriedEntrySchema = z.object({ type: z.literal("task-retried"), id: z.string(), at: z.string() });

const notifiedEntrySchema = z.object({ type: z.literal("task-notified"), id: z.string() });

/** Lines of the log that are about tasks. */
export const taskEntrySchema = z.discriminatedUnion("type", [
  acceptedEntrySchema,
  endedEntrySchema,
  retriedEntrySchema,
  notifiedEntrySchema,
]);
export type TaskEntry = z.infer<typeof taskEntrySchema>;

export function acceptedEntry({ request, ...accepted }: AcceptedTask): TaskEntry {
  return { type: "task", ...accepted, taskHashes: [...accepted.taskHashes], request: toTaskRequestJson(request) };
}

export function acceptedOf({ request, ...entry }: z.infer<typeof acceptedEntrySchema>): AcceptedTask {
  return { ...entry, request: parseTaskRequest(request) };
}

export function endedEntry(record: TaskRecord): TaskEntry {
  return {
    type: "task-ended",
    id: record.accepted.id,
    transitions: [...record.transitions],
    results: [...record.results],
    ...(record.error === undefined ? {} : { error: record.error }),
  };
}
