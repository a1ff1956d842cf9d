import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";

import { isRecord } from "../base/collections.js";
import { MAX_CLASS_BYTES, readNamedFile, readTextFile } from "../base/files.js";
import { parseJsonText, placesIn } from "../base/json.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { COMPILED_SUFFIX, SIERRA_SUFFIX } from "../program/scarb.js";
import { hasReference, type ResolvedBlock } from "../request/block-reference.js";
import type { ChainIdentifier } from "../request/chains.js";
import { AGGREGATE_FUNCTIONS } from "../request/fields.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import {
  type FieldChoice,
  type ParseOptions,
  placed,
  TaskError,
  TaskRequestError,
} from "../request/reader.js";
import { formatSampledProperty } from "../request/sampled-property.js";
import type { SampledProperty, Task, TaskRequest } from "../request/task.js";
import { resolveBlocks } from "./block-ranges.js";
import { defaultDestination } from "./destination.js";
import { type KnownPrograms, knownPrograms } from "./known-programs.js";
import type { Session } from "./session.js";

export type { TaskInput } from "../request/written-task.js";

/** Maximum number of reported errors: a file of empty tasks has hundreds of thousands. */
const MAX_ERRORS = 100;

/** Source of tasks, and the project data that is needed to read them. */
export interface TaskSource {
  /** Folder that paths of task files and classes are relative to. */
  readonly folder: string;
  /** Name of the source, for messages. */
  readonly source?: string | undefined;
  /** Returns the position of a path in the text of the source. */
  readonly placeOf?: ((path: string) => string) | undefined;
  /** Programs to add the read classes to. */
  readonly programs: KnownPrograms;
  /** Which fields tasks may compute over; default those that support functions. */
  readonly fields?: FieldChoice | undefined;
  /** Resolves blocks written as `latest-64` or dates; without it they are errors. */
  readonly resolveBlocks?: ((document: unknown) => Promise<unknown>) | undefined;
}

/**
 * Parses any task input of a user into a request, all forms through the same parser. Bare tasks go to the connected
 * chain. Paths of classes are relative to the project in an object, to the file in a task file.
 * @throws TaskRequestError with every error of a document at once
 * @throws HdpError HDP-6001 for a file that cannot be read, HDP-6018 for a value that is not a task,
 * HDP-1120 for no tasks at all, HDP-6021 for requests with several destinations
 */
export async function readTaskInput(
  input: unknown,
  session: Session,
  fields?: FieldChoice,
  onBlock?: (resolved: ResolvedBlock) => void,
): Promise<TaskRequest> {
  const parts = await readParts(input, session, fields, onBlock);
  const named = new Set(parts.flatMap(({ destinationChainId }) => destinationChainId ?? []));
  const isBare = parts.some(({ destinationChainId }) => destinationChainId === undefined);
  if (isBare) named.add(await defaultDestination(session));
  const [only, ...others] = named;
  if (only === undefined || others.length > 0)
    throw hdpError(
      "HDP-6021",
      { destinations: [...named].join(" and ") },
      { path: "destinationChainId" },
    );
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
    resolveBlocks: async (document) => await resolveBlocks(document, session, onBlock),
  };
  if (!Array.isArray(input)) return [await readPart(input, source)];
  const isOneOfMany = (one: unknown): boolean =>
    typeof one === "string" || (isRecord(one) && "tasks" in one);
  if (!input.some(isOneOfMany)) return [await parseTaskList(input, source)];
  return await Promise.all(input.map(async (one: unknown) => await readPart(one, source)));
}

async function readPart(input: unknown, source: TaskSource): Promise<ParsedTasks> {
  return typeof input === "string"
    ? await readTaskFile(input, source)
    : await parseTaskDocument(input, source);
}

