import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { capitalize } from "@nomicfoundation/hardhat-utils/string";
import type { Hex } from "viem";

import { isTaskHash } from "../../base/hex.js";
import { plural, printable } from "../../base/text.js";
import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import type { ResumeOptions } from "../../plugin/actions/record-actions.js";
import { projectSubmissions } from "../../plugin/project-database.js";
import type { ChainIdentifier } from "../../request/chains.js";
import { describeTask } from "../../request/describe-task.js";
import { toTaskJson } from "../../request/parse.js";
import { taskHash } from "../../request/task-hash.js";
import type { Task } from "../../request/task.js";
import { isUndecided, isUnfinished, type SubmissionState, taskHashesOf } from "../../submission/model.js";
import { nameOf } from "../../submission/recovery.js";
import { recordNamed } from "../../submission/settle.js";
import type { StoredSubmission } from "../../submission/store.js";
import type { CommandContext, Flags, Optional } from "../run-command.js";
import { command, milliseconds, networkOption } from "../run-command.js";
import { elapsed } from "../ui/format.js";
import { printQueries, Progress } from "../ui/progress.js";
import { printResults } from "../ui/results.js";
import { printBlock, printRecord, printTable, type Screen, style } from "../ui/screen.js";

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
    .resume(name, { ...options, ...progress.listeners })
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

export const list = command(async ({ unfinished }: Flags<"unfinished">, { hre, screen }) => {
  const all = await hre.hdp.submissions.list();
  const records = unfinished ? all.filter(isUnfinished) : all;
  const ids = all.flatMap(({ id, serviceId = id }) => [id, printable(serviceId, 200)]);
  const now = Date.now();
  if (records.length === 0)
    screen.line(`  ${unfinished ? "Every submission is finished." : "Nothing was submitted from this project yet."}`);
  else {
    const rows = records.map((record) => rowOf(record, ids, now));
    printTable(screen, ["ID", "STATE", "AGE", "NETWORK", "SENT TO"], rows, records.map(taskLines));
    if (!unfinished && records.some(isUnfinished)) {
      printBlock(screen, `  Those with something left to do: ${style.command("npx hardhat hdp list --unfinished")}`);
    }
  }
  for (const record of records.filter(isUndecided)) {
    screen.line();
    printStanding(screen, record);
  }
  return records.map((record) => ({ ...documentOf(record), ageMs: now - record.createdAt }));
});

/** Returns the beginning of an id that no other has, which commands accept. The document has full ids. */
function shortId(id: string, ids: readonly string[], atLeast: number): string {
  let length = atLeast;
  while (length < id.length && ids.some((other) => other !== id && other.startsWith(id.slice(0, length)))) length += 1;
  return id.slice(0, length);
}

/** States for users; of an accepted submission, the state that the service reported. */
const STATES: Partial<Record<SubmissionState, string>> = { claimed: "not sent", sending: "unknown", lost: "given up" };

function rowOf(record: StoredSubmission, ids: readonly string[], now: number): string[] {
  const { id, serviceId, state, seen, createdAt, network, host, processor } = record;
  return [
    shortId(printable(serviceId ?? "", 200), ids, 10) || shortId(id, ids, 8),
    state === "accepted" && seen !== undefined ? printable(seen.name, 26) : (STATES[state] ?? state),
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
    return [`${number}  ${title}`, ...lines.map((line) => `${" ".repeat(number.length)}  ${line}`)];
  });
}

export function printStanding(screen: Screen, record: StoredSubmission): void {
  const { summary, nextSteps } = record.explanation;
  screen.line(`  ${style.bad("!")} ${capitalize(nameOf(record))}, ${record.id}: ${summary}`);
  for (const step of nextSteps) screen.line(`      ${step}`);
}

/** Returns a submission as `--json` prints it: its tasks as a task file, private inputs without values. */
export function documentOf(record: StoredSubmission): Record<string, unknown> {
  const { request } = record;
  if (request === undefined) return { ...record };
  const tasks = request.tasks.map((task) => {
    if (task.type !== "Module") return toTaskJson(task);
    const inputs = task.inputs.map((input) => (input.visibility === "private" ? { visibility: "private" } : input));
    return { ...toTaskJson(task), inputs };
  });
  return { ...record, request: { destinationChainId: request.destinationChainId, tasks } };
}

/** Returns a connection to the network of `--network`, else of the one where a submission was made. */
export async function connectionOf(name: string, hre: HardhatRuntimeEnvironment): Promise<NetworkConnection<string>> {
  const made = recordNamed(projectSubmissions(hre.config.hdp.dataDir), name)?.network;
  const own = made !== undefined && made in hre.config.networks ? made : undefined;
  return await hre.network.getOrCreate(networkOption(hre) ?? own);
}

export interface NamedTask {
  readonly hash: Hex;
  /** Destination chain of a named submission. */
  readonly destination?: ChainIdentifier | undefined;
  readonly task?: Task | undefined;
}

/** Returns the tasks of a task hash or of a submission's id; an empty list for another text. */
export function tasksNamed(name: string, hre: HardhatRuntimeEnvironment): readonly NamedTask[] {
  const record = recordNamed(projectSubmissions(hre.config.hdp.dataDir), name);
  const tasks = new Map(record?.request?.tasks.map((task) => [taskHash(task), task]));
  if (isTaskHash(name)) return [{ hash: name, task: tasks.get(name) }];
  if (record?.kind !== "tasks") return [];
  return taskHashesOf(record).map((hash) => ({ hash, destination: record.destinationChainId, task: tasks.get(hash) }));
}
