import type { Hex } from "viem";

import { keysOf } from "../../base/collections.js";
import type { TaskForm } from "../../request/task-form.js";
import type { RequestOfContract, TaskStatus } from "../../request/data-processor.js";
import type { TaskRequest } from "../../request/task.js";
import type { HttpRequestParts } from "../http/http-client.js";

/** The call for a task's details, and what is read of its reply. */
export interface DetailsCall {
  /** Builds the request for a task's details, with the service's hash. */
  build(id: string): HttpRequestParts;
  /** Returns the service's hash of the task, if it has one yet. Throws a ZodError for a body of another shape. */
  parse(body: unknown): Hex | undefined;
}

/** One version of the data processor's HTTP API: requests, replies and state names. Only versions use wire names. */
export interface WireEdition {
  readonly name: string;
  /** Throws a ServiceFailure (`validation`) for a request that the API version cannot carry; then nothing is sent. */
  buildSubmit(
    request: TaskRequest,
    options?: RequestOfContract,
  ): HttpRequestParts | Promise<HttpRequestParts>;
  /** Returns the id, and the hashes if the service returned them. Throws a ZodError for a body of another shape. */
  parseSubmit(body: unknown): {
    readonly id: string;
    readonly taskHashes?: readonly Hex[] | undefined;
  };
  buildStatus(id: string): HttpRequestParts;
  /** Throws a ZodError for a body of another shape. An unknown state name is "pending". */
  parseStatus(body: unknown): TaskStatus;
  /** The call for a task's details; absent if the API version has none. */
  readonly details?: DetailsCall;
}

/** What the configuration and the form of tasks depend on, by API version; apart from the versions, which load zod. */
export const EDITION_FACTS = {
  /** The specification's current shape. */
  tasks: { form: "datalake", oneTask: false },
  /** The specification's retired shape. */
  batch: { form: "datalake", oneTask: false },
  /** What the hosted service publishes: one module task a request. */
  "module-tasks": { form: "module", oneTask: true },
} as const satisfies Readonly<Record<string, EditionFacts>>;

interface EditionFacts {
  /** How datalake tasks are sent and stored. */
  readonly form: TaskForm;
  /** Whether a request carries a single task. */
  readonly oneTask: boolean;
}

/** The name of an API version. */
export type WireEditionName = keyof typeof EDITION_FACTS;

/** Names of the API versions. */
export const EDITION_NAMES = keysOf(EDITION_FACTS);
