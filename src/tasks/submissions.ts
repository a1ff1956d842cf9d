import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import { plural } from "../base/text.js";
import { hdpError, isHdpError, pastableName, suggested } from "../errors/hdp-error.js";
import type { Preflight } from "../plugin/actions/preflight-action.js";
import type { ResumeOptions } from "../plugin/actions/record-actions.js";
import type { ResolvedDestination } from "../plugin/connected-processor.js";
import { resolveDestination } from "../plugin/destination.js";
import { knownInOtherForm, findOtherForms, otherFormText } from "../plugin/other-form.js";
import {
  fieldsOffered,
  finishSubmission,
  requireUnobstructed,
  valuedResults,
} from "../plugin/submit.js";
import { knownPrograms } from "../plugin/known-programs.js";
import { Session } from "../plugin/session.js";
import { EvmStores } from "../plugin/stores/evm-stores.js";
import { isStarknet } from "../request/chains.js";
import type { FieldChoice } from "../request/reader.js";
import type { Unit } from "../request/describe-task.js";
import { taskHash } from "../request/task-hash.js";
import type { Rehearsal, Submission, SubmitPlan } from "../request/data-processor.js";
import type { TaskRequest } from "../request/task.js";
import { otherFormLine } from "../submission/lookup.js";
import { isUndecided, submittedHashes } from "../submission/model.js";
import { describeSubmission } from "../submission/recovery.js";
import { byDestination, readRequests } from "./requests/task-files.js";
import { connectForTask, shownName, tasksNamed } from "./named-tasks.js";
import { type Flags, milliseconds, type Optional } from "./options.js";
import { command, type CommandContext } from "./run-command.js";
import { submissionDocument } from "./submission-document.js";
import { mayCost } from "./ui/confirm.js";
import { parseUnit, printRehearsals, printResults, provabilityLines } from "./ui/format.js";
import { preview, printPreflight, printRefusals } from "./ui/preview.js";
import { printQueries, showProgress } from "./ui/progress.js";
import { printBlock, printRecord, printTable, type Screen, style } from "./ui/screen.js";

type SubmitFlags = Flags<
  "noWait" | "force" | "unsupportedFields" | "dryRun" | "noRehearsal" | "yes"
>;
type SubmitArguments = { file: string; more: string[] } & SubmitFlags &
  Optional<"timeout" | "unit" | "request" | "watch" | "since">;
type RehearsalArguments = Flags<"force" | "noRehearsal"> & {
  unit: Unit | undefined;
  /** What a dry run printed before. */
  preflight?: Preflight;
};
type ParsedArguments = SubmitFlags &
  RehearsalArguments & {
    timeout: number | undefined;
    /** The transaction in which a contract asked for the tasks. */
    transaction?: Hex | undefined;
  };

/** Runs `hdp submit`: submits task files, or what contracts ask for, awaits them and prints their results. */
export const submit = command(async (args: SubmitArguments, context) => {
  const { hre, screen } = context;
  if (args.watch !== undefined) return await watch(args.watch, args, context);
  const timeout = milliseconds(args.timeout, "--timeout");
  const unit = parseUnit(args.unit);
  // Only a connection says whether a service may know other fields.
  const fields = args.unsupportedFields
    ? await fieldsOffered(Session.of(await hre.network.getOrCreate()), args)
    : "supported";
  const { requests, transaction } = await gatherRequests(args, context, fields);
  // Opens the connection, which checks the network's name, before anything is sent.
  const connection = await hre.network.getOrCreate();
  const documents: object[] = [];
  if (args.dryRun) {
    const { runPreflight } = await import("../plugin/actions/preflight-action.js");
    for (const request of requests) {
      preview(screen, request.tasks, knownPrograms(hre.config));
      const session = Session.of(connection);
      const preflight = await runPreflight(request, session);
      printPreflight(screen, preflight);
      if (printRefusals(screen, preflight.refusals) > 0) {
        process.exitCode = 1;
        documents.push({ ...preflight, request: undefined });
        continue;
      }
      const destination = await resolveDestination(request.destinationChainId, session);
      const rehearsals = await rehearse(
        { request, destination },
        { ...args, unit, preflight },
        connection,
        screen,
      );
      documents.push({ ...preflight, rehearsals, request: undefined });
    }
    printBlock(screen, "  Nothing was sent.");
    return documents.length === 1 ? documents[0] : { preflights: documents };
  }
  // An in-process chain ends with the command: nobody sees its traces.
  const stores = Session.of(connection).part(EvmStores);
  stores.hasTraces = false;
  for (const request of requests) {
    const given = { ...args, timeout, unit, transaction };
    const document = await submitOne(request, given, connection, context);
    // Undefined if the user answered no.
    if (document !== undefined) documents.push(document);
  }
  stores.hasTraces = true;
  return requests.length === 1 && documents.length === 1
    ? documents[0]
    : { submissions: documents };
});

