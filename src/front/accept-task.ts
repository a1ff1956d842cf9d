import type { TaskRequest } from "../request/task.js";
import type { FaultQueue } from "../processor/faults/fault-queue.js";
import type { WireEditionName } from "../service/data-processor/edition-names.js";
import { refusalOf } from "./front-problem.js";
import type { TaskBook } from "./task-book.js";
import type { TaskRecord } from "./task-record.js";
import { failureIn } from "./task-states.js";
import type { WebhookSender } from "./webhook.js";

/** What accepts the tasks of every edition. */
export interface TaskDesk {
  readonly tasks: TaskBook;
  readonly webhooks: WebhookSender;
  readonly faults: FaultQueue | undefined;
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
  readonly cut: boolean;
}

/**
 * Accepts a parsed request, under the fault that is waiting for the next submission, if one is.
 *
 * @throws FrontProblem 400 where the data processor refuses it.
 */
export async function acceptTask(
  desk: TaskDesk,
  edition: WireEditionName,
  request: TaskRequest,
  webhookUrl: string | undefined,
): Promise<Acceptance> {
  const checked = webhookUrl === undefined ? undefined : await desk.webhooks.check(webhookUrl);
  const input = { edition, request, webhookUrl: checked };
  const fault = desk.faults?.takeForSubmission();
  try {
    switch (fault?.kind) {
      case "stuck-at":
        return { record: await desk.tasks.withhold(input, fault.state, undefined), cut: false };
      case "fails-at":
        return { record: await desk.tasks.withhold(input, failureIn(request, fault.state), fault.message), cut: false };
      case "unknown-state":
      case "late-finalization": {
        const record = await desk.tasks.accept(input);
        const state = fault.kind === "unknown-state" ? fault.name : "Received";
        desk.oddPolls.set(record.accepted.id, { state, left: fault.polls });
        return { record, cut: false };
      }
      case "cut-after-acceptance":
        return { record: await desk.tasks.accept(input), cut: true };
      case undefined:
        return { record: await desk.tasks.accept(input), cut: false };
    }
  } catch (error) {
    throw refusalOf(error);
  }
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
