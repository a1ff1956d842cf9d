import type { z } from "zod";

import { isRecord } from "../base/collections.js";
import { parseJsonText } from "../base/json.js";
import type { ChainIdentifier } from "./chains.js";
import { readChain } from "./readers.js";
import { formatSampledProperty } from "./sampled-property.js";
import { field, type Schema } from "./schema.js";
import { type Mistake, TaskMistake, TaskRequestError } from "./task-request-error.js";
import {
  twinsIn,
  type FieldChoice,
  inputSchema,
  moduleFrameSchema,
  requestFrameSchema,
  taskRequestSchema,
  taskSchema,
} from "./task-schema.js";
import type { Compute, Datalake, ModuleInput, Task, TaskRequest } from "./task.js";

export interface ParseOptions {
  /** Where the input came from, for messages: a file's path, `stdin`. */
  readonly source?: string | undefined;
  /**
   * `supported` (default) refuses aggregate functions over fields that are not integers; `encodable` takes every
   * field that has a hash, for comparing hashes only.
   */
  readonly fields?: FieldChoice | undefined;
  /** How many mistakes to name; the others are counted only. Default: all. */
  readonly maxMistakes?: number | undefined;
}

/**
 * Parses the specification's task request body strictly, filling in every default.
 *
 * @param json parsed JSON; integers may be numbers, text or bigints
 * @throws {@link TaskRequestError} with every mistake at once, each with its path
 * @example parseTaskRequest({ destinationChainId: "ETHEREUM_SEPOLIA", tasks: [ … ] }, { source: "tasks/fee.json" })
 */
export function parseTaskRequest(json: unknown, options: ParseOptions = {}): TaskRequest {
  return parseWith(
    taskRequestSchema(options.fields ?? "supported"),
    forReaders(json),
    options.source,
    options.maxMistakes,
  );
}

/** Values that are read between two steps: few enough for some milliseconds. */
const SLICE = 50;

/**
 * The same step by step, for who has other work meanwhile: each step reads at most some fifty inputs or one task.
 *
 * @throws as {@link parseTaskRequest}
 */
export function* parseTaskRequestInSteps(json: unknown, options: ParseOptions = {}): Generator<undefined, TaskRequest> {
  const { source, maxMistakes = Infinity } = options;
  const found: { path: readonly (string | number)[]; mistake: Mistake }[] = [];
  let count = 0;
  const note = (issues: readonly z.ZodIssue[], path: readonly (string | number)[]): void => {
    count += issues.length;
    for (const issue of issues.slice(0, Math.max(0, maxMistakes - found.length))) {
      found.push({ path: [...path, ...issue.path], mistake: mistakeOf(issue) });
    }
  };
  const read = <T>(schema: Schema<T>, value: unknown, ...path: readonly (string | number)[]): T | undefined => {
    const result = schema.safeParse(value);
    if (!result.success) note(result.error.issues, path);
    return result.data;
  };
  const body = forReaders(json);
  const frame = read(requestFrameSchema, body);
  const whole = taskSchema(options.fields ?? "supported");
  const written: unknown = isRecord(body) ? body["tasks"] : undefined;
  const tasks: (Task | undefined)[] = [];
  for (const [at, task] of (Array.isArray(written) ? (written as unknown[]) : []).entries()) {
    yield;
    if (!hasManyInputs(task)) {
      tasks.push(read(whole, task, "tasks", at));
      continue;
    }
    const module = moduleFrameSchema.safeParse(task);
    const issues = module.error?.issues ?? [];
    // In the order of a task's keys the inputs come before the injected state.
    const isLater = (issue: z.ZodIssue): boolean => issue.path[0] === "injected_state";
    note(
      issues.filter((issue) => !isLater(issue)),
      ["tasks", at],
    );
    const inputs: (ModuleInput | undefined)[] = [];
    for (const [position, input] of task.inputs.entries()) {
      if (position % SLICE === 0) yield;
      inputs.push(read(inputSchema, input, "tasks", at, "inputs", position));
    }
    note(issues.filter(isLater), ["tasks", at]);
    tasks.push(module.data && { ...module.data, inputs: inputs.filter((input) => input !== undefined) });
  }
  throwMistakes(found, source, count);
  if (frame === undefined) throw new TypeError("a document that cannot be read has no mistake");
  const request = { ...frame, tasks: tasks.filter((task) => task !== undefined) };
  const twins = twinsIn(request.tasks).map(({ index, mistake }) => ({
    path: ["tasks", index, "injected_state"],
    mistake,
  }));
  throwMistakes(twins.slice(0, maxMistakes), source, twins.length);
  return request;
}

function hasManyInputs(task: unknown): task is { readonly inputs: readonly unknown[] } {
  return isRecord(task) && task["type"] === "Module" && Array.isArray(task["inputs"]) && task["inputs"].length > SLICE;
}

