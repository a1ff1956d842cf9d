import { dirname, isAbsolute, relative, resolve } from "node:path";

import { isRecord } from "../base/collections.js";
import { readTextFile, readTextStream, requireFewValues, systemErrorWord } from "../base/files.js";
import { parseJsonText } from "../base/json.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { hasReference, type ResolvedBlock } from "../request/block-reference.js";
import type { ChainIdentifier } from "../request/chains.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import type { FieldChoice } from "../request/reader.js";
import { formatSampledProperty } from "../request/sampled-property.js";
import type { SampledProperty, Task, TaskRequest } from "../request/task.js";
import { type BlockResolver, blockResolver } from "./block-ranges.js";
import { defaultDestination } from "./destination.js";
import { type KnownPrograms, knownPrograms } from "./known-programs.js";
import { MAX_ERRORS, type ModuleSource, parseWithModules } from "./module-classes.js";
import type { Session } from "./session.js";

export type { Taken, TaskInput } from "../request/task.js";

/** What reading a task needs to know of the project. */
export interface TaskInputContext {
  readonly projectRoot: string;
  /** Learns the compiled classes that tasks name. */
  readonly programs: KnownPrograms;
  /** Which fields tasks may compute over; default those that support functions. */
  readonly fields?: FieldChoice | undefined;
  /** Looks up blocks that are written as `latest-64` or dates; without it they are errors. */
  readonly resolveBlocks?: BlockResolver | undefined;
}

/** Asked where the results of tasks go that no request names a destination for. */
export type DefaultDestination = () => Promise<ChainIdentifier>;

/**
 * Turns whatever a user may submit into a parsed request, all of it through the same parser. `destination` is asked for
 * bare tasks only. Classes that an object names are relative to the project, those of a file to the file.
 *
 * @throws TaskRequestError with every error of a document at once
 * @throws HdpError HDP-6001 for a file that cannot be read, HDP-6018 for what is no task, HDP-6019 for a datalake
 * without its function, HDP-1120 for no tasks at all, HDP-6021 for requests with several destinations
 */
export async function readTaskInput(
  input: unknown,
  session: Session,
  destination: DefaultDestination = async () => await defaultDestination(session),
  fields?: FieldChoice,
  onBlock?: (resolved: ResolvedBlock) => void,
): Promise<TaskRequest> {
  const parts = await readParts(input, session, fields, onBlock);
  const named = new Set(parts.flatMap(({ destinationChainId }) => destinationChainId ?? []));
  const isBare = parts.some(({ destinationChainId }) => destinationChainId === undefined);
  if (isBare) named.add(await destination());
  const [only, ...others] = named;
  if (only === undefined || others.length > 0)
    throw hdpError("HDP-6021", { destinations: [...named].join(" and ") }, { path: "destinationChainId" });
  return { destinationChainId: only, tasks: parts.flatMap(({ tasks }) => tasks) };
}

/** The tasks of an input for which it does not matter where results would go. */
export async function readTasks(input: unknown, session: Session): Promise<readonly Task[]> {
  return (await readParts(input, session)).flatMap(({ tasks }) => tasks);
}

async function readParts(
  input: unknown,
  session: Session,
  fields?: FieldChoice,
  onBlock?: (resolved: ResolvedBlock) => void,
): Promise<readonly ParsedTasks[]> {
  const source: ModuleSource = {
    folder: session.root,
    get programs() {
      return knownPrograms(session.project.config);
    },
    fields,
    resolveBlocks: async (document) =>
      hasReference(document) ? await blockResolver(session, onBlock)(document) : document,
  };
  if (!Array.isArray(input)) return [await readPart(input, source)];
  if (!input.some((one: unknown) => typeof one === "string" || isRequest(one)))
    return [await parseTaskList(input, source)];
  return await Promise.all(input.map(async (one: unknown) => await readPart(one, source)));
}

