import type { NewTaskActionFunction } from "hardhat/types/tasks";

import { atTheEdge } from "../plugin/plugin-error.js";
import type { ResumedSubmission, ResumeOptions } from "../plugin/actions/journal.js";
import type { HdpConnection } from "../plugin/hdp.js";
import { HdpError, isHdpError } from "../base/errors.js";
import { timeoutMilliseconds } from "./command.js";
import { plural } from "./ui/format.js";
import { Progress } from "./ui/progress.js";
import { printResults } from "./ui/results.js";
import { style, terminalScreen, type Screen } from "./ui/screen.js";
import { isUndecided, isUnfinished, recordDocument } from "./ui/submissions.js";

interface ResumeArguments {
  readonly id: string | undefined;
  readonly accepted: string | undefined;
  readonly lost: boolean;
  readonly timeout: string | undefined;
  readonly json: boolean;
}

const action: NewTaskActionFunction<ResumeArguments> = async ({ id, accepted, lost, timeout, json }, hre) => {
  await atTheEdge(async () => {
    const options = { accepted, lost, timeout: timeoutMilliseconds(timeout) };
    if (id === undefined && (lost || accepted !== undefined)) throw whichOne();
    const { hdp } = await hre.network.getOrCreate();
    const screen = terminalScreen(json);
    if (id === undefined) {
      await resumeAll(hdp, options, screen);
      return;
    }
    screen.document(documentOf(await resumeOne(hdp, id, options, screen)));
  });
};

export default action;

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
    .resume(id, { ...options, onStatus: progress.onStatus })
    .finally(() => progress.end());
  const { record, results } = resumed;
  if (results.length > 0) printResults(screen, results);
  else screen.line(`  ${record.explanation.summary}`);
  return resumed;
}

/** Resumes whatever is unfinished; one that can't be finished does not keep the others from it. */
async function resumeAll(hdp: HdpConnection, options: ResumeOptions, screen: Screen): Promise<void> {
  const unfinished = (await hdp.journal.list()).filter(isUnfinished);
  if (unfinished.length === 0) screen.line("  Nothing was interrupted: every submission is finished.");
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
  if (failures > 0) {
    screen.line();
    screen.line(`  ${plural(failures, "submission")} of ${String(unfinished.length)} could not be finished.`);
    process.exitCode = 1;
  }
  screen.document(documents);
}

function documentOf({ record, results }: ResumedSubmission): Record<string, unknown> {
  return { record: recordDocument(record), results };
}

function whichOne(): HdpError {
  return new HdpError({
    code: "HDP-6046",
    path: "id",
    message: "--accepted and --lost are about one submission.",
    hints: ["Name it: npx hardhat hdp:resume <id> --lost. npx hardhat hdp:list shows the ids."],
  });
}
