import { plural } from "../base/text.js";
import { hdpError, isHdpError, suggested } from "../errors/hdp-error.js";
import type { ResumeOptions } from "../plugin/actions/record-actions.js";
import { CHAIN_GONE, goneText, goneWithItsChain } from "../plugin/chain-before.js";
import { networkOfResults } from "../plugin/delivery-network.js";
import { findOtherForms, otherFormText } from "../plugin/other-form.js";
import { Session } from "../plugin/session.js";
import { shownId, STATES } from "../submission/model.js";
import { describeSubmission, sendAgain } from "../submission/recovery.js";
import type { StoredSubmission } from "../submission/stored-submission.js";
import { connectForTask, shownName, tasksNamed } from "./named-tasks.js";
import { type Flags, milliseconds, type Optional } from "./options.js";
import { command, type CommandContext } from "./run-command.js";
import { submissionDocument } from "./submission-document.js";
import { printResults } from "./ui/format.js";
import { printQueries, showProgress } from "./ui/progress.js";
import { printBlock, printRecord, printTable, style } from "./ui/screen.js";

/** Runs `hdp await`: waits for submissions and prints their results. */
export const awaitSubmissions = command(
  async (args: { ids: string[] } & Optional<"timeout">, { hre, screen }) => {
    const timeout = milliseconds(args.timeout, "--timeout");
    const documents: unknown[] = [];
    for (const id of args.ids) {
      const { hdp, networkName } = await connectForTask(id, hre);
      const progress = showProgress(screen);
      const finished = await hdp
        .await(id, { ...progress.listeners, timeout })
        .finally(() => progress.end());
      const { submission, status } = finished;
      const results = await finished.results();
      printResults(screen, results, {
        tasks: tasksNamed(id, hre),
        next: (hash) => ["Read it", suggested("hdp:result", [hash], { network: networkName })],
      });
      documents.push({ submission, status, results });
    }
    return documents.length === 1 ? documents[0] : { submissions: documents };
  },
);

/** Runs `hdp status`: prints the state of a submission, and those that its service says it has passed. */
export const status = command(async ({ id }: { id: string }, { hre, screen }) => {
  const session = Session.of(await connectForTask(id, hre));
  const { submissions } = await session.processor();
  const submission = submissions.find(id);
  screen.line(`  ${style.strong("Submission")}  ${shownName(id, hre)}`);
  const gone = await goneWithItsChain(session, submission);
  if (gone !== undefined) return printGone(gone, { hre, screen });
  const { name, phase, detail } = await submissions.status(submission);
  screen.line(`  ${style.strong(name)}  ${phase}${detail === undefined ? "" : `, ${detail}`}`);
  const otherForms = findOtherForms(id, hre);
  for (const one of otherForms) screen.line(`  ${otherFormText(one)}`);
  const { passedStates } = await import("../plugin/services.js");
  const history = await passedStates(session, submission);
  const isOne = submission.parts.length === 1;
  const rows = history.map((one) => [one.state, one.at, ...(isOne ? [] : [one.id])]);
  const titles = ["STATE", "AT", ...(isOne ? [] : ["TASK"])];
  if (rows.length > 0) printTable(screen, titles, rows);
  return { id, name, phase, detail, otherForms, history, chainIsGone: false };
});

/** Prints the state of a submission whose chain is gone, as `hdp list` does. */
function printGone(
  record: StoredSubmission,
  { hre, screen }: Pick<CommandContext, "hre" | "screen">,
): Record<string, unknown> {
  const { name, phase } = CHAIN_GONE;
  const id = shownId(record);
  const detail = goneText(networkOfResults(record, hre.config), [id]);
  screen.line(`  ${style.strong(`${STATES[record.state].shown}, gone`)}`);
  screen.line(`  ${style.bad("!")} ${detail}`);
  screen.line(`    Submit it again: ${style.command(sendAgain(record))}`);
  return {
    id,
    name,
    phase,
    detail,
    otherForms: findOtherForms(id, hre),
    history: [],
    chainIsGone: true,
  };
}

type ResumeArguments = Optional<"id" | "accepted" | "timeout"> & Flags<"lost" | "force">;

/** Runs `hdp resume`: finishes submissions that were interrupted. */
export const resume = command(
  async ({ id, accepted, lost, force, timeout }: ResumeArguments, context) => {
    const options = { accepted, lost, force, timeout: milliseconds(timeout, "--timeout") };
    if (id !== undefined) return await resumeOne(id, options, context);
    if (lost || accepted !== undefined) {
      const example = "npx hardhat hdp resume <id> --lost. npx hardhat hdp list shows the ids.";
      throw hdpError("HDP-6016", { what: "submission", example }, { path: "id" });
    }
    return await resumeAll(options, context);
  },
);

async function resumeOne(
  name: string,
  options: ResumeOptions,
  { hre, screen }: CommandContext,
): Promise<unknown> {
  const progress = showProgress(screen);
  printBlock(screen, `  ${style.strong("Submission")}  ${shownName(name, hre)}`);
  const resumed = await hre.hdp.submissions
    .resume(name, { ...options, ...progress.listeners })
    .finally(() => progress.end());
  const { record, results, queries, order } = resumed;
  if (results.length > 0) printResults(screen, results, { tasks: tasksNamed(name, hre) });
  else screen.line(`  ${record.explanation.summary}`);
  if (queries !== undefined) printQueries(screen, queries);
  if (order !== undefined) printRecord(screen, describeSubmission(record), order);
  return { ...resumed, record: submissionDocument(record) };
}

/** Resumes all unfinished submissions; one that cannot be finished does not stop the others. */
async function resumeAll(
  options: ResumeOptions,
  context: CommandContext,
): Promise<readonly unknown[]> {
  const { hre, screen } = context;
  const unfinished = await hre.hdp.submissions.list({ unfinished: true });
  if (unfinished.length === 0)
    screen.line("  Nothing was interrupted: every submission is finished.");
  const documents: unknown[] = [];
  let failures = 0;
  for (const record of unfinished) {
    try {
      documents.push(await resumeOne(record.id, options, context));
    } catch (error) {
      if (!isHdpError(error)) throw error;
      failures += 1;
      const { code, message } = error;
      for (const line of `${style.bad("✘")} ${message}`.split("\n")) screen.line(`  ${line}`);
      documents.push({ record: submissionDocument(record), error: { code, message } });
    }
  }
  if (failures > 0) {
    printBlock(
      screen,
      `  ${plural(failures, "submission")} of ${String(unfinished.length)} could not be finished.`,
    );
    process.exitCode = 1;
  }
  return documents;
}
