import { capitalize } from "@nomicfoundation/hardhat-utils/string";

import { printable } from "../../base/text.js";
import { describeTask } from "../../request/describe-task.js";
import { toTaskJson } from "../../request/parse.js";
import { isUndecided, isUnfinished, type SubmissionRecord, type SubmissionState } from "../../submission/model.js";
import { nameOf, sentBefore } from "../../submission/recovery.js";
import type { StoredSubmission } from "../../submission/store.js";
import { command, type Flags } from "../run-command.js";
import { elapsed } from "../ui/format.js";
import { printBlock, printTable, type Screen, style } from "../ui/screen.js";

export const list = command(async ({ unfinished }: Flags<"unfinished">, { hre, screen }) => {
  const all = await hre.hdp.submissions.list();
  const records = unfinished ? all.filter(isUnfinished) : all;
  const ids = all.flatMap(({ id, serviceId = id }) => [id, printable(serviceId, 200)]);
  const now = Date.now();
  if (records.length === 0)
    screen.line(`  ${unfinished ? "Every submission is finished." : "Nothing was submitted from this project yet."}`);
  else {
    const rows = records.map((record) => rowOf(record, ids, now));
    printTable(screen, ["ID", "STATE", "AGE", "NETWORK", "SENT TO"], rows, records.map(taskLines));
    if (!unfinished && records.some(isUnfinished)) {
      printBlock(screen, `  Those with something left to do: ${style.command("npx hardhat hdp list --unfinished")}`);
    }
  }
  for (const record of records.filter(isUndecided)) {
    screen.line();
    printStanding(screen, record);
  }
  return records.map((record) => ({ ...documentOf(record), ageMs: now - record.createdAt }));
});

/** Returns the beginning of an id that no other has, which commands accept. The document has full ids. */
function shortId(id: string, ids: readonly string[], atLeast: number): string {
  let length = atLeast;
  while (length < id.length && ids.some((other) => other !== id && other.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}

/** States for users; of an accepted submission, the state that the service reported. */
const STATE_NAMES: Partial<Readonly<Record<SubmissionState, string>>> = {
  claimed: "not sent",
  sending: "unknown",
  lost: "given up",
};

function rowOf(record: StoredSubmission, ids: readonly string[], now: number): string[] {
  const { id, serviceId, state, seen, createdAt, network, host, processor } = record;
  return [
    shortId(printable(serviceId ?? "", 200), ids, 10) || shortId(id, ids, 8),
    state === "accepted" && seen !== undefined ? printable(seen.name, 26) : (STATE_NAMES[state] ?? state),
    elapsed(now - createdAt),
    network,
    processor === "local" ? "this machine" : (host ?? ""),
  ];
}

function taskLines(record: StoredSubmission): string[] {
  if (record.kind !== "tasks") return [nameOf(record)];
  const { request } = record;
  return (request?.tasks ?? []).flatMap((task, index) => {
    const { title, lines } = describeTask(task);
    const number = String(index + 1);
    return [`${number}  ${title}`, ...lines.map((line) => `${" ".repeat(number.length)}  ${line}`)];
  });
}

export function printStanding(screen: Screen, record: StoredSubmission): void {
  const { summary, nextSteps } = record.explanation;
  screen.line(`  ${style.bad("!")} ${capitalize(nameOf(record))}, ${record.id}: ${summary}`);
  for (const step of nextSteps) screen.line(`      ${step}`);
}

/** Returns a submission as `--json` prints it: its tasks as a task file, private inputs without values. */
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

export function printEarlier(screen: Screen, earlier: SubmissionRecord): void {
  printBlock(screen, `  ${style.bad("!")} Nothing is sent: it was ${sentBefore(earlier)}.`);
  screen.line("    To send it again, which may be charged again: --force");
}