/** Returns the requests of task files, or what a transaction asked for. */
async function gatherRequests(
  { request: transaction, file, more }: SubmitArguments,
  { hre, screen }: CommandContext,
  fields: FieldChoice,
): Promise<{ requests: readonly TaskRequest[]; transaction?: Hex }> {
  if (transaction === undefined)
    return { requests: byDestination(await readRequests([file, ...more], hre, screen, fields)) };
  const { refuseFiles, requestedBy } = await import("./contract-requests.js");
  refuseFiles([file, ...more], "--request");
  const asked = await requestedBy(transaction, await hre.network.getOrCreate());
  return { requests: [asked.request], transaction: asked.transaction };
}

/** Submits what a contract asks for, as it does. A service's answer is not awaited. */
async function watch(
  contract: string,
  args: SubmitArguments,
  context: CommandContext,
): Promise<unknown> {
  const { file, more, since, yes } = args;
  const { refuseFiles, watchContract } = await import("./contract-requests.js");
  refuseFiles([file, ...more], "--watch");
  const timeout = milliseconds(args.timeout, "--timeout");
  const unit = parseUnit(args.unit);
  const connection = await context.hre.network.getOrCreate();
  const { info } = await Session.of(connection).processor();
  const noWait = info.kind === "remote";
  return await watchContract(
    {
      contract,
      since,
      timeout,
      yes,
      submit: async (request, transaction) => {
        const given = { ...args, yes: true, noWait, timeout: undefined, unit, transaction };
        return await submitOne(request, given, connection, context);
      },
    },
    connection,
    context,
  );
}

/** Runs what would be sent to a service here, prints the results, and returns them. */
async function rehearse(
  { request, destination }: { request: TaskRequest; destination: ResolvedDestination },
  { noRehearsal, force, unit, preflight }: RehearsalArguments,
  connection: NetworkConnection<string>,
  screen: Screen,
): Promise<readonly Rehearsal[]> {
  if (noRehearsal) return [];
  const { submissions } = await Session.of(connection).processor();
  const rehearsals = await submissions.rehearse(request, { force }, destination.store);
  const tasks = request.tasks.map((task) => ({ hash: taskHash(task), task }));
  // What is provable was said, except of modules: their blocks are known only now.
  const isSaid = provabilityLines(preflight?.provability).length > 0;
  const withoutIt = rehearsals.map((one) => ({ ...one, provability: undefined }));
  printRehearsals(screen, isSaid ? withoutIt : rehearsals, { tasks, unit });
  return rehearsals;
}

