import { z } from "zod";

import { parseTaskRequest, toTaskRequestJson } from "../request/parse.js";
import { EDITION_NAMES } from "../service/data-processor/edition.js";
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
  /** The last transition's; lines of 0.1.0 have none. */
  state: z.string().optional(),
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

/** What `taskLineHead` reads comes first. */
export function acceptedEntry({ id, idempotency, webhookUrl, request, ...accepted }: AcceptedTask): TaskEntry {
  const { edition, createdAt, taskHashes } = accepted;
  return {
    ...{ type: "task", id },
    ...(idempotency === undefined ? {} : { idempotency }),
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...{ edition, createdAt, taskHashes: [...taskHashes], request: toTaskRequestJson(request) },
  };
}

/** What is known of a line without parsing it. */
export interface TaskLineHead {
  readonly type: "task" | "task-ended";
  readonly id: string;
  readonly key?: string;
}

const TASK_HEAD =
  /^\{"type":"task","id":"([\w-]+)",(?:"idempotency":\{"key":"([ !#-[\]-~]*)","digest":"[0-9a-f]{64}"\},)?"edition":"[a-z-]+","createdAt"/;
const ENDED_HEAD = /^\{"type":"task-ended","id":"([\w-]+)","state":"TaskDecommitmentCompleted"/;
/** Heads with longer keys are parsed like other lines. */
const HEAD_LENGTH = 250;

/**
 * The head of a sealed line of a task that nothing is left to do for: accepted without a webhook, or completed. Any
 * other line is to be parsed.
 */
export function taskLineHead(line: Buffer): TaskLineHead | undefined {
  const head = line.toString("latin1", 0, Math.min(HEAD_LENGTH, line.length));
  const [, ended] = ENDED_HEAD.exec(head) ?? [];
  if (ended !== undefined) return { type: "task-ended", id: copied(ended) };
  const [, id, key] = TASK_HEAD.exec(head) ?? [];
  if (id === undefined) return undefined;
  return { type: "task", id: copied(id), ...(key === undefined ? {} : { key: copied(key) }) };
}

/** A part of a text keeps the whole of it in memory. */
function copied(part: string): string {
  return Buffer.from(part, "latin1").toString("latin1");
}

/** The task that a line of any type is about. */
export function taskOfLine(line: Buffer): string | undefined {
  return /^\{"type":"task(?:-[a-z]+)?","id":"([\w-]+)"/.exec(
    line.toString("latin1", 0, Math.min(HEAD_LENGTH, line.length)),
  )?.[1];
}

export function acceptedOf(entry: z.infer<typeof acceptedEntrySchema>): AcceptedTask {
  const { id, edition, request, taskHashes, createdAt, webhookUrl, idempotency } = entry;
  return {
    ...{ id, edition, taskHashes, createdAt, request: parseTaskRequest(request) },
    ...(webhookUrl === undefined ? {} : { webhookUrl }),
    ...(idempotency === undefined ? {} : { idempotency }),
  };
}

export function endedEntry(record: TaskRecord): TaskEntry {
  return {
    type: "task-ended",
    id: record.accepted.id,
    state: record.state,
    transitions: [...record.transitions],
    results: [...record.results],
    ...(record.error === undefined ? {} : { error: record.error }),
  };
}
