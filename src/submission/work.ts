import type { Hex } from "viem";

import type { TaskRequest } from "../request/task.js";
import type { SubmissionKind } from "./kinds.js";
import type { SubmissionRecord, Target, WorkItem } from "./model.js";
import type { Plan, PlannedWork } from "./plan.js";

/** How a caller has something sent. */
interface PipelineOptions {
  /** Whether to send again what was sent before. */
  readonly force?: boolean | undefined;
  /** The caller's name for the work: a file's name. */
  readonly label?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Work to send: its items, what is known of them, and the function that sends them. */
export interface Work<T> extends PlannedWork, PipelineOptions {
  readonly kind: SubmissionKind;
  /** Returns the request to record, for tasks. */
  readonly requestOf?: ((items: readonly WorkItem[]) => TaskRequest) | undefined;
  /** Called before anything is sent, if an item is not sent or is open at another address. */
  readonly onPlan?: ((plan: Plan) => void) | undefined;
  readonly send: (items: readonly WorkItem[], once: SentOnce) => Promise<Sent<T>>;
}

/** What a request is sent with, so that the service accepts it once. */
export interface SentOnce {
  readonly idempotencyKey: string;
  /** Returns whether nobody has sent the same since: asked before a repetition after a rate limit. */
  readonly mayRepeat: () => boolean;
}

/** What a service answered to work that was sent. */
export interface Sent<T> {
  readonly answer: T;
  readonly serviceId?: string | undefined;
  /** The service's own hashes, in the order of the items, where they differ. */
  readonly serviceHashes?: readonly Hex[] | undefined;
  /** The API version of the answer, where it is another than the configured one. */
  readonly processor?: string | undefined;
  /** Whether the work is done, with nothing to wait for. */
  readonly isDone?: boolean | undefined;
}

/** What the pipeline decided, and what it sent. */
export interface Outcome<T> {
  readonly plan: Plan;
  /** The submission that was sent now; undefined if nothing was sent. */
  readonly sent?: { readonly id: string; readonly answer: T };
}

/** A body for a service that may charge for it, and what is read of the answers to it. */
export interface ChargedBody<T> {
  readonly kind: Exclude<SubmissionKind, "tasks">;
  /** Identifies the body, which is not stored itself: a program's hash, or a digest. */
  readonly content: string;
  /** Returns the service's id in its answer, if it has one. */
  readonly idOf: (answer: T) => string | undefined;
  /** Asks the service for an accepted request. One that it does not know is sent again. */
  readonly look: (serviceId: string) => Promise<unknown>;
}

/** One body to send to a service that may charge for it. */
export interface Call<T> extends ChargedBody<T>, PipelineOptions {
  readonly target: Target;
  readonly send: (once: SentOnce) => Promise<T>;
}

/** The answer to a body that was sent, or the record of an equal one that was accepted before. */
export type Called<T> =
  | { readonly answer: T; readonly earlier?: undefined }
  | { readonly answer?: undefined; readonly earlier: SubmissionRecord };
