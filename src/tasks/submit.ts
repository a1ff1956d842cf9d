import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";

import { plural } from "../base/text.js";
import { hdpError, pastableName, suggested } from "../errors/hdp-error.js";
import type { Preflight } from "../plugin/actions/preflight-action.js";
import type { ResolvedDestination } from "../plugin/connected-processor.js";
import { resolveDestination } from "../plugin/destination.js";
import { knownInOtherForm } from "../plugin/other-form.js";
import {
  fieldsOffered,
  finishSubmission,
  requireUnobstructed,
  valuedResults,
} from "../plugin/checked-request.js";
import { knownPrograms } from "../plugin/known-programs.js";
import { Session } from "../plugin/session.js";
import { EvmStores } from "../plugin/stores/evm-stores.js";
import { isStarknet } from "../request/chains.js";
import type { FieldChoice } from "../request/reader.js";
import type { Unit } from "../request/describe-task.js";
import { taskHash } from "../request/task-hash.js";
import type { Rehearsal, Submission, SubmitPlan } from "../request/data-processor.js";
import type { TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import { otherFormLine } from "../submission/lookup.js";
import { isUndecided, submittedHashes } from "../submission/model.js";
import { byDestination, readRequests } from "./requests/task-files.js";
import { type Flags, milliseconds, type Optional } from "./options.js";
import { command, type CommandContext } from "./run-command.js";
import { mayCost } from "./ui/confirm.js";
import { parseUnit, printRehearsals, printResults, provabilityLines } from "./ui/format.js";
import { destinationText, preview, printPreflight, printRefusals } from "./ui/preview.js";
import { showProgress } from "./ui/progress.js";
import { printBlock, type Screen, style } from "./ui/screen.js";
import type { ConnectedNetwork } from "../plugin/connected-network.js";

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
  const { hre } = context;
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
  if (args.dryRun) return await runDry(requests, { ...args, unit }, connection, context);
  return await submitAll(requests, { ...args, timeout, unit, transaction }, connection, context);
});

/** Checks requests and runs their tasks here. Sends nothing. Returns the `--json` document. */
async function runDry(
  requests: readonly TaskRequest[],
  args: RehearsalArguments,
  connection: NetworkConnection<string>,
  { hre, screen }: CommandContext,
): Promise<unknown> {
  const { runPreflight } = await import("../plugin/actions/preflight-action.js");
  const session = Session.of(connection);
  const preflights: object[] = [];
  for (const request of requests) {
    preview(screen, request.tasks, knownPrograms(hre.config));
    const preflight = await runPreflight(request, session);
    const document = { ...preflight, request: undefined };
    printPreflight(screen, preflight, hre.config);
    if (printRefusals(screen, preflight.refusals) > 0) {
      process.exitCode = 1;
      preflights.push(document);
      continue;
    }
    const destination = await resolveDestination(request.destinationChainId, session);
    const checked = { request, destination };
    const rehearsals = await rehearse(checked, { ...args, preflight }, connection, screen);
    preflights.push({ ...document, rehearsals });
  }
  printBlock(screen, "  Nothing was sent.");
  return preflights.length === 1 ? preflights[0] : { preflights };
}

/** Submits requests, one after the other. Returns the `--json` document. */
async function submitAll(
  requests: readonly TaskRequest[],
  args: ParsedArguments,
  connection: NetworkConnection<string>,
  context: CommandContext,
): Promise<unknown> {
  // An in-process chain ends with the command: nobody sees its traces.
  const stores = Session.of(connection).part(EvmStores);
  stores.hasTraces = false;
  const submissions: object[] = [];
  for (const request of requests) {
    const document = await submitOne(request, args, connection, context);
    // Undefined if the user answered no.
    if (document !== undefined) submissions.push(document);
  }
  stores.hasTraces = true;
  return requests.length === 1 && submissions.length === 1 ? submissions[0] : { submissions };
}

/** Returns the requests of task files, or what a transaction asked for. */
async function gatherRequests(
  { request: transaction, file, more }: SubmitArguments,
  { hre, screen }: CommandContext,
  fields: FieldChoice,
): Promise<{ requests: readonly TaskRequest[]; transaction?: Hex }> {
  if (transaction === undefined)
    return { requests: byDestination(await readRequests([file, ...more], hre, screen, fields)) };
  const { refuseFiles, requestedBy } = await import("./requests/from-contracts.js");
  refuseFiles([file, ...more], "--request");
  const asked = await requestedBy(transaction, await hre.network.getOrCreate());
  return { requests: [asked.request], transaction: asked.transaction };
}

/** Runs `hdp submit --watch`: submits what a contract asks for, as soon as it does. Results of a service are not awaited. */
async function watch(
  contract: string,
  args: SubmitArguments,
  context: CommandContext,
): Promise<unknown> {
  const { file, more, since, yes } = args;
  const { refuseFiles, watchContract } = await import("./requests/from-contracts.js");
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

/** Submits a request. Returns its part of the `--json` document; undefined if the user answered no. */
async function submitOne(
  request: TaskRequest,
  args: ParsedArguments,
  connection: NetworkConnection<string>,
  context: CommandContext,
): Promise<object | undefined> {
  const { noWait, force, yes, timeout, unit, transaction } = args;
  const { hre, screen } = context;
  const { networkName } = connection;
  const { destinationChainId, tasks } = request;
  const session = Session.of(connection);
  const { info: processor, submissions } = await session.processor();
  if (noWait && processor.kind === "local") throw hdpError("HDP-6007", {}, { path: "--no-wait" });
  preview(screen, tasks, knownPrograms(hre.config));
  const where = destinationText(destinationChainId, networkName, { processor, config: hre.config });
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
  printFinished(screen, results, { request, submission, unit, connection });
  return { processor, networkName, rehearsals, submission, status: finished.status, results };
}

/** Prints results, and how to read them again: those on a chain in this process end with it. */
function printFinished(
  screen: Screen,
  results: readonly TaskResult[],
  {
    request: { destinationChainId: chain, tasks },
    submission,
    unit,
    connection: { networkName: network, networkConfig },
  }: {
    readonly request: TaskRequest;
    readonly submission: Submission;
    readonly unit: Unit | undefined;
    readonly connection: NetworkConnection<string>;
  },
): void {
  const named = submission.taskHashes.map((hash, at) => ({ hash, task: tasks[at] }));
  // Results for a devnet stay there.
  const isGone =
    networkConfig.type === "edr-simulated" && !networkConfig.hdp.starknet[chain]?.account;
  if (!isGone) {
    const after = isStarknet(chain) ? `--destination ${chain}` : undefined;
    const next = (hash: string) =>
      ["Read it", suggested("hdp:result", [hash], { network, after })] as const;
    printResults(screen, results, { tasks: named, unit, next });
    return;
  }
  printResults(screen, results, { tasks: named, unit });
  screen.line("  The in-process chain ends with this command, and the store on it too.");
  screen.line(
    `  To keep results: ${style.command("npx hardhat hdp:node")}, then this with --network localhost.`,
  );
}

/** Warns of submissions of unknown outcome. For the same tasks, the error that stops the submission reports them. */
async function warnOfUndecided(
  { tasks }: TaskRequest,
  session: ConnectedNetwork,
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