/** Returns the request's part of the `--json` document. */
async function submitOne(
  request: TaskRequest,
  args: ParsedArguments,
  connection: NetworkConnection<string>,
  context: CommandContext,
): Promise<object | undefined> {
  const { noWait, force, yes, timeout, unit, transaction } = args;
  const { hre, screen } = context;
  const { networkName, networkConfig } = connection;
  const { destinationChainId, tasks } = request;
  const session = Session.of(connection);
  const { info: processor, submissions } = await session.processor();
  if (noWait && processor.kind === "local") throw hdpError("HDP-6007", {}, { path: "--no-wait" });
  preview(screen, request.tasks, knownPrograms(hre.config));
  const where = `${destinationChainId} (network "${networkName}", ${processor.description})`;
  screen.line(`  ${style.strong("Destination")}  ${where}`);
  screen.line();

  const isRemote = processor.kind === "remote";
  if (isRemote) await warnOfUndecided(request, session, context);
  const destination = await resolveDestination(destinationChainId, session);
  const known = await knownInOtherForm(tasks, session, destination.store);
  for (const one of known) screen.line(`  ${style.bad("!")} ${otherFormLine(one)}`);
  // Whatever ends it ends it before a run that may take long, and before the question.
  await requireUnobstructed(session, request, { force, requestedBy: transaction }, destination);
  const rehearsals = await rehearse({ request, destination }, args, connection, screen);
  const work = { destination, what: plural(tasks.length, "task"), processor };
  if (!(await mayCost(work, session, yes, context))) return undefined;
  const onPlan = ({ sentences }: SubmitPlan): void =>
    sentences.forEach((sentence) => screen.line(`  ${sentence}`));
  const options = { force, onPlan, rehearsal: false, requestedBy: transaction };
  const submission = await submissions.submit(request, options, destination.store);
  if (isRemote) printAccepted(submission, networkName, screen);
  if (noWait) return { processor, networkName, rehearsals, submission };
  const progress = showProgress(screen, { timeout: timeout ?? session.config.timeouts.await });
  const waiting = { ...progress.listeners, timeout };
  const finished = await finishSubmission(session, submission, waiting, destination).finally(() =>
    progress.end(),
  );
  const results = await valuedResults(finished, request, session);
  // Results for a devnet stay there.
  const isGone =
    networkConfig.type === "edr-simulated" && !session.config.starknet[destinationChainId]?.account;
  const after = isStarknet(destinationChainId) ? `--destination ${destinationChainId}` : undefined;
  const next = (hash: string) =>
    ["Read it", suggested("hdp:result", [hash], { network: networkName, after })] as const;
  const named = submission.taskHashes.map((hash, at) => ({ hash, task: tasks[at] }));
  printResults(screen, results, { tasks: named, unit, next: isGone ? undefined : next });
  if (isGone) {
    screen.line("  The in-process chain ends with this command, and the store on it too.");
    screen.line(
      `  To keep results: ${style.command("npx hardhat hdp:node")}, then this with --network localhost.`,
    );
  }
  return { processor, networkName, rehearsals, submission, status: finished.status, results };
}

/** For the same tasks, the error that stops the submission reports them. */
async function warnOfUndecided(
  { tasks }: TaskRequest,
  session: Session,
  context: CommandContext,
): Promise<void> {
  const { hre, screen } = context;
  // A development chain restarts, which ends the submissions for it.
  if (await session.isDevelopment()) return;
  const hashes = tasks.map((task) => taskHash(task));
  const unfinished = await hre.hdp.submissions.list({ unfinished: true });
  const others = unfinished.filter(
    (record) =>
      isUndecided(record) && !submittedHashes(record).some((hash) => hashes.includes(hash)),
  );
  if (others.length === 0) return;
  const count = plural(others.length, "other submission");
  screen.line(
    `  ${style.bad("!")} ${count} of unknown outcome: ${style.command("npx hardhat hdp list")}`,
  );
}

/** Sets exit code 1 where the service hashed a task differently. */
function printAccepted({ parts, taskHashes }: Submission, network: string, screen: Screen): void {
  for (const part of parts) {
    part.serviceTaskHashes?.forEach((theirs, index) => {
      const ours = part.taskHashes[index];
      if (ours === undefined || theirs.toLowerCase() === ours) return;
      const difference = `the service returned ${theirs} for task ${ours}: it may compute another task.`;
      const search = "Its result is looked for under both hashes, first under the task's own.";
      screen.line(`  ${style.bad("!")} ${difference} ${search}`);
      process.exitCode = 1;
    });
  }
  if (parts.length === 0) return;
  const ids = parts.map((part) => part.id);
  screen.line(`  ${style.strong("Submission")}  ${ids.join(", ")}`);
  const names = ids.map((one) => pastableName(one, taskHashes[0]));
  screen.line(
    `  Waiting can be resumed: ${style.command(suggested("hdp:await", names, { network }))}`,
  );
}

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
  const { name, phase, detail } = await submissions.status(submission);
  screen.line(`  ${style.strong("Submission")}  ${shownName(id, hre)}`);
  screen.line(`  ${style.strong(name)}  ${phase}${detail === undefined ? "" : `, ${detail}`}`);
  const otherForms = findOtherForms(id, hre);
  for (const one of otherForms) screen.line(`  ${otherFormText(one)}`);
  const { passedStates } = await import("../plugin/services.js");
  const history = await passedStates(session, submission);
  const isOne = submission.parts.length === 1;
  const rows = history.map((one) => [one.state, one.at, ...(isOne ? [] : [one.id])]);
  const titles = ["STATE", "AT", ...(isOne ? [] : ["TASK"])];
  if (rows.length > 0) printTable(screen, titles, rows);
  return { id, name, phase, detail, otherForms, history };
});

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
