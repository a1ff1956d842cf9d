import { dirname, relative, resolve } from "node:path";

import { isRecord } from "../base/collections.js";
import { MAX_CLASS_BYTES, readNamedFile, readTextFile } from "../base/files.js";
import { parseJsonText, placesIn } from "../base/json.js";
import { type HdpError, hdpError, notAllowed } from "../errors/hdp-error.js";
import { hasReference, type ResolvedBlock } from "../request/block-reference.js";
import type { ChainIdentifier } from "../request/chains.js";
import {
  type FieldChoice,
  type ParseOptions,
  placed,
  TaskError,
  TaskRequestError,
} from "../request/reader.js";
import { inForm, requestInForm } from "../request/task-form.js";
import type { Task, TaskRequest } from "../request/task.js";
import {
  type ParsedTasks,
  parseTaskDocument,
  taskDocument,
  type RecognizedDocument,
} from "../request/task-document.js";
import { resolveBlocks } from "./block-ranges.js";
import { withLocatedClasses } from "./class-files.js";
import { defaultDestination } from "./destination.js";
import { type KnownPrograms, knownPrograms } from "./known-programs.js";
import { KnownTasks } from "./known-tasks.js";
import { connectionForm } from "./processor-choice.js";
import type { Session } from "./session.js";
import { ChainSources } from "./chain-sources.js";

export type { TaskInput } from "../request/written-task.js";

/** Maximum number of reported errors: a file of empty tasks has hundreds of thousands. */
const MAX_ERRORS = 100;

/** How tasks are read, and the project data that is needed for it. */
export interface TaskReading {
  /** Returns the position of a path in the text of the source. */
  readonly placeOf?: ((path: string) => string) | undefined;
  /** Programs to add the read classes to. */
  readonly programs: KnownPrograms;
  /** Which fields tasks may compute over; default those that support functions. */
  readonly fields?: FieldChoice | undefined;
  /** Resolves blocks written as `latest-64` or dates; without it they are errors. */
  readonly resolveBlocks?: ((document: unknown) => Promise<unknown>) | undefined;
}

/** Source of tasks. */
export interface TaskSource extends TaskReading {
  /** Folder that paths of task files and classes are relative to. */
  readonly folder: string;
  /** Name of the source, for messages. */
  readonly source?: string | undefined;
}

/** Choices of a caller of {@link readTaskInput}. */
interface ReadOptions {
  /** Which fields tasks may compute over; default those that support functions. */
  readonly fields?: FieldChoice | undefined;
  /** Called with each block that was written as `latest-64` or a date. */
  readonly onBlock?: ((resolved: ResolvedBlock) => void) | undefined;
}

/**
 * Parses any task input of a user into a request, all forms through the same parser. Datalake tasks take the form in which
 * the connection sends them. Bare tasks go to the connected chain. Paths of classes are relative to the project in an object, to the file in a task file.
 * @throws TaskRequestError with every error of a document at once
 * @throws HdpError HDP-6001 for a file that cannot be read, HDP-6018 for a value that is not a task,
 * HDP-1120 for no tasks at all, HDP-6021 for requests with several destinations
 */
export async function readTaskInput(
  input: unknown,
  session: Session,
  options: ReadOptions = {},
): Promise<TaskRequest> {
  const parts = await readParts(input, session, options);
  const named = new Set(parts.flatMap(({ destinationChainId }) => destinationChainId ?? []));
  const isBare = parts.some(({ destinationChainId }) => destinationChainId === undefined);
  if (isBare) named.add(await defaultDestination(session));
  const [only, ...others] = named;
  if (only === undefined || others.length > 0) {
    const destinations = [...named].join(" and ");
    throw hdpError("HDP-6021", { destinations }, { path: "destinationChainId" });
  }
  const tasks = parts.flatMap((part) => part.tasks);
  session.part(KnownTasks).add(tasks);
  return requestInForm({ destinationChainId: only, tasks }, await connectionForm(session));
}

/** A task with the chain that its request names for the result; undefined where no request does. */
export interface AddressedTask {
  readonly task: Task;
  readonly destination: ChainIdentifier | undefined;
}

/** Returns the tasks of an input in the connection's form, whatever destinations they have. */
export async function readTasks(
  input: unknown,
  session: Session,
): Promise<readonly AddressedTask[]> {
  const parts = await readParts(input, session);
  session.part(KnownTasks).add(parts.flatMap(({ tasks }) => tasks));
  const form = await connectionForm(session);
  return parts.flatMap(({ tasks, destinationChainId }) =>
    tasks.map((task) => ({ task: inForm(task, form), destination: destinationChainId })),
  );
}

async function readParts(
  input: unknown,
  session: Session,
  { fields, onBlock }: ReadOptions = {},
): Promise<readonly ParsedTasks[]> {
  const source: TaskSource = {
    folder: session.root,
    get programs() {
      return knownPrograms(session.project.config);
    },
    fields,
    resolveBlocks: async (document) =>
      await resolveBlocks(document, session.part(ChainSources), onBlock),
  };
  const isOneOfMany = (one: unknown): boolean =>
    typeof one === "string" || (isRecord(one) && "tasks" in one);
  if (!Array.isArray(input) || !input.some(isOneOfMany)) return [await readPart(input, source)];
  const readOne = async (one: unknown): Promise<ParsedTasks> => {
    if (Array.isArray(one)) throw hdpError("HDP-6018", { value: "a list" });
    return await readPart(one, source);
  };
  return await Promise.all(input.map(readOne));
}

