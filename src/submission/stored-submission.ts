import type { Hex } from "viem";

import { keysOf } from "../base/collections.js";
import { jsonText, parseJsonText } from "../base/json.js";
import type { Row } from "../base/sqlite.js";
import { errorMessage } from "../base/text.js";
import { hdpError } from "../errors/hdp-error.js";
import { CHAIN_IDENTIFIERS } from "../request/chains.js";
import { parseTaskRequest } from "../request/parse.js";
import { toTaskRequestJson } from "../request/task-json.js";
import type { ModuleInput, Task, TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import { KINDS } from "./kinds.js";
import { type PartRecord, STATES, type SubmissionRecord } from "./model.js";
import { explain, type Recovery } from "./recovery.js";

/** A submission with its state and the possible next steps, in sentences. */
export interface StoredSubmission extends SubmissionRecord {
  readonly explanation: Recovery;
  /** Events of the submission, oldest first: states, reports of the service, results that were read. */
  readonly history: readonly SubmissionEvent[];
}

/** An event in the history of a submission. */
export interface SubmissionEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A state, a state name of the service, or `result`. */
  readonly what: string;
  readonly detail?: string | undefined;
}

/** Returns the text of a request to store; without `withPrivateInputs` the values of private inputs are left out. */
export function requestText(
  { destinationChainId, tasks }: TaskRequest,
  withPrivateInputs: boolean,
): string {
  const shown = withPrivateInputs ? tasks : tasks.map(withoutPrivateInputs);
  return jsonText(toTaskRequestJson({ destinationChainId, tasks: shown }));
}

/** Returns a task without the values of its private inputs, which no hash covers. */
function withoutPrivateInputs(task: Task): Task {
  if (task.type !== "Module") return task;
  const inputs = task.inputs.map((input): ModuleInput =>
    input.visibility === "private" ? { ...input, value: "0x0" } : input,
  );
  return { ...task, inputs };
}

const PHASES = ["pending", "finalized", "failed"] as const;

/** Returns the submission of a row. */
export function parseSubmission(
  row: Row,
  parts: readonly PartRecord[],
  events: () => readonly SubmissionEvent[],
): StoredSubmission {
  const { request } = row;
  let parsed: TaskRequest | undefined;
  let explanation: Recovery | undefined;
  const [name, detail] = [text(row["seen_name"]), text(row["seen_detail"])];
  return {
    id: String(row["id"]),
    kind: member(keysOf(KINDS), row["kind"]),
    state: member(keysOf(STATES), row["state"]),
    createdAt: Number(row["created"]),
    updatedAt: Number(row["updated"]),
    network: String(row["network"]),
    processor: String(row["processor"]),
    host: text(row["host"]),
    endpoint: text(row["endpoint"]),
    destinationChainId:
      row["destination"] === null ? undefined : member(CHAIN_IDENTIFIERS, row["destination"]),
    genesis: optionalHex(row["genesis"]),
    serviceId: text(row["service_id"]),
    label: text(row["label"]),
    forced: row["forced"] === 1,
    reason: text(row["reason"]),
    sender: text(row["sender"]),
    seen:
      name === undefined
        ? undefined
        : {
            name,
            phase: member(PHASES, row["seen_phase"]),
            at: Number(row["seen_at"]),
            ...(detail === undefined ? {} : { detail }),
          },
    // Parsed on first access: most requests are never read.
    get request() {
      if (typeof request !== "string") return undefined;
      return (parsed ??= stored(() =>
        parseTaskRequest(parseJsonText(request), { fields: "encodable" }),
      ));
    },
    get explanation() {
      return (explanation ??= stored(() => explain(this)));
    },
    get history() {
      return events();
    },
    parts,
  };
}

/** Returns the task, or body, of a row. */
export function parsePart(row: Row): PartRecord {
  const { block, computed } = row;
  return {
    hash: String(row["hash"]),
    identity: String(row["identity"]),
    serviceHash: optionalHex(row["service_hash"]),
    word: optionalHex(row["word"]),
    store: optionalHex(row["store"]),
    transactionHash: optionalHex(row["transaction_hash"]),
    blockNumber: typeof block === "string" ? stored(() => BigInt(block)) : undefined,
    computed: typeof computed === "string" ? stored(() => parseComputed(computed)) : undefined,
  };
}

/** Returns the text of a column; undefined for null. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
/** Returns the hex text of a column. */
export const hex = (value: unknown): Hex => `0x${String(value).slice(2)}`;
const optionalHex = (value: unknown): Hex | undefined =>
  typeof value === "string" ? hex(value) : undefined;

/** Reads stored data. @throws HdpError HDP-5102 for data that another program has changed */
function stored<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw hdpError("HDP-5102", { reason: errorMessage(cause) }, { cause });
  }
}

/** Returns a value of a column with a fixed set of values. @throws HdpError HDP-5102 for another value */
function member<T extends string>(members: readonly T[], value: unknown): T {
  const found = members.find((one) => one === value);
  if (found !== undefined) return found;
  throw hdpError("HDP-5102", {
    reason: `"${String(value)}" where one of ${members.join(", ")} belongs`,
  });
}

/** Returns JSON in which integers keep their type: `{"$": "12"}`. */
export function computedText(computed: TaskResult): string {
  return JSON.stringify(computed, (_, value: unknown) =>
    typeof value === "bigint" ? { $: String(value) } : value,
  );
}

function parseComputed(json: string): TaskResult | undefined {
  const value: unknown = JSON.parse(json, (_, one: unknown) =>
    typeof one === "object" && one !== null && "$" in one ? BigInt(String(one.$)) : one,
  );
  return isComputed(value) ? value : undefined;
}

/** Returns whether a value is a result. This package wrote it, so checking one member is enough. */
function isComputed(value: unknown): value is TaskResult {
  return typeof value === "object" && value !== null && "word" in value;
}
