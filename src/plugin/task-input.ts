import { dirname, relative, resolve } from "node:path";

import { isRecord } from "../base/collections.js";
import { readNamedFile, readTextStream, systemErrorWord } from "../base/files.js";
import { parseJsonText, placesIn } from "../base/json.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { hasReference, type ResolvedBlock } from "../request/block-reference.js";
import type { ChainIdentifier } from "../request/chains.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import type { FieldChoice, ParseOptions } from "../request/reader.js";
import { formatSampledProperty } from "../request/sampled-property.js";
import type { SampledProperty, Task, TaskRequest } from "../request/task.js";
import { blockResolver } from "./block-ranges.js";
import { defaultDestination } from "./destination.js";
import { knownPrograms } from "./known-programs.js";
import { MAX_ERRORS, parseWithModules, type TaskSource } from "./module-classes.js";
import type { Session } from "./session.js";

export type { Taken, TaskInput } from "../request/task.js";
export type { TaskSource } from "./module-classes.js";

/**
 * Parses any task input of a user into a request, all forms through the same parser. `destination` is called for bare
 * tasks only. Paths of classes are relative to the project in an object, to the file in a task file.
 *
 * @throws TaskRequestError with every error of a document at once
 * @throws HdpError HDP-6001 for a file that cannot be read, HDP-6018 for a value that is not a task,
 * HDP-1120 for no tasks at all, HDP-6021 for requests with several destinations
 */
