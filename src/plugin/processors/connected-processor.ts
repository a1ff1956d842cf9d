import type { Hex } from "viem";

import type { ChainIdentifier } from "../../request/chains.js";
import type { Submission, TaskResult, TaskStatus } from "../../request/lifecycle.js";
import type { TaskRequest } from "../../request/task.js";

export interface SubmitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Send although the journal knows the same tasks as open or finalized. */
  readonly force?: boolean | undefined;
  /** Told before anything is sent to a service, when the journal or the store know some of the tasks already. */
  readonly onPlan?: ((plan: SubmitPlan) => void) | undefined;
}

/** Which tasks of a request are sent, and which are not because they are open or finalized. */
export interface SubmitPlan {
  readonly send: readonly Hex[];
  readonly reuse: readonly Hex[];
  /** The same for people, with the reason for each task that is not sent. */
  readonly sentences: readonly string[];
}

export interface AwaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the wait gives up. Default: `hdp.timeouts.await`. */
  readonly timeout?: number | undefined;
  /** Called at each newly observed state. */
  readonly onStatus?: ((status: TaskStatus) => void) | undefined;
}

/** Who computes tasks on a connection. */
export interface ProcessorInfo {
  readonly kind: "local" | "remote";
  /** For people: "local data processor", or the service's host and edition. */
  readonly description: string;
}

/** A data processor as a connection uses it. */
export interface ConnectedProcessor {
  readonly info: ProcessorInfo;
  submit(request: TaskRequest, options: SubmitOptions): Promise<Submission>;
  /** The submission behind an id or a task hash. */
  find(submission: Submission | string): Promise<Submission>;
  /** Resolves with the finalized state; rejects when the submission fails or the time is over. */
  wait(submission: Submission, options: AwaitOptions & { timeout: number }): Promise<TaskStatus>;
  status(submission: Submission): Promise<TaskStatus>;
  /** Destination of a task submitted here, if it is known. */
  destinationOf(taskHash: string): ChainIdentifier | undefined;
  /** Adds what is known of how a result came to be. */
  annotate(result: TaskResult): Promise<TaskResult>;
}
