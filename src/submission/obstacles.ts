import { plural } from "../base/text.js";
import { hdpError, isHdpError, pastableName, suggested } from "../errors/hdp-error.js";
import { printable } from "../errors/printable.js";
import { withHint } from "../service/http/service-errors.js";
import { KINDS } from "./kinds.js";
import { type Labelled, shownId, type WorkItem } from "./model.js";
import type { Plan } from "./plan.js";
import { describeSubmission, hintsFor } from "./recovery.js";

/** Returns "3 tasks", or the name of any other submission. */
export function describeItems(items: readonly WorkItem[], { kind, label }: Labelled): string {
  return KINDS[kind].hasResults
    ? plural(items.length, "task")
    : describeSubmission({ kind, label });
}

/** Throws if an item of a request cannot be sent: then nothing of the request is. */
export function refuseObstacles({ decisions }: Plan, { kind, label }: Labelled): void {
  const other = decisions.find((one) => one.kind === "other-stored");
  if (other !== undefined)
    throw hdpError("HDP-5014", { store: other.store, hash: other.item.hash });
  const rival = decisions.find((one) => one.kind === "other-open");
  if (rival !== undefined) {
    const { record, item } = rival;
    const hints = [
      `Task ${item.hash}. Nothing was sent.`,
      ...hintsFor(record),
      "--force sends the task all the same.",
    ];
    throw hdpError(
      "HDP-1125",
      { other: `submission ${shownId(record)} (${record.state})` },
      { hints },
    );
  }
  const open = decisions.find((one) => one.kind === "other-version");
  if (open !== undefined) {
    const { host, serviceId, id, processor } = open.record;
    const what = KINDS[kind].hasResults
      ? `task ${open.item.hash}`
      : describeSubmission({ kind, label });
    throw hdpError("HDP-5015", {
      what,
      host,
      serviceId: pastableName(serviceId ?? id, id),
      version: processor,
    });
  }
  const failed = decisions.find((one) => one.kind === "failed");
  if (failed !== undefined) {
    const { id, serviceId, seen, network } = failed.record;
    const retry = suggested("hdp service-tasks retry", [serviceId ?? id], { network });
    const state = seen && ` in state "${printable(seen.name, 200)}"`;
    throw hdpError("HDP-5020", { hash: failed.item.hash, id, state, retry });
  }
  const undecided = decisions.filter((one) => one.kind === "undecided");
  if (undecided.length > 0) {
    const what = KINDS[kind].hasResults
      ? `${plural(undecided.length, "task")} of this request`
      : describeSubmission({ kind, label });
    const records = new Map(undecided.map(({ record }) => [record.id, record]));
    const tasks = KINDS[kind].hasResults ? undecided.map(({ item }) => `Task ${item.hash}`) : [];
    throw hdpError(
      "HDP-5005",
      { what },
      { hints: [...tasks, ...[...records.values()].flatMap(hintsFor)] },
    );
  }
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