async function readPart(input: unknown, source: TaskSource): Promise<ParsedTasks> {
  return typeof input === "string"
    ? await readTaskFile(input, source)
    : await parseWritten(input, source);
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

/** Parses the text of a task file. Errors have line and column. */
export async function parseTaskText(
  text: string,
  source: TaskSource & { readonly source: string },
): Promise<ParsedTasks> {
  const json = parseJsonText(text, { source: source.source, comments: true });
  refuseOtherFiles(json, source.source);
  const inText = placesIn(text);
  // The tasks of a list are parsed like those of a request.
  const placeOf = Array.isArray(json)
    ? (path: string) => inText(path.replace(/^tasks/, ""))
    : inText;
  return await parseWritten(json, { ...source, placeOf });
}

/** Keys of files that lie beside task files, and that no task has. */
const OF_OTHER_FILES = ["compilerOptions", "dependencies", "devDependencies", "scripts"];

/** Refuses the project's package.json, tsconfig.json and the like, of which each key would be an error. @throws HDP-6003 */
function refuseOtherFiles(json: unknown, file: string): void {
  if (!isRecord(json)) return;
  const found = OF_OTHER_FILES.filter((key) => key in json);
  if (found.length === 0) return;
  throw notAllowed(file, `a task file: it has "${found.join('", "')}"`, {
    path: "file",
    allowed: "a file with tasks, such as tasks/fee.json; npx hardhat hdp:init writes one",
  });
}

/** Parses JSON, or objects of this package. @throws TaskRequestError with every error; HdpError HDP-6018, HDP-1120 */
async function parseWritten(written: unknown, source: TaskSource): Promise<ParsedTasks> {
  const document = await withBlocks(taskDocument(written, source.source), source);
  const { source: name, placeOf, fields } = source;
  const options = { maxErrors: MAX_ERRORS, source: name, placeOf, fields };
  return mentionsModule(document.json)
    ? await parseWithClasses(document, source, options)
    : parseTaskDocument(document, options);
}

/** Returns a document with numbers in place of the blocks that it names as `latest-64` or by dates. */
async function withBlocks(
  document: RecognizedDocument,
  { resolveBlocks: resolved }: TaskSource,
): Promise<RecognizedDocument> {
  if (resolved === undefined || !hasReference(document.json)) return document;
  const json = await resolved(document.json);
  return isRecord(json) ? { ...document, json } : document;
}

function mentionsModule(json: unknown): boolean {
  if (!isRecord(json)) return false;
  return "module" in json || (Array.isArray(json["tasks"]) && json["tasks"].some(mentionsModule));
}

/** Parses a document that names modules by their classes. @throws TaskRequestError with every error at once */
async function parseWithClasses(
  { form, json }: RecognizedDocument,
  { folder, programs }: TaskSource,
  options: ParseOptions,
): Promise<ParsedTasks> {
  const located = await withLocatedClasses(json, folder);
  const { findModuleReferences, resolveModules } = await import("../program/module-task.js");
  const files = findModuleReferences(located).flatMap(({ compiledClassFile, sierraClassFile }) =>
    sierraClassFile === undefined ? [compiledClassFile] : [compiledClassFile, sierraClassFile],
  );
  const texts = new Map<string, string | undefined>();
  const load = async (file: string): Promise<void> =>
    void texts.set(file, await read(resolve(folder, file)));
  await Promise.all([...new Set(files)].map(load));
  const resolved = resolveModules(located, (file) => texts.get(file));
  const parse = (): ParsedTasks => {
    const { json: document } = resolved;
    if (!isRecord(document)) throw new TypeError("a document became another value");
    return parseTaskDocument({ form, json: document }, options);
  };
  if (resolved.errors.length > 0) throw together(resolved.errors, parse, options);
  for (const { programHash, file, ...program } of resolved.programs) {
    programs.add(programHash, { ...program, file: resolve(folder, file) });
  }
  return parse();
}

/** Joins errors: those in modules before those elsewhere. */
function together(
  errors: readonly HdpError[],
  parse: () => unknown,
  options: ParseOptions,
): TaskRequestError {
  const all = errors.flatMap((error) =>
    error instanceof TaskRequestError ? error.errors : [error],
  );
  const inModules = all.map(
    ({ code, shortMessage, path = "", hints }) =>
      new TaskError({ code, message: shortMessage, hints, path, source: placed(path, options) }),
  );
  const elsewhere = parseFailure(parse);
  const [first, ...others] = [...inModules, ...(elsewhere?.errors ?? [])].slice(0, MAX_ERRORS);
  if (first === undefined) throw new TypeError("no error to tell of");
  const count = inModules.length + (elsewhere?.count ?? 0);
  return new TaskRequestError([first, ...others], options.source, count);
}

function parseFailure(parse: () => unknown): TaskRequestError | undefined {
  try {
    parse();
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