/**
 * Parses one task object of a request.
 *
 * @throws {@link TaskRequestError} with every mistake at once
 */
export function parseTask(json: unknown, options: ParseOptions = {}): Task {
  return parseWith(taskSchema(options.fields ?? "supported"), forReaders(json), options.source, options.maxMistakes);
}

/** A document without the `"$schema"` that tells an editor what it is, where that is text. */
function forReaders(json: unknown): unknown {
  if (!isRecord(json) || typeof json["$schema"] !== "string") return json;
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== "$schema"));
}

/**
 * Parses the text of a task request file or of stdin, which may have comments (`// …`) at ends of lines. Bare integers beyond 2^53 are read exactly.
 *
 * @throws HDP-1001 when the text is not JSON, with line and column
 * @throws {@link TaskRequestError} with every mistake at once
 */
export function parseTaskRequestText(text: string, options: ParseOptions = {}): TaskRequest {
  return parseTaskRequest(parseJsonText(text, { source: options.source, comments: true }), options);
}

/**
 * The canonical identifier of a chain name or alias.
 *
 * @throws {@link TaskRequestError} HDP-1109 for an unknown name, HDP-1117 for a number
 * @example parseChainIdentifier("SN_SEPOLIA") // "STARKNET_SEPOLIA"
 */
export function parseChainIdentifier(
  text: string,
  options: { readonly source?: string | undefined } = {},
): ChainIdentifier {
  return parseWith(field(readChain), text, options.source);
}

/** Parses with one schema; the builder's way in. */
export function parseWith<T>(schema: Schema<T>, json: unknown, source: string | undefined, most = Infinity): T {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const { issues } = result.error;
  throwMistakes(
    issues.slice(0, most).map((issue) => ({ path: issue.path, mistake: mistakeOf(issue) })),
    source,
    issues.length,
  );
  throw result.error;
}

/** Throws the one error that carries the mistakes, of `count` altogether; does nothing when there is none. */
export function throwMistakes(
  mistakes: readonly { readonly path: readonly (string | number)[]; readonly mistake: Mistake }[],
  source: string | undefined,
  count = mistakes.length,
): void {
  const [first, ...others] = mistakes.map(({ path, mistake }) => new TaskMistake(mistake, formatPath(path), source));
  if (first !== undefined) throw new TaskRequestError([first, ...others], source, count);
}

/** The mistake inside an issue; schemas made of schema-parts.ts raise no others. */
function mistakeOf(issue: z.ZodIssue): Mistake {
  const mistake: unknown = issue.code === "custom" ? issue.params?.["mistake"] : undefined;
  return isMistake(mistake) ? mistake : { code: "HDP-1103", message: `${issue.message}.` };
}

function isMistake(value: unknown): value is Mistake {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

/** `tasks[0].datalake.sampledProperty`; the document itself has no path. */
function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === "number") return `${before}[${key}]`;
    return before === "" ? key : `${before}.${key}`;
  }, "");
}

/** A JSON value; what `JSON.stringify` takes without losing anything. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * The specification's request body. Integers up to 2^53 − 1 are JSON numbers, larger ones decimal text;
 * `parseTaskRequest` reads both back to the same request.
 */
export function toTaskRequestJson(request: TaskRequest): Readonly<Record<string, JsonValue>> {
  return { destinationChainId: request.destinationChainId, tasks: request.tasks.map(toTaskJson) };
}

/** One task of the request body. */
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

/** The datalake of a task. */
export function toDatalakeJson(datalake: Datalake): Readonly<Record<string, JsonValue>> {
  const common = {
    increment: integerJson(datalake.increment),
    sampledProperty: formatSampledProperty(datalake.sampledProperty),
  };
  return datalake.type === "BlockSampled"
    ? {
        type: datalake.type,
        chainId: datalake.chainId,
        blockRangeStart: integerJson(datalake.blockRangeStart),
        blockRangeEnd: integerJson(datalake.blockRangeEnd),
        ...common,
      }
    : {
        type: datalake.type,
        chainId: datalake.chainId,
        targetBlock: integerJson(datalake.targetBlock),
        startIndex: integerJson(datalake.startIndex),
        endIndex: integerJson(datalake.endIndex),
        includedTypes: { ...datalake.includedTypes },
        ...common,
      };
}

/** The value to compare is text in the specification, whatever its size. */
function computeJson({ aggregateFnId, aggregateFnCtx }: Compute): JsonValue {
  return aggregateFnCtx === undefined
    ? { aggregateFnId }
    : {
        aggregateFnId,
        aggregateFnCtx: {
          operator: aggregateFnCtx.operator,
          valueToCompare: aggregateFnCtx.valueToCompare.toString(),
        },
      };
}

function integerJson(value: bigint): JsonValue {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}
