import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve } from "node:path";

import { systemErrorWord } from "../base/system-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import { HdpError } from "../base/errors.js";
import { parseJsonText } from "../base/json-text.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import type { Task, TaskRequest } from "../request/task.js";
import { defaultDestination } from "./destination.js";
import { type KnownPrograms, knownPrograms } from "./known-programs.js";
import { parseWithModules, type ModuleSource } from "./read-modules.js";
import type { Session } from "./session.js";

/**
 * What can be submitted: the path of a JSON file (relative to the project), the file's content as an object, a task,
 * several tasks, or a parsed request. Tasks alone are delivered to the chain they are submitted on.
 */
export type TaskInput = string | Task | readonly Task[] | TaskRequest | Readonly<Record<string, unknown>>;

/** What reading a task needs to know of the project. */
export interface TaskInputContext {
  readonly projectRoot: string;
  /** Learns the compiled classes that tasks name. */
  readonly programs: KnownPrograms;
}

/**
 * Turns whatever a user may submit into a parsed request. `destination` is asked for bare tasks only. Classes that an
 * object names are relative to the project, those of a file to the file.
 */
export async function readTaskInput(
  input: TaskInput,
  session: Session,
  destination: () => Promise<ChainIdentifier> = async () => await defaultDestination(session),
): Promise<TaskRequest> {
  const context = { projectRoot: session.root, programs: knownPrograms(session.project.config) };
  if (typeof input === "string") return await readTaskFile(input, context);
  const tasks = asTasks(input);
  if (tasks !== undefined) return { destinationChainId: await destination(), tasks };
  if (isParsedRequest(input)) return input;
  const source: ModuleSource = { folder: context.projectRoot, programs: context.programs };
  if (!isBareModule(input)) return await parseWithModules(input, parseTaskRequest, source);
  const task = await parseWithModules(input, parseTask, source);
  return { destinationChainId: await destination(), tasks: [task] };
}

/** Reads and parses a task file; errors name the file relative to the project. */
export async function readTaskFile(path: string, { projectRoot, programs }: TaskInputContext): Promise<TaskRequest> {
  const absolute = isAbsolute(path) ? path : resolve(projectRoot, path);
  const shown = relative(projectRoot, absolute).startsWith("..") ? absolute : relative(projectRoot, absolute);
  const text = await readText(absolute, shown);
  return await parseTaskText(text, { folder: dirname(absolute), source: shown, programs });
}

/** Parses the text of a task file. */
export async function parseTaskText(text: string, source: ModuleSource & { source: string }): Promise<TaskRequest> {
  const parse = (json: unknown): TaskRequest => parseTaskRequest(json, { source: source.source });
  return await parseWithModules(parseJsonText(text, { source: source.source }), parse, source);
}

async function readText(absolute: string, shown: string): Promise<string> {
  try {
    return await readFile(absolute, "utf8");
  } catch (error) {
    throw new HdpError({
      code: "HDP-6001",
      message: `the task file "${shown}" can't be read (${systemErrorWord(error)}).`,
      hints: [`Looked for ${absolute}. Paths are relative to the project; "-" reads standard input.`],
      cause: error,
    });
  }
}

/** Tasks of this package (their integers are bigints; a file's are not), or undefined. */
function asTasks(input: Exclude<TaskInput, string>): readonly Task[] | undefined {
  const list = Array.isArray(input) ? (input as readonly Task[]) : [input];
  return list.length > 0 && list.every(isTask) ? list : undefined;
}

/** A task that names its module by class, without a request around it. */
function isBareModule(value: object): boolean {
  return "type" in value && value.type === "Module" && "module" in value;
}

function isTask(value: object): value is Task {
  if (!("type" in value)) return false;
  if (value.type === "Module") return "inputs" in value;
  return (
    "datalake" in value &&
    typeof value.datalake === "object" &&
    value.datalake !== null &&
    "sampledProperty" in value.datalake &&
    typeof value.datalake.sampledProperty === "object"
  );
}

function isParsedRequest(value: object): value is TaskRequest {
  return "tasks" in value && Array.isArray(value.tasks) && value.tasks.length > 0 && value.tasks.every(isTask);
}
