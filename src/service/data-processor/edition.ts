import type { Hex } from "viem";

import type { TaskStatus } from "../../request/lifecycle.js";
import type { TaskRequest } from "../../request/task.js";
import type { HttpRequestParts } from "../http/http-client.js";

/**
 * One shape in which the data processor is spoken to: request out, reply in, state names. Nothing but an edition's file
 * (with its schemas in src/service/wire) knows wire names.
 */
export interface WireEdition {
  readonly name: string;
  /** Throws a ServiceValidationError for a request that this shape cannot carry; then nothing is sent. */
  buildSubmit(request: TaskRequest): HttpRequestParts | Promise<HttpRequestParts>;
  /** Throws a ZodError for a body of another shape. */
  parseSubmit(body: unknown): AcceptedSubmission;
  buildStatus(id: string): HttpRequestParts;
  /** Throws a ZodError for a body of another shape. A state name nobody knows is "pending". */
  parseStatus(body: unknown): ObservedStatus;
}

export interface AcceptedSubmission {
  readonly id: string;
  /** When the service returned them. */
  readonly taskHashes?: readonly Hex[];
  /** The reply as it came, unknown fields included. */
  readonly raw: unknown;
}

export interface ObservedStatus extends TaskStatus {
  /** The reply as it came, unknown fields included. */
  readonly raw: unknown;
}

export const CHECK_SUBMISSIONS =
  "Check in the service's task list or cloud console whether the tasks were accepted; submit again only if not.";

/** Names of the wire editions: apart from the editions themselves, so that configuration is read without loading them. */
export const EDITION_NAMES = ["tasks", "batch", "module-tasks"] as const;

export type WireEditionName = (typeof EDITION_NAMES)[number];
