import { isRecord } from "../base/collections.js";
import { HdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import { parseTask, parseTaskRequest } from "../request/parse.js";
import { formatSampledProperty } from "../request/sampled-property.js";
import type { SampledProperty, Task } from "../request/task.js";
import { type ModuleSource, MOST_MISTAKES, parseWithModules } from "./read-modules.js";

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
  if (list.length === 0) throw noTasks(source);
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
  throw new HdpError({
    code: "HDP-6019",
    source,
    ...(path === "" ? {} : { path }),
    message: "this is a datalake without an aggregate function.",
    hints: ["End it with the function to compute: .avg(), .sum(), .min(), .max() or .count(operator, value)."],
  });
}

function noTask(value: unknown, { source }: ModuleSource): HdpError {
  const shown = value === null || typeof value !== "object" ? String(value) : "a list";
  return new HdpError({
    code: "HDP-6018",
    source,
    message: `${shown} is not a task.`,
    hints: [
      'Give the path of a task file ("tasks/fee.json"), its content as an object, a task from blockSampled(…).avg() or',
      "moduleTask(…), a request from taskRequest(…), or a list of these.",
    ],
  });
}

function noTasks({ source }: ModuleSource): HdpError {
  return new HdpError({
    code: "HDP-6020",
    source,
    message: "there are no tasks in this list.",
    hints: ["Give at least one. Nothing was sent."],
  });
}
