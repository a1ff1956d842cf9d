import { isRecord } from "../base/collections.js";
import { parseJsonText } from "../base/json.js";
import { type ParseOptions, parseWith } from "./reader.js";
import { formatSampledProperty } from "./sampled-property.js";
import { requestReader, taskReader } from "./task-readers.js";
import type { Compute, Datalake, IncludedTypes, Task, TaskRequest } from "./task.js";

/**
 * Parses the specification's task request body strictly, filling in every default.
 *
 * @param json parsed JSON; integers may be numbers, text or bigints
 * @throws {@link TaskRequestError} with every error at once, each with its path
 * @example parseTaskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [ … ] }, { source: "tasks/fee.json" })
 */
export function parseTaskRequest(json: unknown, options: ParseOptions = {}): TaskRequest {
  return parseWith(requestReader, withoutEditorKey(json), options);
}

/** Parses one task object of a request. @throws {@link TaskRequestError} with every error at once */
export function parseTask(json: unknown, options: ParseOptions = {}): Task {
  return parseWith(taskReader, withoutEditorKey(json), options);
}

/** Returns the document without the `"$schema"` by which an editor knows it. */
function withoutEditorKey(json: unknown): unknown {
  if (!isRecord(json) || typeof json["$schema"] !== "string") return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== "$schema"));
}

/**
 * Parses the text of a task request file or of stdin, which may have comments. Bare integers
 * beyond 2^53 are read exactly.
 *
 * @throws HDP-1001 when the text is not JSON, with line and column
 * @throws {@link TaskRequestError} with every error at once
 */
export function parseTaskRequestText(text: string, options: ParseOptions = {}): TaskRequest {
  return parseTaskRequest(parseJsonText(text, { source: options.source, comments: true }), options);
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * Returns the specification's request body. Integers up to 2^53 − 1 are JSON numbers, larger ones decimal text;
 * `parseTaskRequest` reads both back to the same request.
 */
export function toTaskRequestJson(request: TaskRequest): Readonly<Record<string, JsonValue>> {
  return { destinationChainId: request.destinationChainId, tasks: request.tasks.map(toTaskJson) };
}

export function toTaskJson(task: Task): Readonly<Record<string, JsonValue>> {
  return task.type === "Module"
    ? {
        type: task.type,
        programHash: task.programHash,
        inputs: task.inputs.map(({ visibility, value }) => ({ visibility, value })),
        ...(task.injectedState === undefined ? {} : { injected_state: { ...task.injectedState } }),
      }
    : { type: task.type, datalake: toDatalakeJson(task.datalake), compute: computeJson(task.compute) };
}

function toDatalakeJson({ sampledProperty, ...rest }: Datalake): Readonly<Record<string, JsonValue>> {
  const json: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries<string | bigint | IncludedTypes>(rest)) {
    json[name] =
      typeof value !== "bigint" ? value : value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString();
  }
  return { ...json, sampledProperty: formatSampledProperty(sampledProperty) };
}

/** Returns the JSON of a compute. The specification writes the value to compare as text, whatever its size. */
function computeJson({ aggregateFnId, aggregateFnCtx }: Compute): JsonValue {
  if (aggregateFnCtx === undefined) return { aggregateFnId };
  const { operator, valueToCompare } = aggregateFnCtx;
  return { aggregateFnId, aggregateFnCtx: { operator, valueToCompare: valueToCompare.toString() } };
}
