import { capitalize } from "@nomicfoundation/hardhat-utils/string";

import { printable } from "../errors/printable.js";
import { describeTask } from "../request/describe-task.js";
import { toTaskJson } from "../request/parse.js";
import { formOf, writtenTask } from "../request/task-form.js";
import { isUndecided, isUnfinished, STATES } from "../submission/model.js";
import { nameOf } from "../submission/recovery.js";
import type { StoredSubmission } from "../submission/stored-submission.js";
import { listRequests } from "./contract-requests.js";
import type { Flags, Optional } from "./options.js";
import { command } from "./run-command.js";
import { elapsed } from "../base/text.js";
import { printBlock, printTable, type Screen, style } from "./ui/screen.js";

type ListArguments = Flags<"unfinished"> & Optional<"requests" | "since">;

/** Runs `hdp list`: lists the submissions of the project, or what contracts asked a store for. */
export const list = command(async (args: ListArguments, context) => {
  const { hre, screen } = context;
  const { unfinished, requests, since } = args;
  if (requests !== undefined) return await listRequests({ requests, since }, context);
  const all = await hre.hdp.submissions.list();
  const records = unfinished ? all.filter(isUnfinished) : all;
  const ids = all.flatMap(({ id, serviceId = id }) => [id, printable(serviceId, 200)]);
  const now = Date.now();
  if (records.length === 0)
    screen.line(
      `  ${unfinished ? "Every submission is finished." : "Nothing was submitted from this project yet."}`,
    );
  else {
    const rows = records.map((record) => rowOf(record, ids, now));
    printTable(screen, ["ID", "STATE", "AGE", "NETWORK", "SENT TO"], rows, records.map(taskLines));
    if (!unfinished && records.some(isUnfinished)) {
      printBlock(
        screen,
        `  Those with something left to do: ${style.command("npx hardhat hdp list --unfinished")}`,
      );
    }
  }
  for (const record of records.filter(isUndecided)) {
    screen.line();
    printRecovery(screen, record);
  }
  return records.map((record) => ({ ...documentOf(record), ageMs: now - record.createdAt }));
});

/** Returns the beginning of an id that no other has, which commands accept. The document has full ids. */
function shortId(id: string, ids: readonly string[], atLeast: number): string {
  let length = atLeast;
  while (
    length < id.length &&
    ids.some((other) => other !== id && other.startsWith(id.slice(0, length)))
  )
    length += 1;
  return id.slice(0, length);
}

function rowOf(record: StoredSubmission, ids: readonly string[], now: number): string[] {
  const { id, serviceId, state, seen, createdAt, network, host, processor } = record;
  return [
    shortId(printable(serviceId ?? "", 200), ids, 10) || shortId(id, ids, 8),
    // Of an accepted submission, the state that the service reported.
    state === "accepted" && seen !== undefined ? printable(seen.name, 26) : STATES[state].shown,
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
    const isStandard = task.type === "Module" && writtenTask(task) !== task;
    const named = isStandard ? `${title} (module form)` : title;
    return [`${number}  ${named}`, ...lines.map((line) => `${" ".repeat(number.length)}  ${line}`)];
  });
}

function printRecovery(screen: Screen, record: StoredSubmission): void {
  const { summary, nextSteps } = record.explanation;
  screen.line(`  ${style.bad("!")} ${capitalize(nameOf(record))}, ${record.id}: ${summary}`);
  for (const step of nextSteps) screen.line(`      ${step}`);
}

/** Returns a submission as `--json` prints it: its tasks as a task file, private inputs without values. */
export function documentOf(record: StoredSubmission): Record<string, unknown> {
  const { request } = record;
  if (request === undefined) return { ...record };
  const tasks = request.tasks.map((task) => {
    const written = writtenTask(task);
    if (written.type !== "Module") return toTaskJson(written);
    const inputs = written.inputs.map((input) =>
      input.visibility === "private" ? { visibility: "private" } : input,
    );
    return { ...toTaskJson(written), inputs };
  });
  const forms = request.tasks.map((task) => formOf(task));
  return { ...record, forms, request: { destinationChainId: request.destinationChainId, tasks } };
}