export async function readTaskInput(
  input: unknown,
  session: Session,
  destination = async (): Promise<ChainIdentifier> => await defaultDestination(session),
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

/** Returns the tasks of an input, whatever destination they have. */
export async function readTasks(input: unknown, session: Session): Promise<readonly Task[]> {
  return (await readParts(input, session)).flatMap(({ tasks }) => tasks);
}

async function readParts(
  input: unknown,
  session: Session,
  fields?: FieldChoice,
  onBlock?: (resolved: ResolvedBlock) => void,
): Promise<readonly ParsedTasks[]> {
  const source: TaskSource = {
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

async function readPart(input: unknown, source: TaskSource): Promise<ParsedTasks> {
  return typeof input === "string" ? await readTaskFile(input, source) : await parseTaskDocument(input, source);
}

function isRequest(value: unknown): boolean {
  return typeof value === "object" && value !== null && "tasks" in value;
}

/** Reads and parses a task file. Errors name the file relative to the folder. */
export async function readTaskFile(path: string, source: TaskSource): Promise<ParsedTasks> {
  const absolute = resolve(source.folder, path);
  const fromFolder = relative(source.folder, absolute);
  const shown = fromFolder.startsWith("..") ? absolute : fromFolder;
  // Where an input may be a task hash or a file, an incompletely copied hash is reported here.
  const hash = /(?:^|[\\/])(0x[\da-f]*)$/i.exec(shown)?.[1];
  const hints = hash === undefined ? [] : [`A task hash is 0x and 64 hexadecimal digits; this has ${hash.length - 2}.`];
  const text = await readNamedFile(`the task file "${shown}"`, absolute, { hints });
  return await parseTaskText(text, { ...source, folder: dirname(absolute), source: shown });
}

/** Source name of tasks that are read from a stream. */
export const STANDARD_INPUT = "standard input";

export async function parseTaskText(text: string, source: TaskSource & { source: string }): Promise<ParsedTasks> {
  const json = parseJsonText(text, { source: source.source, comments: true });
  const placeOf = placesIn(text);
  if (!Array.isArray(json)) return await parseTaskDocument(json, { ...source, placeOf });
  // The tasks of a list are parsed like those of a request.
  return await parseTaskList(json, { ...source, placeOf: (path) => placeOf(path.replace(/^tasks/, "")) });
}

/** Reads the tasks from standard input or another stream. @throws HDP-6001 for a stream that is too long */
export async function readTaskStream(stream: AsyncIterable<unknown>): Promise<string> {
  return await readTextStream(stream).catch((cause: unknown) => {
    const values = { what: STANDARD_INPUT, reason: systemErrorWord(cause), path: undefined };
    throw hdpError("HDP-6001", values, { hints: ["Submit the tasks in several parts."], cause });
  });
}

/** Tasks, and their destination where the document names one. */
export interface ParsedTasks {
  readonly destinationChainId: ChainIdentifier | undefined;
  readonly tasks: readonly Task[];
}

/**
 * Parses a value that should be a request or a task: parsed JSON, or objects of this package.
 *
 * @throws TaskRequestError with every error at once; HdpError HDP-6018, HDP-1120
 */
async function parseTaskDocument(written: unknown, source: TaskSource): Promise<ParsedTasks> {
  const document = (await source.resolveBlocks?.(written)) ?? written;
  if (!isRecord(document)) throw noTask(document, source);
  if ("tasks" in document || "destinationChainId" in document) return await parseRequest(document, source);
  refuseUnfinished(document, "", source);
  const options = optionsOf([document], source);
  const task = await parsedWith(asDocument(document, source), (json) => parseTask(json, options), source);
  return { destinationChainId: undefined, tasks: [task] };
}

/** Parses a list of tasks like {@link parseTaskDocument}. */
async function parseTaskList(list: readonly unknown[], source: TaskSource): Promise<ParsedTasks> {
  if (list.length === 0) throw hdpError("HDP-1120", { items: "tasks" }, { source: source.source });
  const written = { tasks: list };
  const resolved = await source.resolveBlocks?.(written);
  // Parsing needs a destination, which no task depends on.
  const { tasks } = await parseRequest(
    { destinationChainId: "ETHEREUM_SEPOLIA", ...written, ...(isRecord(resolved) ? resolved : {}) },
    source,
  );
  return { destinationChainId: undefined, tasks };
}

async function parseRequest(document: object, source: TaskSource): Promise<ParsedTasks> {
  const tasks: readonly unknown[] = "tasks" in document && Array.isArray(document.tasks) ? document.tasks : [];
  tasks.forEach((task, position) => {
    refuseUnfinished(task, `tasks[${position}]`, source);
  });
  const options = optionsOf(tasks, source);
  const json = tasks.length === 0 ? document : { ...document, tasks: tasks.map((task) => asDocument(task, source)) };
  return await parsedWith(json, (resolved) => parseTaskRequest(resolved, options), source);
}

/** Returns a task of this package as a document, where the sampled property is text. Files hold documents only. */
function asDocument(task: unknown, { source }: TaskSource): unknown {
  if (source !== undefined || !isOwn(task)) return task;
  const { datalake } = task;
  return { ...task, datalake: { ...datalake, sampledProperty: formatSampledProperty(datalake.sampledProperty) } };
}

function optionsOf(tasks: readonly unknown[], { source, placeOf, fields }: TaskSource): ParseOptions {
  // Tasks that were parsed before keep the choice of fields they were parsed with.
  const own = tasks.length > 0 && tasks.every(isOwn) ? "encodable" : "supported";
  return { maxErrors: MAX_ERRORS, source, placeOf, fields: fields ?? own };
}

function isOwn(task: unknown): task is { readonly datalake: { readonly sampledProperty: SampledProperty } } {
  if (!isRecord(task) || !isRecord(task["datalake"])) return false;
  const { sampledProperty } = task["datalake"];
  return isRecord(sampledProperty) && typeof sampledProperty["kind"] === "string";
}

/** Throws for `blockSampled(…)` without a function, which is not a task yet. */
function refuseUnfinished(task: unknown, path: string, { source }: TaskSource): void {
  if (!isRecord(task) || !["avg", "sum", "min", "max", "count"].every((name) => name in task)) return;
  throw hdpError(
    "HDP-6018",
    { value: "a datalake without an aggregate function" },
    { source, path: path === "" ? undefined : path },
  );
}

function noTask(value: unknown, { source }: TaskSource): HdpError {
  const shown = value === null || typeof value !== "object" ? String(value) : "a list";
  return hdpError("HDP-6018", { value: shown }, { source });
}

/** Parses JSON. Reads the class files of modules that are named by their class. */
async function parsedWith<T extends Task | TaskRequest>(
  json: unknown,
  parse: (json: unknown) => T,
  source: TaskSource,
): Promise<T> {
  return mentionsModule(json) ? await parseWithModules(json, parse, source) : parse(json);
}

function mentionsModule(json: unknown): boolean {
  if (typeof json !== "object" || json === null) return false;
  if ("module" in json) return true;
  return "tasks" in json && Array.isArray(json.tasks) && json.tasks.some((task: unknown) => mentionsModule(task));
}
