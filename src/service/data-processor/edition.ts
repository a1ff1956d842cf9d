import type { Hex } from "viem";

import type { TaskStatus } from "../../request/data-processor.js";
import type { TaskRequest } from "../../request/task.js";
import type { HttpRequestParts } from "../http/http-client.js";

/** One version of the data processor's HTTP API: requests, replies and state names. Only versions use wire names. */
export interface WireEdition {
  readonly name: string;
  /** Throws a ServiceFailure (`validation`) for a request that the API version cannot carry; then nothing is sent. */
  buildSubmit(request: TaskRequest): HttpRequestParts | Promise<HttpRequestParts>;
  /** Returns the id, and the hashes if the service returned them. Throws a ZodError for a body of another shape. */
  parseSubmit(body: unknown): {
    readonly id: string;
    readonly taskHashes?: readonly Hex[] | undefined;
  };
  buildStatus(id: string): HttpRequestParts;
  /** Throws a ZodError for a body of another shape. An unknown state name is "pending". */
  parseStatus(body: unknown): TaskStatus;
  /** Builds the request for a task's details, with the service's hash; absent if the API version has no such call. */
  buildDetails?(id: string): HttpRequestParts;
  /** Returns the service's hash of the task, if it has one yet. Throws a ZodError for a body of another shape. */
  parseDetails?(body: unknown): Hex | undefined;
}

/** Names of the API versions, in a separate file so that reading the configuration does not load the versions. */
export const EDITION_NAMES = ["tasks", "batch", "module-tasks"] as const;

/** The name of an API version. */
export type WireEditionName = (typeof EDITION_NAMES)[number];
