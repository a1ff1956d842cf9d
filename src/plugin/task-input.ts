import { readFile } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";

import type { ChainIdentifier } from "../request/chains.js";
import { HdpError } from "../request/errors.js";
import { parseTaskRequest, parseTaskRequestText } from "../request/parse.js";
import type { Task, TaskRequest } from "../request/task.js";
import type { TaskInput } from "./types.js";

/** Turns whatever a user may submit into a parsed request. `defaultDestination` is asked for bare tasks only. */
export async function readTaskInput(
  input: TaskInput,
  projectRoot: string,
  defaultDestination: () => Promise<ChainIdentifier>,
): Promise<TaskRequest> {
  if (typeof input === "string") return await readTaskFile(input, projectRoot);
  const tasks = asTasks(input);
  if (tasks !== undefined) return { destinationChainId: await defaultDestination(), tasks };
  return isParsedRequest(input) ? input : parseTaskRequest(input);
}

/** Reads and parses a task file; errors name the file relative to the project. */
export async function readTaskFile(path: string, projectRoot: string): Promise<TaskRequest> {
  const absolute = isAbsolute(path) ? path : resolve(projectRoot, path);
  const shown = relative(projectRoot, absolute).startsWith("..") ? absolute : relative(projectRoot, absolute);
  return parseTaskRequestText(await readText(absolute, shown), { source: shown });
}

async function readText(absolute: string, shown: string): Promise<string> {
  try {
    return await readFile(absolute, "utf8");
  } catch (error) {
    throw new HdpError({
      code: "HDP-6001",
      message: `the task file "${shown}" can't be read (${error instanceof Error && "code" in error ? String(error.code) : String(error)}).`,
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
