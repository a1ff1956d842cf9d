import type { NetworkConnection } from "hardhat/types/network";

import { plural } from "../../base/text.js";
import { hdpError } from "../../errors/hdp-error.js";
import { pastableName, suggested } from "../../errors/suggested.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import { Session } from "../../plugin/session.js";
import { EvmStores } from "../../plugin/stores/evm-stores.js";
import type { Submission, TaskRequest } from "../../request/task.js";
import { taskHash } from "../../request/task-hash.js";
import { isUndecided, taskHashesOf } from "../../submission/model.js";
import { type FileRequest, readRequests } from "../requests/task-files.js";
import { command, type CommandContext, type Flags, milliseconds, type Optional } from "../run-command.js";
import { mayCost } from "../ui/confirm.js";
import type { Unit } from "../../request/describe-task.js";
import { parseUnit } from "../ui/format.js";
import { preview, printPreflight } from "../ui/preview.js";
import { Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { printBlock, type Screen, style } from "../ui/screen.js";

type Options = Flags<"noWait" | "force" | "unsupportedFields" | "dryRun" | "yes">;
type Arguments = { file: string; more: string[] } & Options & Optional<"timeout" | "unit">;
type Parsed = Options & { timeout: number | undefined; unit: Unit | undefined };

export const submit = command(async (args: Arguments, context) => {
  const { hre, screen } = context;
  const timeout = milliseconds(args.timeout, "--timeout");
  const unit = parseUnit(args.unit);
  const fields = args.unsupportedFields ? "encodable" : "supported";
  const requests = byDestination(await readRequests([args.file, ...args.more], hre, screen, fields));
  // Opens the connection, which checks the network's name, before anything is sent.
  const connection = await hre.network.getOrCreate();
  const documents: object[] = [];
  if (args.dryRun) {
    for (const request of requests) {
      preview(screen, request, knownPrograms(hre.config));
      const preflight = await connection.hdp.preflight(request);
      printPreflight(screen, preflight);
      documents.push({ ...preflight, request: undefined });
    }
    printBlock(screen, "  Nothing was sent.");
    return documents.length === 1 ? documents[0] : { preflights: documents };
  }
  // An in-process chain ends with the command: nobody sees its traces.
  const stores = Session.of(connection).part(EvmStores);
  stores.hasTraces = false;
  for (const request of requests) {
    const document = await submitOne(request, { ...args, timeout, unit }, connection, context);
    // Undefined if the user answered no.
    if (document !== undefined) documents.push(document);
  }
  stores.hasTraces = true;
  return requests.length === 1 && documents.length === 1 ? documents[0] : { submissions: documents };
});

/** Joins the requests for each chain, so that they are sent together. */
function byDestination(files: readonly FileRequest[]): readonly TaskRequest[] {
  const requests = new Map<string, TaskRequest>();
  for (const { request } of files) {
    const same = requests.get(request.destinationChainId);
    const tasks = [...(same?.tasks ?? []), ...request.tasks];
    requests.set(request.destinationChainId, { ...request, tasks });
  }
  return [...requests.values()];
}

/** Returns the request's part of the `--json` document. */
async function submitOne(
  request: TaskRequest,
  { noWait, force, unsupportedFields, yes, timeout, unit }: Parsed,
  connection: NetworkConnection<string>,
  context: CommandContext,
): Promise<object | undefined> {
  const { hre, screen } = context;
  const { hdp, networkName, networkConfig } = connection;
  const { destinationChainId, tasks } = request;
  const session = Session.of(connection);
  const processor = (await session.processor()).info;
  if (noWait && processor.kind === "local") throw hdpError("HDP-6007", {}, { path: "--no-wait" });
  preview(screen, request, knownPrograms(hre.config));
  const where = `${destinationChainId} (network "${networkName}", ${processor.description})`;
  screen.line(`  ${style.strong("Destination")}  ${where}`);
  screen.line();

  const isRemote = processor.kind === "remote";
  if (isRemote) await warnOfUndecided(request, session, context);
  const work = { destinationChainId, what: plural(tasks.length, "task"), processor };
  if (!(await mayCost(work, session, yes, context))) return undefined;
  const submission = await hdp.submit(request, {
    force,
    unsupportedFields,
    onPlan: ({ sentences }) => sentences.forEach((sentence) => screen.line(`  ${sentence}`)),
  });
  if (isRemote) printAccepted(submission, networkName, screen);
  if (noWait) return { processor, networkName, submission };
  const progress = new Progress(screen, { timeout: timeout ?? session.config.timeouts.await });
  const finished = await hdp.await(submission, { ...progress.listeners, timeout }).finally(() => progress.end());
  const results = await finished.results();
  // Results for a devnet stay there.
  const isGone = networkConfig.type === "edr-simulated" && !session.config.starknet[destinationChainId]?.account;
  const next = (hash: string) => ["Read it", suggested("hdp:result", [hash], { network: networkName })] as const;
  printResults(screen, results, { tasks, unit, next: isGone ? undefined : next });
  if (isGone) {
    screen.line("  The in-process chain ends with this command, and the store on it too.");
    screen.line(`  To keep results: ${style.command("npx hardhat hdp:node")}, then this with --network localhost.`);
  }
  return { processor, networkName, submission, status: finished.status, results };
}

/** For the same tasks, the error that stops the submission reports them. */
async function warnOfUndecided({ tasks }: TaskRequest, session: Session, context: CommandContext): Promise<void> {
  const { hre, screen } = context;
  // A development chain restarts, which ends the submissions for it.
  if (await session.isDevelopment()) return;
  const hashes = tasks.map((task) => taskHash(task));
  const unfinished = await hre.hdp.submissions.list({ unfinished: true });
  const others = unfinished.filter(
    (record) => isUndecided(record) && !taskHashesOf(record).some((hash) => hashes.includes(hash)),
  );
  if (others.length === 0) return;
  const count = plural(others.length, "other submission");
  screen.line(`  ${style.bad("!")} ${count} of unknown outcome: ${style.command("npx hardhat hdp list")}`);
}

/** Sets exit code 1 where the service hashed a task differently. */
function printAccepted({ id, parts, taskHashes }: Submission, network: string, screen: Screen): void {
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
  const ids = parts.length === 0 ? [id] : parts.map((part) => part.id);
  screen.line(`  ${style.strong("Submission")}  ${ids.join(", ")}`);
  if (parts.length === 0) return;
  const names = ids.map((one) => pastableName(one, taskHashes[0]));
  screen.line(`  Waiting can be resumed: ${style.command(suggested("hdp:await", names, { network }))}`);
}