async function readPart(input: unknown, source: ModuleSource): Promise<ParsedTasks> {
  if (typeof input !== "string") return await parseTaskDocument(input, source);
  const { folder: projectRoot, programs, fields, resolveBlocks } = source;
  return await readDocument(input, { projectRoot, programs, fields, resolveBlocks });
}

function isRequest(value: unknown): boolean {
  return typeof value === "object" && value !== null && "tasks" in value;
}

/** Reads and parses a task file; errors name the file relative to the project. `destination` as `readTaskInput`. */
export async function readTaskFile(
  path: string,
  context: TaskInputContext,
  destination: DefaultDestination,
): Promise<TaskRequest> {
  return await delivered(await readDocument(path, context), destination);
}

/** Parses the text of a task file. */
export async function parseTaskText(
  text: string,
  source: ModuleSource & { source: string },
  destination: DefaultDestination,
): Promise<TaskRequest> {
  return await delivered(await parseDocument(text, source), destination);
}

async function delivered(part: ParsedTasks, destination: DefaultDestination): Promise<TaskRequest> {
  return { destinationChainId: part.destinationChainId ?? (await destination()), tasks: part.tasks };
}

async function readDocument(
  path: string,
  { projectRoot, programs, fields, resolveBlocks }: TaskInputContext,
): Promise<ParsedTasks> {
  const absolute = isAbsolute(path) ? path : resolve(projectRoot, path);
  const shown = relative(projectRoot, absolute).startsWith("..") ? absolute : relative(projectRoot, absolute);
  const text = await readText(absolute, shown);
  return await parseDocument(text, { folder: dirname(absolute), source: shown, programs, fields, resolveBlocks });
}

/** What the tasks of a stream are said to come from. */
export const STANDARD_INPUT = "standard input";

async function parseDocument(text: string, source: ModuleSource & { source: string }): Promise<ParsedTasks> {
  refuseTooMany(text, source.source);
  const json = parseJsonText(text, { source: source.source, comments: true });
  return Array.isArray(json) ? await parseTaskList(json, source) : await parseTaskDocument(json, source);
}

function refuseTooMany(text: string, source: string): void {
  try {
    requireFewValues(text);
  } catch (cause) {
    const what = source === STANDARD_INPUT ? source : `the task file "${source}"`;
    throw unreadable(what, undefined, ["Submit the tasks in several files."], cause);
  }
}

async function readText(absolute: string, shown: string): Promise<string> {
  try {
    return await readTextFile(absolute);
  } catch (error) {
    // Where a task hash or a file can be named, a hash that was not copied whole ends here.
    const hash = /(?:^|[\\/])(0x[\da-f]*)$/i.exec(shown)?.[1];
    const meant =
      hash === undefined ? [] : [`A task hash is 0x and 64 hexadecimal digits; this has ${hash.length - 2}.`];
    throw unreadable(`the task file "${shown}"`, absolute, meant, error);
  }
}

/** The tasks on standard input, or another stream. @throws HDP-6001 for one that is too long */
export async function readTaskStream(stream: AsyncIterable<unknown>): Promise<string> {
  return await readTextStream(stream).catch((error: unknown) => {
    throw unreadable(STANDARD_INPUT, undefined, ["Submit the tasks in several parts."], error);
  });
}

function unreadable(what: string, path: string | undefined, hints: readonly string[], cause: unknown): HdpError {
  return hdpError("HDP-6001", { what, reason: systemErrorWord(cause), path }, { hints, cause });
}

/** Tasks with where their results go, where the document says it. */
interface ParsedTasks {
  readonly destinationChainId: ChainIdentifier | undefined;
  readonly tasks: readonly Task[];
}

/**
 * Parses what should be a request or a task: parsed JSON, or objects of this package.
 *
 * @throws TaskRequestError with every error at once; HdpError HDP-6018, HDP-6019, HDP-1120
 */
