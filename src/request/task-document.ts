import { isRecord } from "../base/collections.js";
import { hdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "./chains.js";
import { AGGREGATE_FUNCTIONS } from "./fields.js";
import { parseTask, parseTaskRequest } from "./parse.js";
import type { ParseOptions } from "./reader.js";
import type { Task } from "./task.js";

/** A request, or one task or a list of tasks without a destination. */
type DocumentForm = "request" | "task" | "list";

/** A document that is a request, a task, or a list of tasks by its outermost keys; nothing more is checked. */
export interface RecognizedDocument {
  readonly form: DocumentForm;
  /** The document to parse: a list is written as a request. */
  readonly json: object;
}

/** Tasks, and their destination where the document names one. */
export interface ParsedTasks {
  readonly destinationChainId: ChainIdentifier | undefined;
  readonly tasks: readonly Task[];
}

/**
 * Returns the document in a value.
 * @param source the name of the source, for messages
 * @throws HdpError HDP-6018 for a value that is not a task, HDP-1120 for a list without tasks
 */
export function taskDocument(value: unknown, source?: string): RecognizedDocument {
  if (Array.isArray(value)) {
    if (value.length === 0) throw hdpError("HDP-1120", { items: "tasks" }, { source });
    // Parsing needs a destination, which no task depends on.
    return makeDocument("list", { destinationChainId: "ETHEREUM_SEPOLIA", tasks: value }, source);
  }
  if (!isRecord(value)) throw hdpError("HDP-6018", { value: String(value) }, { source });
  const isRequest = "tasks" in value || "destinationChainId" in value;
  return makeDocument(isRequest ? "request" : "task", value, source);
}

function makeDocument(
  form: DocumentForm,
  json: object,
  source: string | undefined,
): RecognizedDocument {
  if (form === "task") requireFunction(json, undefined, source);
  else if ("tasks" in json && Array.isArray(json.tasks))
    json.tasks.forEach((task, position) => requireFunction(task, `tasks[${position}]`, source));
  return { form, json };
}

/** Throws for `blockSampled(…)` without a function, which is not a task yet. @throws HdpError HDP-6018 */
function requireFunction(
  task: unknown,
  path: string | undefined,
  source: string | undefined,
): void {
  if (!isRecord(task) || !AGGREGATE_FUNCTIONS.every((name) => name in task)) return;
  const value = "a datalake without an aggregate function";
  throw hdpError("HDP-6018", { value }, { source, path });
}

/** Parses a document. @throws TaskRequestError with every error at once */
export function parseTaskDocument(
  { form, json }: RecognizedDocument,
  options: ParseOptions = {},
): ParsedTasks {
  if (form === "task") return { destinationChainId: undefined, tasks: [parseTask(json, options)] };
  const { destinationChainId, tasks } = parseTaskRequest(json, options);
  return { destinationChainId: form === "list" ? undefined : destinationChainId, tasks };
}
