import type { NetworkConnection } from "hardhat/types/network";

import { Session } from "../../plugin/session.js";
import { EvmStores } from "../../plugin/stores/evm-stores.js";
import { knownPrograms, type KnownPrograms } from "../../plugin/known-programs.js";
import { processorOf } from "../../plugin/data-processor.js";
import { isUndecided, taskHashesOf } from "../../submission/model.js";
import type { ProcessorInfo } from "../../submission/submissions.js";
import { hdpError } from "../../errors/hdp-error.js";
import type { Submission, TaskResult, TaskStatus } from "../../request/lifecycle.js";
import { taskHash } from "../../request/task-hash.js";
import type { TaskRequest } from "../../request/task.js";
import { command, type CommandContext, milliseconds } from "../run-command.js";
import type { Preflight } from "../../plugin/actions/preflight-action.js";
import { mayCost } from "../ui/confirm.js";
import { plural } from "../../base/text.js";
import { type FileRequest, readRequests } from "../requests/read-requests.js";
import { preview, printPreflight } from "../ui/preview.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { pastableName, suggested } from "../../errors/suggested.js";
import { style, type Screen } from "../ui/screen.js";
import { parseUnit, type Unit } from "../ui/format.js";

interface Arguments {
  readonly file: string;
  readonly more: string[];
  readonly noWait: boolean;
  readonly force: boolean;
  readonly unsupportedFields: boolean;
  readonly timeout: string | undefined;
  readonly unit: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

export const submit = command(async (args: Arguments, { hre, screen, asker }) => {
  const timeout = milliseconds(args.timeout, "--timeout");
  const unit = parseUnit(args.unit);
  const fields = args.unsupportedFields ? "encodable" : "supported";
  const requests = byDestination(await readRequests([args.file, ...args.more], hre, screen, fields));
  // The connection is opened, and with it the network's name checked, before anything is sent.
  const connection = await hre.network.getOrCreate();
  const endsHere = connection.networkConfig.type === "edr-simulated";
  if (args.dryRun) {
    const preflights = await dryRun(requests, connection, knownPrograms(hre.config), screen);
    return preflights.length === 1 ? preflights[0] : { preflights };
  }
  const options = { ...args, asker, timeout, unit, programs: knownPrograms(hre.config), endsHere };
  const submissions: (SubmitDocument | undefined)[] = [];
  const stores = Session.of(connection).part(EvmStores);
  await stores.withoutTraces(async () => {
    for (const request of requests) submissions.push(await submitOne(request, options, connection, screen));
  });
  return submissions.length === 1 && submissions[0] ? submissions[0] : { submissions: sent(submissions) };
});

/** What was sent of several submissions before the answer to a question was no. */
function sent(submissions: readonly (SubmitDocument | undefined)[]): readonly SubmitDocument[] {
  return submissions.filter((one) => one !== undefined);
}

async function dryRun(
  requests: readonly TaskRequest[],
  { hdp }: NetworkConnection<string>,
  programs: KnownPrograms,
  screen: Screen,
): Promise<readonly Omit<Preflight, "request">[]> {
  const preflights: Preflight[] = [];
  for (const request of requests) {
    preview(screen, request, programs);
    const preflight = await hdp.preflight(request);
    printPreflight(screen, preflight);
    preflights.push(preflight);
  }
  screen.line();
  screen.line("  Nothing was sent.");
  return preflights.map((preflight) => ({ ...preflight, request: undefined }));
}

/** What is destined for one chain is sent together. */
function byDestination(files: readonly FileRequest[]): readonly TaskRequest[] {
  const requests = new Map<string, TaskRequest>();
  for (const { request } of files) {
    const same = requests.get(request.destinationChainId);
    const tasks = [...(same?.tasks ?? []), ...request.tasks];
    requests.set(request.destinationChainId, { ...request, tasks });
  }
  return [...requests.values()];
}

interface SubmitOptions {
  readonly noWait: boolean;
  readonly force: boolean;
  readonly unsupportedFields: boolean;
  readonly yes: boolean;
  readonly asker: CommandContext["asker"];
  readonly timeout: number | undefined;
  readonly unit: Unit | undefined;
  readonly programs: KnownPrograms;
  /** Whether the chain is in this process. */
  readonly endsHere?: boolean | undefined;
}

/** What `--json` says of one submission; without a wait there is no state and no result. */
interface SubmitDocument {
  readonly processor: ProcessorInfo;
  readonly networkName: string;
  readonly submission: Submission;
  readonly status?: TaskStatus;
  readonly results?: readonly TaskResult[];
}

/** Previews a request, submits it once that is allowed, and unless `noWait` awaits it and prints its results. */
async function submitOne(
  request: TaskRequest,
  options: SubmitOptions,
  connection: NetworkConnection<string>,
  screen: Screen,
  now: () => number = Date.now,
): Promise<SubmitDocument | undefined> {
  const { hdp, networkName } = connection;
  const processor = await processorOf(connection);
  if (options.noWait && processor.kind === "local") throw hdpError("HDP-6007", {}, { path: "--no-wait" });
  preview(screen, request, options.programs);
  screen.line(
    `  ${style.strong("Destination")}  ${request.destinationChainId} (network "${networkName}", ${processor.description})`,
  );
  screen.line();

  const isRemote = processor.kind === "remote";
  if (isRemote) await warnOfUndecided(request, connection, screen);
  const { destinationChainId, tasks } = request;
  const session = Session.of(connection);
  const work = { destinationChainId, what: plural(tasks.length, "task"), processor };
  if (!(await mayCost(work, session, options.yes, { asker: options.asker, screen }))) return undefined;
  const submission = await hdp.submit(request, {
    force: options.force,
    unsupportedFields: options.unsupportedFields,
    onPlan: ({ sentences }) => sentences.forEach((sentence) => screen.line(`  ${sentence}`)),
  });
  if (isRemote) printAccepted(submission, networkName, screen);
  if (options.noWait) return { processor, networkName, submission };
  const timeout = options.timeout ?? Session.of(connection).config.timeouts.await;
  const progress = new Progress(screen, { now, timeout });
  const finished = await hdp
    .await(submission, { onStatus: progress.onStatus, onPause: progress.onPause, timeout: options.timeout })
    .finally(() => progress.end());
  const results = await finished.results();
  printResults(screen, results, { tasks: request.tasks, unit: options.unit });
  if (options.endsHere === true) screen.line("  The in-process chain ends with this command, and the store on it too.");
  return { processor, networkName, submission, status: finished.status, results };
}

/** Says which other submissions may have been accepted. Of the same tasks, the error that stops the submission says it. */
async function warnOfUndecided(
  { tasks }: TaskRequest,
  connection: NetworkConnection<string>,
  screen: Screen,
): Promise<void> {
  // A development chain starts anew, and what was sent for it is over.
  if (await Session.of(connection).isDevelopment()) return;
  const hashes = tasks.map((task) => taskHash(task));
  const unfinished = await connection.hdp.submissions.list({ unfinished: true });
  const others = unfinished.filter(
    (record) => isUndecided(record) && !taskHashesOf(record).some((hash) => hashes.includes(hash)),
  );
  if (others.length === 0) return;
  const count = plural(others.length, "other submission");
  screen.line(`  ${style.bad("!")} ${count} of unknown outcome: ${style.command("npx hardhat hdp list")}`);
}

/** Prints the ids that a service gave, and how waiting can be resumed where there is something to wait for. */
function printAccepted({ id, parts, taskHashes }: Submission, network: string, screen: Screen): void {
  for (const part of parts) {
    part.serviceTaskHashes?.forEach((theirs, index) => {
      const ours = part.taskHashes[index];
      if (ours !== undefined && theirs !== ours)
        screen.line(`  The service hashes task ${ours} as ${theirs}: its result is looked for under both.`);
    });
  }
  const ids = parts.length === 0 ? [id] : parts.map((part) => part.id);
  screen.line(`  ${style.strong("Submission")}  ${ids.join(", ")}`);
  if (parts.length === 0) return;
  const names = ids.map((one) => pastableName(one, taskHashes[0]));
  const again = suggested("hdp:await", names, { network });
  screen.line(`  Waiting can be resumed: ${style.command(again)}`);
}