/** Reads and parses a task file. Errors name the file relative to the folder. */
export async function readTaskFile(path: string, source: TaskSource): Promise<ParsedTasks> {
  const absolute = resolve(source.folder, path);
  const fromFolder = relative(source.folder, absolute);
  const shown = fromFolder.startsWith("..") ? absolute : fromFolder;
  // Where an input may be a task hash or a file, an incompletely copied hash is reported here.
  const hash = /(?:^|[\\/])(0x[\da-f]*)$/i.exec(shown)?.[1];
  const hints =
    hash === undefined
      ? []
      : [`A task hash is 0x and 64 hexadecimal digits; this has ${hash.length - 2}.`];
  const text = await readNamedFile(`the task file "${shown}"`, absolute, { hints });
  return await parseTaskText(text, { ...source, folder: dirname(absolute), source: shown });
}

export async function parseTaskText(
  text: string,
  source: TaskSource & { source: string },
): Promise<ParsedTasks> {
  const json = parseJsonText(text, { source: source.source, comments: true });
  const placeOf = placesIn(text);
  if (!Array.isArray(json)) return await parseTaskDocument(json, { ...source, placeOf });
  // The tasks of a list are parsed like those of a request.
  return await parseTaskList(json, {
    ...source,
    placeOf: (path) => placeOf(path.replace(/^tasks/, "")),
  });
}

/** Tasks, and their destination where the document names one. */
export interface ParsedTasks {
  readonly destinationChainId: ChainIdentifier | undefined;
  readonly tasks: readonly Task[];
}

/** Parses JSON, or objects of this package. @throws TaskRequestError with every error; HdpError HDP-6018, HDP-1120 */
async function parseTaskDocument(written: unknown, source: TaskSource): Promise<ParsedTasks> {
  const document = hasReference(written)
    ? ((await source.resolveBlocks?.(written)) ?? written)
    : written;
  if (!isRecord(document)) {
    const value = typeof document === "object" && document !== null ? "a list" : String(document);
    throw hdpError("HDP-6018", { value }, { source: source.source });
  }
  if ("tasks" in document || "destinationChainId" in document)
    return await parseRequest(document, source);
  refuseUnfinished(document, "", source);
  const options = optionsOf([document], source);
  const task = await parsedWith(
    asDocument(document, source),
    (json) => parseTask(json, options),
    source,
  );
  return { destinationChainId: undefined, tasks: [task] };
}

async function parseTaskList(list: readonly unknown[], source: TaskSource): Promise<ParsedTasks> {
  if (list.length === 0) throw hdpError("HDP-1120", { items: "tasks" }, { source: source.source });
  const written = { tasks: list };
  const resolved = hasReference(written) ? await source.resolveBlocks?.(written) : undefined;
  // Parsing needs a destination, which no task depends on.
  const { tasks } = await parseRequest(
    { destinationChainId: "ETHEREUM_SEPOLIA", ...written, ...(isRecord(resolved) ? resolved : {}) },
    source,
  );
  return { destinationChainId: undefined, tasks };
}

async function parseRequest(document: object, source: TaskSource): Promise<ParsedTasks> {
  const tasks: readonly unknown[] =
    "tasks" in document && Array.isArray(document.tasks) ? document.tasks : [];
  tasks.forEach((task, position) => refuseUnfinished(task, `tasks[${position}]`, source));
  const options = optionsOf(tasks, source);
  const json =
    tasks.length === 0
      ? document
      : { ...document, tasks: tasks.map((task) => asDocument(task, source)) };
  return await parsedWith(json, (resolved) => parseTaskRequest(resolved, options), source);
}

/** Returns a task of this package as a document, where the sampled property is text. Files hold documents only. */
function asDocument(task: unknown, { source }: TaskSource): unknown {
  if (source !== undefined || !isOwn(task)) return task;
  const { datalake } = task;
  return {
    ...task,
    datalake: { ...datalake, sampledProperty: formatSampledProperty(datalake.sampledProperty) },
  };
}

