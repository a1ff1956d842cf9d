import { capitalize } from "@nomicfoundation/hardhat-utils/string";

import { plural } from "../../base/text.js";
import { describeTask } from "../../request/describe-task.js";
import { toTaskJson } from "../../request/parse.js";
import { isUndecided, type SubmissionRecord } from "../../submission/model.js";
import { nameOf, sentBefore } from "../../submission/recovery.js";
import type { StoredSubmission } from "../../submission/store.js";
import { command, type Flags } from "../run-command.js";
import { elapsed } from "../ui/format.js";
import { printBlock, printTable, type Screen, style } from "../ui/screen.js";

export const list = command(async ({ unfinished }: Flags<"unfinished">, { hre, screen }) => {
  const records = await hre.hdp.submissions.list({ unfinished });
  const now = Date.now();
  if (records.length === 0)
    screen.line(`  ${unfinished ? "Every submission is finished." : "Nothing was submitted from this project yet."}`);
  else {
    const rows = records.map((record) => rowOf(record, now));
    printTable(screen, ["SUBMISSION", "STATE", "AGE", "NETWORK", "TO", "WHAT"], rows, records.map(taskLines));
  }
  for (const record of records.filter(isUndecided)) {
    screen.line();
    printStanding(screen, record);
  }
  return records.map((record) => ({ ...documentOf(record), ageMs: now - record.createdAt }));
});

function rowOf(record: StoredSubmission, now: number): string[] {
  const { id, serviceId, state, seen, kind, createdAt, network, destinationChainId, host, parts, processor } = record;
  return [
    serviceId ?? id,
    seen === undefined || seen.name.toLowerCase() === state ? state : `${state} (${seen.name})`,
    elapsed(now - createdAt),
    network,
    `${destinationChainId ?? host ?? ""}${processor === "local" ? " (local)" : ""}`,
    kind === "tasks" ? plural(parts.length, "task") : nameOf(record),
  ];
}

/** One line for each task of a submission. */
function taskLines({ request }: StoredSubmission): string[] {
  return (request?.tasks ?? []).map((task, index) => {
    const { title, lines } = describeTask(task);
    return `${String(index + 1)}  ${[title, ...lines].join(", ")}`;
  });
}

/** Prints where a submission stands, and what can be done. */
export function printStanding(screen: Screen, record: StoredSubmission): void {
  const { summary, nextSteps } = record.explanation;
  screen.line(`  ${style.bad("!")} ${capitalize(nameOf(record))}, ${record.id}: ${summary}`);
  for (const step of nextSteps) screen.line(`      ${step}`);
}

/** Returns a submission as `--json` prints it: its tasks as a task file, private inputs without their values. */
export function documentOf(record: StoredSubmission): Record<string, unknown> {
  const { request } = record;
  if (request === undefined) return { ...record };
  const tasks = request.tasks.map((task) => {
    if (task.type !== "Module") return toTaskJson(task);
    const inputs = task.inputs.map((input) => (input.visibility === "private" ? { visibility: "private" } : input));
    return { ...toTaskJson(task), inputs };
  });
  return { ...record, request: { destinationChainId: request.destinationChainId, tasks } };
}

/** Says that something was sent before, and is not sent again. */
export function printEarlier(screen: Screen, earlier: SubmissionRecord): void {
  printBlock(screen, `  ${style.bad("!")} Nothing is sent: it was ${sentBefore(earlier)}.`);
  screen.line("    To send it again, which may be charged again: --force");
}
