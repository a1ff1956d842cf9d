import type { Hex } from "viem";

import { plural } from "../base/text.js";
import {
  type HdpError,
  hdpError,
  isHdpError,
  pastableName,
  suggested,
} from "../errors/hdp-error.js";
import { printable } from "../errors/printable.js";
import { withHint } from "../service/http/service-errors.js";
import { KINDS } from "./kinds.js";
import { type Labelled, shownId, type SubmissionRecord, type WorkItem } from "./model.js";
import type { Plan } from "./plan.js";
import { describeSubmission, hintsFor } from "./recovery.js";

/** Returns "3 tasks", or the name of any other submission. */
export function describeItems(items: readonly WorkItem[], { kind, label }: Labelled): string {
  return KINDS[kind].hasResults
    ? plural(items.length, "task")
    : describeSubmission({ kind, label });
}

/** Throws if an item of a request cannot be sent: then nothing of the request is. */
export function refuseObstacles({ decisions }: Plan, submission: Labelled): void {
  const stored = decisions.find((one) => one.kind === "other-stored");
  if (stored !== undefined) throw storedOfOther(stored);
  const rival = decisions.find((one) => one.kind === "other-open");
  if (rival !== undefined) throw openOfOther(rival);
  const open = decisions.find((one) => one.kind === "other-version");
  if (open !== undefined) throw openElsewhere(open, submission);
  const failed = decisions.find((one) => one.kind === "failed");
  if (failed !== undefined) throw failedThere(failed);
  const undecided = decisions.filter((one) => one.kind === "undecided");
  if (undecided.length > 0) throw undecidedOutcome(undecided, submission);
}

/** An item that cannot be sent, with the submission that keeps it from that. */
interface Obstacle {
  readonly item: WorkItem;
  readonly record: SubmissionRecord;
}

function storedOfOther({
  item,
  store,
}: {
  readonly item: WorkItem;
  readonly store: Hex;
}): HdpError {
  return hdpError("HDP-5014", { store, hash: item.hash });
}

function openOfOther({ item, record }: Obstacle): HdpError {
  const other = `submission ${shownId(record)} (${record.state})`;
  const hints = [
    `Task ${item.hash}. Nothing was sent.`,
    ...hintsFor(record),
    "--force sends the task all the same.",
  ];
  return hdpError("HDP-1125", { other }, { hints });
}

function openElsewhere({ item, record }: Obstacle, submission: Labelled): HdpError {
  const { host, serviceId, id, processor: version } = record;
  const { hasResults } = KINDS[submission.kind];
  const what = hasResults ? `task ${item.hash}` : describeSubmission(submission);
  return hdpError("HDP-5015", {
    what,
    host,
    serviceId: pastableName(serviceId ?? id, id),
    version,
  });
}

function failedThere({ item, record }: Obstacle): HdpError {
  const { seen, network } = record;
  const id = shownId(record);
  const retry = suggested("hdp service-tasks retry", [id], { network });
  const state = seen && ` in state "${printable(seen.name, 200)}"`;
  return hdpError("HDP-5020", { hash: item.hash, id, state, retry });
}

function undecidedOutcome(undecided: readonly Obstacle[], submission: Labelled): HdpError {
  const { hasResults } = KINDS[submission.kind];
  const count = `${plural(undecided.length, "task")} of this request`;
  const what = hasResults ? count : describeSubmission(submission);
  const tasks = hasResults ? undecided.map(({ item }) => `Task ${item.hash}`) : [];
  const records = new Map(undecided.map(({ record }) => [record.id, record]));
  const hints = [...tasks, ...[...records.values()].flatMap(hintsFor)];
  return hdpError("HDP-5005", { what }, { hints });
}

/** Returns the result of an action; rethrows an error of the database with the note that nothing was sent. */
export function withNothingSent<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw isHdpError(error) && error.code.startsWith("HDP-51")
      ? withHint(error, "Nothing was sent.")
      : error;
  }
}
