import { existsSync } from "node:fs";
import { glob } from "node:fs/promises";
import { resolve } from "node:path";

import type { EdrNetworkConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { keysOf } from "../../base/collections.js";
import { namedPath, readTextStream, systemErrorWord } from "../../base/files.js";
import { grouped, plural } from "../../base/text.js";
import { type HdpError, hdpError, isHdpError, suggested } from "../../errors/hdp-error.js";
import type { Preflight } from "../../plugin/actions/preflight-action.js";
import { resolveBlocks } from "../../plugin/block-ranges.js";
import { defaultDestination } from "../../plugin/destination.js";
import { knownPrograms } from "../../plugin/known-programs.js";
import type { HdpConfig } from "../../plugin/config/config.js";
import {
  chosenProcessor,
  connectionForm,
  editionOfChoice,
  formOfChoice,
  type ProcessorChoice,
} from "../../plugin/processor-choice.js";
import { type Refusal, refusal, findRefusals } from "../../plugin/send-checks.js";
import { Session } from "../../plugin/session.js";
import type { TaskReading } from "../../plugin/task-input.js";
import { parseTaskText, readTaskFile } from "../../plugin/task-input.js";
import type { ResolvedBlock } from "../../request/block-reference.js";
import { describeTask } from "../../request/describe-task.js";
import type { FieldFunctions } from "../../request/field-support.js";
import { AGGREGATE_FUNCTIONS, FIELD_NAMES, TRANSACTION_TYPES } from "../../request/fields.js";
import { listFields } from "../../request/field-support.js";
import type { FieldChoice } from "../../request/reader.js";
import type { SourceProvability } from "../../request/provability.js";
import { findDatalake, taskForm, requestInForm, type TaskForm } from "../../request/task-form.js";
import { type DatalakeEncoding, refuseConflicts, taskHash } from "../../request/task-hash.js";
import type { TaskRequest } from "../../request/task.js";
import type { ParsedTasks } from "../../request/task-document.js";
import { milliseconds, networkOption, parseChoice, type Optional } from "../options.js";
import { command } from "../run-command.js";
import { printRehearsals, provabilityLines } from "../ui/format.js";
import { decodeArguments, preview, printPreflight, printRefusals } from "../ui/preview.js";
import { mark, printBlock, type Screen, style } from "../ui/screen.js";
import { ChainSources } from "../../plugin/chain-sources.js";

interface Files {
  readonly file: string;
  readonly more: string[];
}

type CheckArguments = Files & { awaitProvable: boolean } & Optional<"timeout">;

/** Runs `hdp check`: checks task files, with `--network` against their chains, too. */
export const check = command(async (args: CheckArguments, { hre, screen }) => {
  // Without --network, the command does not connect and resolves no block.
  const connection = networkOption(hre) === undefined ? undefined : await hre.network.getOrCreate();
  const files = await readRequests([args.file, ...args.more], hre, connection && screen);
  // Throws for tasks of several files that cannot be submitted together.
  byDestination(files);
  const programs = knownPrograms(hre.config);
  const documents: object[] = [];
  let missing = 0;
  let unseen = 0;
  let refused = 0;
  for (const { file, request } of files) {
    if (files.length > 1) printBlock(screen, `  ${style.strong(file)}`);
    preview(screen, request.tasks, programs);
    if (args.awaitProvable) await untilProvable(request, args, { connection, screen });
    const { runPreflight } = await import("../../plugin/actions/preflight-action.js");
    const preflight = connection && (await runPreflight(request, Session.of(connection)));
    const refusals = preflight?.refusals ?? (await offlineRefusals(request, hre));
    if (preflight === undefined)
      screen.line(`  ${style.strong("Destination")}  ${request.destinationChainId}`);
    else printPreflight(screen, preflight, hre.config);
    refused += printRefusals(screen, refusals);
    printRehearsals(screen, preflight?.unread ?? [], {});
    for (const { lastBlock, stateProblem } of preflight?.tasks ?? [])
      if (lastBlock?.state === "missing" || stateProblem !== undefined) missing += 1;
    unseen += countUnseen(request, preflight);
    documents.push({
      ...(files.length > 1 ? { file } : {}),
      destinationChainId: request.destinationChainId,
      tasks: request.tasks.map((task) => {
        return {
          ...describeTask(task),
          taskHash: taskHash(task),
          form: taskForm(task),
          arguments: decodeArguments(task, programs),
        };
      }),
      ...(preflight === undefined
        ? { refusals }
        : { preflight: { ...preflight, request: undefined } }),
    });
  }
  const isValid = printVerdict({ missing, unseen, refused }, files, screen);
  if (!isValid) process.exitCode = 1;
  else {
    const names = files.map(({ file }) => file);
    const again = suggested("hdp:submit", names, { network: networkOption(hre) });
    if (connection === undefined && unseen > 0)
      screen.line(`  To look whether the blocks are there: ${style.command("--network <name>")}`);
    if (!names.includes("-")) screen.line(`  Submit: ${style.command(again)}`);
  }
  return files.length === 1 ? documents[0] : { files: documents };
});

/** Of how many tasks blocks are not there or were not looked for, and how many refusals there are. */
interface Findings {
  readonly missing: number;
  readonly unseen: number;
  readonly refused: number;
}

/** Prints the last word on checked files. @returns whether nothing is wrong with them */
function printVerdict(
  { missing, unseen, refused }: Findings,
  files: readonly FileRequest[],
  screen: Screen,
): boolean {
  const tasks = files.reduce((sum, { request }) => sum + request.tasks.length, 0);
  const where = files.length > 1 ? ` in ${plural(files.length, "file")}` : "";
  const faults = [
    ...(missing > 0 ? [`${missing} with blocks or state that are not there`] : []),
    ...(refused > 0 ? [`refused for ${plural(refused, "reason")}`] : []),
  ];
  const isValid = faults.length === 0;
  const validity = unseen > 0 ? "valid as written, blocks not looked at" : "valid";
  const verdict = isValid ? validity : faults.join(", ");
  printBlock(
    screen,
    `  ${mark(isValid)} ${plural(tasks, "task")}${where}, ${verdict}. Nothing was sent.`,
  );
  return isValid;
}

/** Returns of how many tasks nobody looked whether their blocks are there: without a connection, of all that name blocks. */
function countUnseen({ tasks }: TaskRequest, preflight: Preflight | undefined): number {
  if (preflight === undefined)
    return tasks.filter((task) => findDatalake(task) !== undefined).length;
  return preflight.tasks.filter(({ lastBlock }) => lastBlock?.state === "unknown").length;
}

/** Waits until the destination can prove what a request reads. Needs a connection. */
async function untilProvable(
  request: TaskRequest,
  { timeout }: Optional<"timeout">,
  {
    connection,
    screen,
  }: { readonly connection: Parameters<typeof Session.of>[0] | undefined; readonly screen: Screen },
): Promise<void> {
  if (connection === undefined)
    throw hdpError(
      "HDP-6016",
      {
        what: "network",
        example: "npx hardhat hdp:check <file> --await-provable --network sepolia",
      },
      { path: "--network" },
    );
  const { awaitProvable } = await import("../../plugin/provable.js");
  const onNew = (sources: readonly SourceProvability[]): void => {
    for (const line of provabilityLines({ sources })) screen.line(`  ${line}`);
  };
  await awaitProvable(Session.of(connection), request, {
    timeout: milliseconds(timeout, "--timeout"),
    onNew,
  });
}

/** Runs `hdp hash`: prints the task hashes of task files. */
export const hash = command(async (args: Files & { encoding: string }, { hre, screen }) => {
  const encodings: readonly DatalakeEncoding[] = ["with-chain-id", "without-chain-id"];
  const datalakeEncoding = parseChoice(args.encoding, encodings, {
    what: "a datalake encoding",
    path: "--encoding",
  });
  const lookUp = networkOption(hre) === undefined ? undefined : screen;
  const requests = await readRequests([args.file, ...args.more], hre, lookUp);
  const files = requests.map(({ file, request }) => ({
    file,
    taskHashes: request.tasks.map((task) => taskHash(task, { datalakeEncoding })),
  }));
  for (const { file, taskHashes } of files) {
    for (const one of taskHashes) screen.line(files.length === 1 ? one : `${one}  ${file}`);
  }
  return files.length === 1
    ? { datalakeEncoding, taskHashes: files[0]?.taskHashes }
    : { datalakeEncoding, files };
});

/** A slot has no fields: its property is its name. */
const STORAGE = {
  kind: "storage",
  field: "{address}.{slot}",
  functions: AGGREGATE_FUNCTIONS,
} as const;

/** Runs `hdp fields`: lists the fields that can be sampled. */
export const fields = command(async ({ kind }: { kind: string | undefined }, { screen }) => {
  const all = [...keysOf(FIELD_NAMES), STORAGE.kind];
  const kinds =
    kind === undefined
      ? all
      : [parseChoice(kind, all, { what: "a kind of sampled property", path: "kind" })];
  const listed = kinds.map((one) => {
    const found: readonly FieldFunctions[] = one === "storage" ? [STORAGE] : listFields(one);
    return [one, found] as const;
  });
  for (const [one, found] of listed) {
    const lines = found.map(
      ({ field, functions, transactionTypes: types = TRANSACTION_TYPES, note }) => {
        const only =
          types.length === TRANSACTION_TYPES.length ? undefined : `only ${types.join(", ")}`;
        const notes =
          functions.length === 0
            ? ["no function"]
            : [only, note].filter((one) => one !== undefined);
        return `    ${field.padEnd(24)}  ${notes.join("; ")}`.trimEnd();
      },
    );
    printBlock(screen, `  ${style.strong(one)}  ${AGGREGATE_FUNCTIONS.join(", ")}`, ...lines);
  }
  return Object.fromEntries(listed);
});

/**
 * Reads the request in a file, or on standard input for "-" or without a file: Hardhat parses a bare "-" as an option
 * (`-- -` works too). Paths of classes in standard input are relative to the current folder.
 *
 * @param screen of a command that may connect: blocks written as `latest-64` or dates are resolved and printed; without
 * a screen they are errors
 */
export async function readRequest(
  file: string,
  hre: HardhatRuntimeEnvironment,
  screen?: Screen,
  fields?: FieldChoice,
): Promise<TaskRequest> {
  const { config, network } = hre;
  const programs = knownPrograms(config);
  const folder = config.paths.root;
  const session = async (): Promise<Session> => Session.of(await network.getOrCreate());
  const onBlock = ({ path, text, block, timestamp }: ResolvedBlock): void => {
    const time = new Date(Number(timestamp) * 1000).toISOString().replace(".000Z", "Z");
    screen?.line(`  ${path}  ${text} is block ${grouped(block)} of ${time}`);
  };
  const resolve = async (document: unknown) =>
    await resolveBlocks(document, (await session()).part(ChainSources), onBlock);
  const source = { programs, fields, resolveBlocks: screen === undefined ? undefined : resolve };
  const read =
    file === "-"
      ? await readInput(source)
      : await readTaskFile(namedPath(file, folder), { folder, ...source });
  // The connected chain is the destination of a file of tasks without one.
  const destinationChainId = read.destinationChainId ?? (await defaultDestination(await session()));
  return requestInForm({ ...read, destinationChainId }, await formIn(hre, session));
}

/** Returns the form of datalake tasks on the command's network. A chain in this process need not be connected for it. */
async function formIn(
  hre: HardhatRuntimeEnvironment,
  session: () => Promise<Session>,
): Promise<TaskForm> {
  const network = simulatedNetwork(hre);
  if (network === undefined) return await connectionForm(await session());
  return formOfChoice(await simulatedChoice(network.hdp), network.hdp);
}

/** Returns the configuration of the command's network where it is a chain in this process. */
function simulatedNetwork({
  config,
  globalOptions,
}: HardhatRuntimeEnvironment): EdrNetworkConfig | undefined {
  const network = config.networks[networkOption({ globalOptions }) ?? "default"];
  return network?.type === "edr-simulated" ? network : undefined;
}

/** Returns who computes the tasks of a chain in this process. */
async function simulatedChoice(hdp: HdpConfig): Promise<ProcessorChoice> {
  return (await chosenProcessor(hdp, async () => await Promise.resolve(true))) ?? "local";
}

/** Returns what can be known without a connection of why tasks would be refused. */
async function offlineRefusals(
  request: TaskRequest,
  hre: HardhatRuntimeEnvironment,
): Promise<readonly Refusal[]> {
  const network = simulatedNetwork(hre);
  if (network === undefined) return [];
  const { hdp: config } = network;
  const edition = editionOfChoice(await simulatedChoice(config), config);
  return (await findRefusals(request, edition, { project: hre, config })).map(refusal);
}

async function readInput(source: TaskReading): Promise<ParsedTasks> {
  const name = "standard input";
  const tooLong = (cause: unknown): never => {
    const values = { what: name, reason: systemErrorWord(cause), path: undefined };
    throw hdpError("HDP-6001", values, { hints: ["Submit the tasks in several parts."], cause });
  };
  const text = process.stdin.isTTY ? "" : await readTextStream(process.stdin).catch(tooLong);
  if (text.trim() === "") {
    const example = "tasks/fee.json; or pipe one into the command: < tasks/fee.json";
    throw hdpError("HDP-6016", { what: "task file", example }, { path: "file" });
  }
  return await parseTaskText(text, { folder: process.cwd(), source: name, ...source });
}

/** A task file with its parsed request. */
export interface FileRequest {
  readonly file: string;
  readonly request: TaskRequest;
}

/**
 * Reads the requests of several task files, each file once, in the order of their names. Patterns such as
 * `tasks/*.json` are expanded here for shells that do not expand them (in quotes, on Windows).
 *
 * @throws HdpError HDP-6001 for a pattern without a file; HDP-1100 with the errors of all files
 */
export async function readRequests(
  patterns: readonly string[],
  hre: HardhatRuntimeEnvironment,
  screen?: Screen,
  fields?: FieldChoice,
): Promise<readonly FileRequest[]> {
  const { root } = hre.config.paths;
  const files = (
    await Promise.all(patterns.map(async (pattern) => await expandPattern(pattern, root)))
  ).flat();
  const paths = files.map((file) => namedPath(file, root));
  const unique = files.filter((_, index) => paths.indexOf(paths[index] ?? "") === index);
  const requests: FileRequest[] = [];
  const failures: HdpError[] = [];
  for (const file of unique) {
    try {
      requests.push({ file, request: await readRequest(file, hre, screen, fields) });
    } catch (error) {
      if (!isHdpError(error)) throw error;
      failures.push(error);
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return requests;
  if (others.length === 0) throw first;
  const errors = failures.flatMap((failure) => ("errors" in failure ? failure.errors : failure));
  const hints = failures.flatMap(({ message }) => message.split("\n"));
  const where = ` in ${failures.length} of ${unique.length} task files`;
  throw Object.assign(hdpError("HDP-1100", { count: errors.length, where }, { hints }), { errors });
}

/** Joins the requests for each chain, so that they are sent together. @throws HDP-1125 for two tasks of one hash */
export function byDestination(files: readonly FileRequest[]): readonly TaskRequest[] {
  const requests = new Map<string, TaskRequest>();
  for (const { request } of files) {
    const same = requests.get(request.destinationChainId);
    const tasks = [...(same?.tasks ?? []), ...request.tasks];
    refuseConflicts(tasks);
    requests.set(request.destinationChainId, { ...request, tasks });
  }
  return [...requests.values()];
}

async function expandPattern(pattern: string, root: string): Promise<readonly string[]> {
  if (!/[*?[{]/.test(pattern) || existsSync(namedPath(pattern, root))) return [pattern];
  for (const cwd of new Set([process.cwd(), root])) {
    const found: string[] = [];
    for await (const file of glob(pattern, { cwd })) found.push(file.replaceAll("\\", "/"));
    if (found.length > 0) return found.toSorted();
  }
  const values = { what: `"${pattern}"`, reason: "no file matches", path: resolve(root, pattern) };
  throw hdpError("HDP-6001", values, {
    path: "file",
    hints: ["* does not match a slash, ** does."],
  });
}
