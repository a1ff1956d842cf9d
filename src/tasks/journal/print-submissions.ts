import type { CallRecord } from "../../plugin/actions/storage-proof-actions.js";
import { nameOfCall, sentBefore, stateOfCall } from "../../plugin/submission-network.js";
import type { SentCall, SubmissionRecord } from "../../plugin/actions/journal-actions.js";
import { describeTask } from "../../request/describe-task.js";
import type { Task } from "../../request/task.js";
import { toTaskJson } from "../../request/parse.js";
import { elapsed } from "../ui/format.js";
import { plural } from "../../base/text.js";
import { style, type Screen } from "../ui/screen.js";

type SentRequest = NonNullable<SubmissionRecord["request"]>;
type SentTask = SentRequest["tasks"][number];

/**
 * A journal record for a `--json` document: results as a list, the request as a task file. Private inputs of modules
 * are there without their values, which the journal does not hold.
 */
export function recordDocument(record: SubmissionRecord): Record<string, unknown> {
  const { request, results, destinationChainId } = record;
  const file = request === undefined ? {} : { request: { destinationChainId, tasks: request.tasks.map(sentTaskJson) } };
  return { ...record, ...file, results: [...results.values()] };
}

function sentTaskJson(task: SentTask): unknown {
  const json = toTaskJson(readable(task));
  return task.type === "Module" ? { ...json, inputs: task.inputs } : json;
}

/** The task with a word where the value of a private input was: its description names none. */
function readable(task: SentTask): Task {
  if (task.type !== "Module") {
    const { aggregateFnId, aggregateFnCtx } = task.compute;
    return { ...task, compute: aggregateFnCtx === undefined ? { aggregateFnId } : { aggregateFnId, aggregateFnCtx } };
  }
  const inputs = task.inputs.map((input) => ({ value: "0x0" as const, ...input }));
  return { ...task, inputs };
}

/** What each task of a submission is, one line each. */
export function taskLines({ request }: SubmissionRecord): string[] {
  return (request?.tasks ?? []).map((task, index) => {
    const { title, lines } = describeTask(readable(task));
    return `${String(index + 1)}  ${[title, ...lines].join(", ")}`;
  });
}

/** Whether nobody knows if the service accepted it. */
export function isUndecided({ state }: Pick<SubmissionRecord, "state">): boolean {
  return state === "intent" || state === "unknown";
}

/** Explains submissions whose answer was lost, with the ways out of each. */
export function printUndecided(screen: Screen, records: readonly SubmissionRecord[]): void {
  for (const record of records.filter(isUndecided)) {
    screen.line();
    screen.line(`  ${style.bad("!")} Submission ${record.id}: ${record.explanation.summary}`);
    for (const { text } of record.explanation.waysOut) screen.line(`      ${text}`);
  }
}

/**
 * Says before sending that other submissions are of unknown outcome, and where they are explained. Of the same tasks the
 * error that stops the submission tells; only where they are sent nevertheless is it told here.
 */
export function printOtherUndecided(
  screen: Screen,
  records: readonly SubmissionRecord[],
  { taskHashes, force }: { readonly taskHashes: readonly string[]; readonly force: boolean },
): void {
  const undecided = records.filter(isUndecided);
  const same = undecided.filter((record) => record.taskHashes.some((hash) => taskHashes.includes(hash)));
  if (force) printUndecided(screen, same);
  const others = undecided.length - same.length;
  if (others === 0) return;
  screen.line(
    `  ${style.bad("!")} ${plural(others, "other submission")} of unknown outcome: ${style.command("npx hardhat hdp list")}`,
  );
}

/** One line a submission for the history. */
export function recordRow(record: SubmissionRecord, now: number): string[] {
  const last = record.states.at(-1)?.name;
  return [
    record.serviceId ?? record.id,
    last === undefined || last.toLowerCase() === record.state ? record.state : `${record.state} (${last})`,
    elapsed(now - Date.parse(record.firstAt)),
    record.network,
    record.destinationChainId,
    plural(record.taskHashes.length, "task"),
  ];
}

/** Whether something is left to wait for: of a grow order nobody knows when it ends. */
export function isUnfinishedCall(call: SentCall): boolean {
  return isUndecided(call) || (call.kind === "storage-proof" && call.state === "open");
}

/** Explains what was sent beside tasks and whose answer was lost, with the ways out of each. */
export function printUndecidedCalls(screen: Screen, calls: readonly SentCall[]): void {
  for (const call of calls.filter(isUndecided)) {
    screen.line();
    screen.line(`  ${style.bad("!")} ${nameOfCall(call)}, ${call.id}: ${call.explanation.summary}`);
    for (const { text } of call.explanation.waysOut) screen.line(`      ${text}`);
  }
}

/** One line a call for the history. */
export function callRow(call: SentCall, now: number): string[] {
  const { id, serviceId, network, endpointHost } = call;
  const age = elapsed(now - Date.parse(call.firstAt));
  return [serviceId ?? id, stateOfCall(call), age, network, endpointHost ?? "", nameOfCall(call)];
}

/** Says that something was sent before and is not sent again. */
export function printEarlier(screen: Screen): (earlier: CallRecord) => void {
  return (earlier) => {
    screen.line();
    screen.line(`  ${style.bad("!")} Nothing is sent: it was ${sentBefore(earlier)}.`);
    screen.line("    To send it again, which may be charged again: --force");
  };
}