async function parseTaskDocument(written: unknown, source: ModuleSource): Promise<ParsedTasks> {
  const document = (await source.resolveBlocks?.(written)) ?? written;
  if (!isRecord(document)) throw noTask(document, source);
  if ("tasks" in document || "destinationChainId" in document) return await parseRequest(document, source);
  refuseUnfinished(document, "", source);
  const options = { ...NAMED, source: source.source, fields: source.fields ?? fieldsOf([document]) };
  const task = await parsedWith(asDocument(document, source), (json) => parseTask(json, options), source);
  return { destinationChainId: undefined, tasks: [task] };
}

const NAMED = { maxErrors: MAX_ERRORS };

/** Parses a list of tasks, as {@link parseTaskDocument}. */
async function parseTaskList(list: readonly unknown[], source: ModuleSource): Promise<ParsedTasks> {
  if (list.length === 0) throw hdpError("HDP-1120", { items: "tasks" }, { source: source.source });
  const written = { tasks: list };
  const resolved = await source.resolveBlocks?.(written);
  // The destination belongs to no task: any will do for parsing them.
  const { tasks } = await parseRequest(
    { destinationChainId: "ETHEREUM_SEPOLIA", ...written, ...(isRecord(resolved) ? resolved : {}) },
    source,
  );
  return { destinationChainId: undefined, tasks };
}

async function parseRequest(document: object, source: ModuleSource): Promise<ParsedTasks> {
  const tasks: readonly unknown[] = "tasks" in document && Array.isArray(document.tasks) ? document.tasks : [];
  tasks.forEach((task, position) => {
    refuseUnfinished(task, `tasks[${position}]`, source);
  });
  const options = { ...NAMED, source: source.source, fields: source.fields ?? fieldsOf(tasks) };
  const json = tasks.length === 0 ? document : { ...document, tasks: tasks.map((task) => asDocument(task, source)) };
  return await parsedWith(json, (resolved) => parseTaskRequest(resolved, options), source);
}

/** A task of this package as a document: in the latter the sampled property is text. A file has none of the former. */
function asDocument(task: unknown, { source }: ModuleSource): unknown {
  if (source !== undefined || !isOwn(task)) return task;
  const { datalake } = task;
  return { ...task, datalake: { ...datalake, sampledProperty: formatSampledProperty(datalake.sampledProperty) } };
}

/** What was parsed before keeps the choice of fields it was parsed with. */
function fieldsOf(tasks: readonly unknown[]): "encodable" | "supported" {
  return tasks.length > 0 && tasks.every(isOwn) ? "encodable" : "supported";
}

function isOwn(task: unknown): task is { readonly datalake: { readonly sampledProperty: SampledProperty } } {
  return isRecord(task) && isRecord(task["datalake"]) && isProperty(task["datalake"]["sampledProperty"]);
}

function isProperty(value: unknown): boolean {
  return isRecord(value) && typeof value["kind"] === "string";
}

/** `blockSampled(…)` is not a task before a function is chosen. */
function refuseUnfinished(task: unknown, path: string, { source }: ModuleSource): void {
  if (!isRecord(task) || !["avg", "sum", "min", "max", "count"].every((name) => name in task)) return;
  throw hdpError("HDP-6019", {}, { source, path: path === "" ? undefined : path });
}

function noTask(value: unknown, { source }: ModuleSource): HdpError {
  const shown = value === null || typeof value !== "object" ? String(value) : "a list";
  return hdpError("HDP-6018", { value: shown }, { source });
}

/** Parses JSON; what names a module by its class needs its files. */
async function parsedWith<T extends Task | TaskRequest>(
  json: unknown,
  parse: (json: unknown) => T,
  source: ModuleSource,
): Promise<T> {
  return mentionsModule(json) ? await parseWithModules(json, parse, source) : parse(json);
}

function mentionsModule(json: unknown): boolean {
  if (typeof json !== "object" || json === null) return false;
  if ("module" in json) return true;
  return "tasks" in json && Array.isArray(json.tasks) && json.tasks.some((task: unknown) => mentionsModule(task));
}