function optionsOf(
  tasks: readonly unknown[],
  { source, placeOf, fields }: TaskSource,
): ParseOptions {
  // Tasks that were parsed before keep the choice of fields they were parsed with.
  const own = tasks.length > 0 && tasks.every(isOwn) ? "encodable" : "supported";
  return { maxErrors: MAX_ERRORS, source, placeOf, fields: fields ?? own };
}

function isOwn(
  task: unknown,
): task is { readonly datalake: { readonly sampledProperty: SampledProperty } } {
  if (!isRecord(task) || !isRecord(task["datalake"])) return false;
  const { sampledProperty } = task["datalake"];
  return isRecord(sampledProperty) && typeof sampledProperty["kind"] === "string";
}

/** Throws for `blockSampled(…)` without a function, which is not a task yet. */
function refuseUnfinished(task: unknown, path: string, { source }: TaskSource): void {
  if (!isRecord(task) || !AGGREGATE_FUNCTIONS.every((name) => name in task)) return;
  const value = "a datalake without an aggregate function";
  throw hdpError("HDP-6018", { value }, { source, path: path === "" ? undefined : path });
}

function mentionsModule(json: unknown): boolean {
  if (!isRecord(json)) return false;
  return "module" in json || (Array.isArray(json["tasks"]) && json["tasks"].some(mentionsModule));
}

/** Parses JSON in which tasks may name modules by their classes. @throws TaskRequestError with every error at once */
async function parsedWith<T extends Task | TaskRequest>(
  given: unknown,
  parse: (json: unknown) => T,
  { folder, programs, ...source }: TaskSource,
): Promise<T> {
  if (!mentionsModule(given)) return parse(given);
  const json = await withLocatedClasses(given, folder);
  const { findModuleReferences, resolveModules } = await import("../program/module-task.js");
  const files = findModuleReferences(json).flatMap(({ compiledClassFile, sierraClassFile }) =>
    sierraClassFile === undefined ? [compiledClassFile] : [compiledClassFile, sierraClassFile],
  );
  const texts = new Map(
    await Promise.all(
      [...new Set(files)].map(async (file) => [file, await read(resolve(folder, file))] as const),
    ),
  );
  const resolved = resolveModules(json, (file) => texts.get(file));
  if (resolved.errors.length > 0) throw together(resolved.errors, resolved.json, parse, source);
  for (const { programHash, file, ...program } of resolved.programs) {
    programs.add(programHash, { ...program, file: resolve(folder, file) });
  }
  return parse(resolved.json);
}

/** Returns the JSON with the paths of classes that are given as a folder or by name. */
async function withLocatedClasses(json: unknown, folder: string): Promise<unknown> {
  if (typeof json !== "object" || json === null) return json;
  if ("tasks" in json && Array.isArray(json.tasks)) {
    const tasks = await Promise.all(
      json.tasks.map(async (task: unknown) => await withLocatedClasses(task, folder)),
    );
    return { ...json, tasks };
  }
  const form = "module" in json ? json.module : undefined;
  if (
    typeof form !== "object" ||
    form === null ||
    !("class" in form) ||
    typeof form.class !== "string"
  )
    return json;
  const located = await locateClass(form.class, folder);
  return located === undefined
    ? json
    : { ...json, module: { ...located, ...form, class: located.class } };
}

