import { plural } from "../../base/text.js";
import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import type { ResumeOptions } from "../../plugin/actions/record-actions.js";
import { nameOf } from "../../submission/recovery.js";
import { command, type CommandContext, type Flags, milliseconds, type Optional } from "../run-command.js";
import { printQueries, queriesAsStatus } from "../services/storage-proofs.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { printBlock, printRecord, style } from "../ui/screen.js";
import { documentOf, printStanding } from "./list.js";
import { connectionOf } from "./named.js";

export const awaitSubmissions = command(async (args: { ids: string[] } & Optional<"timeout">, { hre, screen }) => {
  const timeout = milliseconds(args.timeout, "--timeout");
  const documents: unknown[] = [];
  for (const id of args.ids) {
    const { hdp, networkName } = await connectionOf(id, hre);
    const progress = new Progress(screen);
    const finished = await hdp.await(id, { ...progress.listeners, timeout }).finally(() => progress.end());
    const { submission, status } = finished;
    const results = await finished.results();
    printResults(screen, results, {
      next: (hash) => ["Read it", suggested("hdp:result", [hash], { network: networkName })],
    });
    documents.push({ submission, status, results });
  }
  return documents.length === 1 ? documents[0] : { submissions: documents };
});

export const status = command(async ({ id }: { id: string }, { hre, screen }) => {
  const { name, phase, detail } = await (await connectionOf(id, hre)).hdp.status(id);
  screen.line(`  ${style.strong(name)}  ${phase}${detail === undefined ? "" : `, ${detail}`}`);
  return { id, name, phase, detail };
});

type ResumeArguments = Optional<"id" | "accepted" | "timeout"> & Flags<"lost" | "force">;

export const resume = command(async ({ id, accepted, lost, force, timeout }: ResumeArguments, context) => {
  const options = { accepted, lost, force, timeout: milliseconds(timeout, "--timeout") };
  if (id !== undefined) return await resumeOne(id, options, context);
  if (lost || accepted !== undefined) {
    const example = "npx hardhat hdp resume <id> --lost. npx hardhat hdp list shows the ids.";
    throw hdpError("HDP-6016", { what: "submission", example }, { path: "id" });
  }
  return await resumeAll(options, context);
});

async function resumeOne(name: string, options: ResumeOptions, { hre, screen }: CommandContext): Promise<unknown> {
  const progress = new Progress(screen);
  printBlock(screen, `  ${style.strong("Submission")}  ${name}`);
  const resumed = await hre.hdp.submissions
    .resume(name, {
      ...options,
      ...progress.listeners,
      onQueries: (queries) => progress.onStatus(queriesAsStatus(queries)),
    })
    .finally(() => progress.end());
  const { record, results, queries, order } = resumed;
  if (results.length > 0) printResults(screen, results);
  else screen.line(`  ${record.explanation.summary}`);
  if (queries !== undefined) printQueries(screen, queries);
  if (order !== undefined) printRecord(screen, nameOf(record), order);
  return { ...resumed, record: documentOf(record) };
}

/** Resumes all unfinished submissions; one that cannot be finished does not stop the others. */
async function resumeAll(options: ResumeOptions, context: CommandContext): Promise<readonly unknown[]> {
  const { hre, screen } = context;
  const unfinished = await hre.hdp.submissions.list({ unfinished: true });
  if (unfinished.length === 0) screen.line("  Nothing was interrupted: every submission is finished.");
  const documents: unknown[] = [];
  let failures = 0;
  for (const record of unfinished) {
    try {
      documents.push(await resumeOne(record.id, options, context));
    } catch (error) {
      if (!isHdpError(error)) throw error;
      failures += 1;
      const { code, message } = error;
      if (code === "HDP-5009") printStanding(screen, record);
      else screen.line(`  ${style.bad("✘")} ${message}`);
      documents.push({ record: documentOf(record), error: { code, message } });
    }
  }
  if (failures > 0) {
    printBlock(screen, `  ${plural(failures, "submission")} of ${String(unfinished.length)} could not be finished.`);
    process.exitCode = 1;
  }
  return documents;
}
