import { nameOfCall } from "../../plugin/submission-network.js";
import type {
  ResumeCallOptions,
  ResumedCall,
  ResumedSubmission,
  ResumeOptions,
  SentCall,
} from "../../plugin/actions/journal-actions.js";
import type { HdpConnection } from "../../plugin/hdp.js";
import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import { milliseconds } from "../option-values.js";
import { command } from "../run-command.js";
import { plural } from "../../base/text.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { style, type Screen } from "../ui/screen.js";
import { printRecord } from "../ui/table.js";
import { printQueries, queriesAsStatus } from "../services/storage-proofs.js";
import { isUndecided, isUnfinishedCall, recordDocument } from "./print-submissions.js";

interface Arguments {
  readonly id: string | undefined;
  readonly accepted: string | undefined;
  readonly lost: boolean;
  readonly timeout: string | undefined;
}

export const resume = command(async ({ id, accepted, lost, timeout }: Arguments, { hre, screen }) => {
  const options = { accepted, lost, timeout: milliseconds(timeout, "--timeout") };
  if (id === undefined && (lost || accepted !== undefined)) throw hdpError("HDP-6046", {}, { path: "id" });
  const { hdp } = await hre.network.getOrCreate();
  if (id === undefined) return await resumeAll(hdp, options, screen);
  const call = await callOf(hdp, id);
  return call === undefined
    ? documentOf(await resumeOne(hdp, id, options, screen))
    : await resumeOneCall(hdp, call, options, screen);
});

/** What was sent beside tasks under a name, unless a submission has it. */
async function callOf(hdp: HdpConnection, name: string): Promise<SentCall | undefined> {
  const calls = await hdp.journal.calls();
  const call = calls.find(({ id }) => id === name) ?? calls.findLast(({ serviceId }) => serviceId === name);
  // All submissions are gone through only where a call has the name.
  const records = call === undefined ? [] : await hdp.journal.list();
  return records.some(({ id, serviceId }) => id === name || serviceId === name) ? undefined : call;
}

async function resumeOneCall(
  hdp: HdpConnection,
  call: SentCall,
  options: Pick<ResumeOptions, "accepted" | "lost" | "timeout">,
  screen: Screen,
): Promise<ResumedCall> {
  const progress = new Progress(screen);
  screen.line();
  screen.line(`  ${style.strong(nameOfCall(call))}  ${call.serviceId ?? call.id}`);
  const onQueries: ResumeCallOptions["onQueries"] = (seen) => {
    progress.onStatus(queriesAsStatus(seen));
  };
  const resumed = await hdp.journal.resumeCall(call.id, { ...options, onQueries }).finally(() => progress.end());
  screen.line(`  ${resumed.record.explanation.summary}`);
  if (resumed.queries !== undefined) printQueries(screen, resumed.queries);
  if (resumed.order !== undefined) printRecord(screen, nameOfCall(call), resumed.order);
  return resumed;
}

async function resumeOne(
  hdp: HdpConnection,
  id: string,
  options: ResumeOptions,
  screen: Screen,
): Promise<ResumedSubmission> {
  const progress = new Progress(screen);
  screen.line();
  screen.line(`  ${style.strong("Submission")}  ${id}`);
  const resumed = await hdp.journal
    .resume(id, { ...options, onStatus: progress.onStatus, onPause: progress.onPause })
    .finally(() => progress.end());
  const { record, results } = resumed;
  if (results.length > 0) printResults(screen, results);
  else screen.line(`  ${record.explanation.summary}`);
  return resumed;
}

/** Resumes whatever is unfinished; one that can't be finished does not keep the others from it. */
async function resumeAll(hdp: HdpConnection, options: ResumeOptions, screen: Screen): Promise<readonly unknown[]> {
  const unfinished = await hdp.journal.list({ unfinished: true });
  const calls = (await hdp.journal.calls()).filter(isUnfinishedCall);
  const total = unfinished.length + calls.length;
  if (total === 0) screen.line("  Nothing was interrupted: every submission is finished.");
  const documents: unknown[] = [];
  let failures = 0;
  for (const record of unfinished) {
    // What the journal's id names is unambiguous, also where a task was submitted several times.
    try {
      documents.push(documentOf(await resumeOne(hdp, record.id, options, screen)));
    } catch (error) {
      if (!isHdpError(error)) throw error;
      failures += 1;
      screen.line(
        `  ${style.bad("✘")} ${isUndecided(record) ? [error.code, record.explanation.summary].join(": ") : error.message}`,
      );
      if (isUndecided(record)) record.explanation.waysOut.forEach((way) => screen.line(`      ${way.text}`));
      documents.push({ record: recordDocument(record), error: { code: error.code, message: error.message } });
    }
  }
  for (const call of calls) {
    try {
      documents.push(await resumeOneCall(hdp, call, options, screen));
    } catch (error) {
      if (!isHdpError(error)) throw error;
      failures += 1;
      const text = isUndecided(call) ? [error.code, call.explanation.summary].join(": ") : error.message;
      screen.line(`  ${style.bad("✘")} ${text}`);
      if (isUndecided(call)) call.explanation.waysOut.forEach((way) => screen.line(`      ${way.text}`));
      documents.push({ record: call, error: { code: error.code, message: error.message } });
    }
  }
  if (failures > 0) {
    screen.line();
    screen.line(`  ${plural(failures, "submission")} of ${String(total)} could not be finished.`);
    process.exitCode = 1;
  }
  return documents;
}

function documentOf({ record, results }: ResumedSubmission): Record<string, unknown> {
  return { record: recordDocument(record), results };
}