/** Joins errors: those in modules before those elsewhere. */
function together(
  errors: readonly HdpError[],
  rest: unknown,
  parse: (json: unknown) => unknown,
  source: Pick<TaskSource, "source" | "placeOf">,
): TaskRequestError {
  const all = errors.flatMap((error) =>
    error instanceof TaskRequestError ? error.errors : [error],
  );
  const inModules = all.map(
    ({ code, shortMessage, path, hints }) =>
      new TaskError({
        code,
        message: shortMessage,
        hints,
        path: path ?? "",
        source: placed(path ?? "", source),
      }),
  );
  const elsewhere = failureOf(rest, parse);
  const [first, ...others] = [...inModules, ...(elsewhere?.errors ?? [])].slice(0, MAX_ERRORS);
  if (first === undefined) throw new TypeError("no error to tell of");
  return new TaskRequestError(
    [first, ...others],
    source.source,
    inModules.length + (elsewhere?.count ?? 0),
  );
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

/** Returns a file's text; undefined for one that cannot be read: the resolver reports it with its task. */
async function read(path: string): Promise<string | undefined> {
  return await readTextFile(path, MAX_CLASS_BYTES).catch(() => undefined);
}

/** The other naming convention for the two files of a class. */
const CASM_SUFFIX = ".casm.json";
const NAME = /^[A-Za-z_]\w*$/;
const TARGETS = ["target/dev", "target/release"];

/** Where a class was found: the compiled class, and the Sierra class beside it. */
type LocatedClass = Readonly<{ class: string; sierra?: string }>;

/**
 * Returns the files of a class that is given as a folder (with its files, or of a built Scarb package), or as the name
 * of a contract or package in the target folders of the searched places. Undefined for anything else, which is a path.
 * @throws HdpError HDP-7022 for a folder without a class, and where several classes match
 */
async function locateClass(given: string, folder: string): Promise<LocatedClass | undefined> {
  const path = resolve(folder, given);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isFile() === true)
    return path.endsWith(CASM_SUFFIX) ? await withSierra(path) : undefined;
  if (kind?.isDirectory() === true) {
    for (const place of ["", ...TARGETS]) {
      const found = await classesIn(join(path, place));
      if (found.length > 0) return await withSierra(only(found, given));
    }
    throw noClass(`"${given}" is a folder without one`, [
      `Searched ${path}, and target/dev and target/release in it, for *${COMPILED_SUFFIX} and *${CASM_SUFFIX}.`,
    ]);
  }
  if (!NAME.test(given)) return undefined;
  const named = await namedClasses(given, [folder, dirname(folder)]);
  return named.length === 0 ? undefined : await withSierra(only(named, given));
}

/** Compiled classes of a contract or package by that name, in the target folders of these folders and of theirs. */
export async function namedClasses(
  name: string,
  roots: readonly string[],
): Promise<readonly string[]> {
  for (const root of roots) {
    const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
    const packages = [
      root,
      ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name)),
    ];
    for (const target of TARGETS) {
      const found = (
        await Promise.all(packages.map(async (folder) => await classesIn(join(folder, target))))
      ).flat();
      const fitting = found.filter((file) => isNamed(file, name));
      if (fitting.length > 0) return fitting;
    }
  }
  return [];
}

/** Returns whether a file is of a name: `x` and `x_Module` match by package, `p_X` by contract. */
function isNamed(file: string, name: string): boolean {
  const stem = basename(file).replace(COMPILED_SUFFIX, "").replace(CASM_SUFFIX, "");
  return stem === name || stem === `${name}_Module` || stem.endsWith(`_${name}`);
}

async function classesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(COMPILED_SUFFIX) || name.endsWith(CASM_SUFFIX))
    .sort()
    .map((name) => join(folder, name));
}

async function withSierra(file: string): Promise<LocatedClass> {
  const stem = file.endsWith(CASM_SUFFIX)
    ? file.slice(0, -CASM_SUFFIX.length)
    : file.slice(0, -COMPILED_SUFFIX.length);
  for (const ending of [SIERRA_SUFFIX, ".sierra.json"]) {
    if ((await stat(stem + ending).catch(() => undefined)) !== undefined)
      return { class: file, sierra: stem + ending };
  }
  return { class: file };
}

function only(files: readonly string[], given: string): string {
  const [first, second] = files;
  if (first !== undefined && second === undefined) return first;
  throw noClass(`"${given}" is the name of ${files.length} classes`, files);
}

function noClass(place: string, hints: readonly string[]): HdpError {
  return hdpError(
    "HDP-7022",
    { kind: "compiled class", place, example: undefined },
    { path: "module.class", hints },
  );
}
