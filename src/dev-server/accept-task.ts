import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import { effectOf, type SubmissionEffect } from "../submission/backend/faults/fault.js";
import { refusalOf } from "./front-problem.js";
import type { IdempotencyKeys } from "./idempotency-keys.js";
import type { IncomingTask, TaskBook } from "./task-book.js";
import type { TaskRecord } from "./task-record.js";
import { failureIn } from "./task-states.js";
import type { WebhookSender } from "./webhook.js";

/** What accepts the tasks of every edition. */
export interface TaskDesk {
  readonly tasks: TaskBook;
  readonly webhooks: WebhookSender;
  readonly faults: FaultQueue | undefined;
  readonly keys: IdempotencyKeys<TaskRecord>;
  /** Answers to the polls of tasks that an injected fault makes answer otherwise. */
  readonly oddPolls: Map<string, OddPolls>;
}

export interface OddPolls {
  readonly state: string;
  left: number;
}

export interface Acceptance {
  readonly record: TaskRecord;
  /** The connection is to end before the answer. */
  readonly cut?: true;
}

/**
 * Accepts a parsed request, under the fault that is waiting for the next submission, if one is. A request whose
 * `Idempotency-Key` is known is the submission of the first time.
 *
 * @throws FrontProblem 400 where the data processor refuses it, 422 where its key was sent with another body.
 */
export async function acceptTask(desk: TaskDesk, { webhookUrl, ...input }: IncomingTask): Promise<Acceptance> {
  const checked = webhookUrl === undefined ? undefined : await desk.webhooks.check(webhookUrl);
  try {
    return await desk.keys.once(input.idempotency, async () => await accept(desk, { ...input, webhookUrl: checked }));
  } catch (error) {
    throw refusalOf(error);
  }
}

async function accept(desk: TaskDesk, input: IncomingTask): Promise<Acceptance> {
  const fault = desk.faults?.takeForSubmission();
  const effect: SubmissionEffect = fault === undefined ? { work: "now" } : effectOf(fault);
  const { work, seen, polls = Infinity, cut } = effect;
  if (work === "never" && seen !== undefined) {
    const state = seen.phase === "failed" ? failureIn(input.request, seen.name) : seen.name;
    return { record: await desk.tasks.withhold(input, state, seen.detail) };
  }
  const record = await desk.tasks.accept(input);
  if (seen !== undefined) desk.oddPolls.set(record.accepted.id, { state: seen.name, left: polls });
  return cut === undefined ? { record } : { record, cut };
}

/** The state a poll is answered with. */
export function polledState(desk: TaskDesk, record: TaskRecord): string {
  const odd = desk.oddPolls.get(record.accepted.id);
  if (odd === undefined) return record.state;
  if (odd.left > 0) {
    odd.left -= 1;
    return odd.state;
  }
  desk.oddPolls.delete(record.accepted.id);
  return record.state;
}
