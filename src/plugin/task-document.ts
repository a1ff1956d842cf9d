import { resolve } from "node:path";

import { isRecord } from "../base/collections.js";
import { MAX_CLASS_BYTES, readTextFile } from "../base/files.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import type { FieldChoice } from "../request/reader.js";
import { formatSampledProperty } from "../request/sampled-property.js";
import { TaskMistake, TaskRequestError } from "../request/reader.js";
import type { SampledProperty, Task, TaskRequest } from "../request/task.js";
import type { BlockResolver } from "./block-ranges.js";
import type { KnownPrograms } from "./known-programs.js";
import { locateClass } from "./locate-class.js";

/** More mistakes than these tell a person nothing new; a file of empty tasks has hundreds of thousands. */
export const MOST_MISTAKES = 100;

/** Where raw JSON came from. */
export interface ModuleSource {
  /** Folder that the classes' paths are relative to. */
  readonly folder: string;
  /** For messages. */
  readonly source?: string | undefined;
  /** Learns the classes that were read. */
  readonly programs: KnownPrograms;
  /** Which fields tasks may compute over; default those that support functions. */
  readonly fields?: FieldChoice | undefined;
  /** Looks up blocks that are written as `latest-64` or dates; without it they are mistakes. */
  readonly resolveBlocks?: BlockResolver | undefined;
}

/**
 * Parses raw JSON in which tasks may name modules by their classes.
 *
 * @throws TaskRequestError with every mistake at once, in the modules and elsewhere.
 */
export async function parseWithModules<T extends Task | TaskRequest>(
  given: unknown,
  parse: (json: unknown) => T,
  { folder, source, programs }: ModuleSource,
): Promise<T> {
  if (!mentionsModule(given)) return parse(given);
  const json = await withLocatedClasses(given, folder);
  const { findModuleReferences, resolveModules } = await import("../program/module-task.js");
  const files = findModuleReferences(json).flatMap(({ compiledClassFile, sierraClassFile }) =>
    sierraClassFile === undefined ? [compiledClassFile] : [compiledClassFile, sierraClassFile],
  );
  const texts = new Map(
    await Promise.all([...new Set(files)].map(async (file) => [file, await read(resolve(folder, file))] as const)),
  );
  const resolved = resolveModules(json, (file) => texts.get(file));
  if (resolved.mistakes.length > 0) throw together(resolved.mistakes, resolved.json, parse, source);
  for (const { programHash, ...program } of resolved.programs) programs.add(programHash, program);
  return parse(resolved.json);
}

/** The JSON in which classes that are given as a folder or by name have their paths. */
async function withLocatedClasses(json: unknown, folder: string): Promise<unknown> {
  if (typeof json !== "object" || json === null) return json;
  if ("tasks" in json && Array.isArray(json.tasks)) {
    const tasks = await Promise.all(json.tasks.map(async (task: unknown) => await withLocatedClasses(task, folder)));
    return { ...json, tasks };
  }
  const form = "module" in json ? json.module : undefined;
  if (typeof form !== "object" || form === null || !("class" in form) || typeof form.class !== "string") return json;
  const located = await locateClass(form.class, folder);
  return located === undefined ? json : { ...json, module: { ...located, ...form, class: located.class } };
}

/** Mistakes in modules before those elsewhere. */
function together(
  mistakes: readonly HdpError[],
  rest: unknown,
  parse: (json: unknown) => unknown,
  source: string | undefined,
): TaskRequestError {
  const all = mistakes.flatMap((mistake) => (mistake instanceof TaskRequestError ? mistake.errors : [mistake]));
  const inModules = all.map(
    ({ code, shortMessage, path, hints }) =>
      new TaskMistake({ code, message: shortMessage, hints, path: path ?? "", source }),
  );
  const elsewhere = failureOf(rest, parse);
  const [first, ...others] = [...inModules, ...(elsewhere?.errors ?? [])].slice(0, MOST_MISTAKES);
  if (first === undefined) throw new TypeError("no mistake to tell of");
  return new TaskRequestError([first, ...others], source, inModules.length + (elsewhere?.count ?? 0));
}

function failureOf(json: unknown, parse: (json: unknown) => unknown): TaskRequestError | undefined {
  try {
    parse(json);
    return undefined;
  } catch (error) {
    if (error instanceof TaskRequestError) return error;
    throw error;
  }
}

function mentionsModule(json: unknown): boolean {
  if (typeof json !== "object" || json === null) return false;
  if ("module" in json) return true;
  return "tasks" in json && Array.isArray(json.tasks) && json.tasks.some((task: unknown) => mentionsModule(task));
}

/** Undefined for what cannot be read: the resolver says which file of which task it is. */
async function read(path: string): Promise<string | undefined> {
  return await readTextFile(path, MAX_CLASS_BYTES).catch(() => undefined);
}

/** Tasks with where their results go, where the document says it. */
export interface ParsedTasks {
  readonly destinationChainId: ChainIdentifier | undefined;
  readonly tasks: readonly Task[];
}

/**
 * Parses what should be a request or a task: parsed JSON, or objects of this package.
 *
 * @throws TaskRequestError with every mistake at once; HdpError HDP-6018, HDP-6019, HDP-6020
 */
export async function parseTaskDocument(written: unknown, source: ModuleSource): Promise<ParsedTasks> {
  const document = (await source.resolveBlocks?.(written)) ?? written;
  if (!isRecord(document)) throw noTask(document, source);
  if ("tasks" in document || "destinationChainId" in document) return await parseRequest(document, source);
  refuseUnfinished(document, "", source);
  const options = { ...NAMED, source: source.source, fields: source.fields ?? fieldsOf([document]) };
  const task = await parseWithModules(asDocument(document, source), (json) => parseTask(json, options), source);
  return { destinationChainId: undefined, tasks: [task] };
}

const NAMED = { maxMistakes: MOST_MISTAKES };

/** Parses a list of tasks, as {@link parseTaskDocument}. */
export async function parseTaskList(list: readonly unknown[], source: ModuleSource): Promise<ParsedTasks> {
  if (list.length === 0) throw hdpError("HDP-6020", {}, { source: source.source });
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
  return await parseWithModules(json, (resolved) => parseTaskRequest(resolved, options), source);
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
