import type { Hex } from "viem";

import type { ChainIdentifier } from "../../request/chains.js";
import type { AwaitOptions, DataProcessor, Submission, TaskResult, TaskStatus } from "../../request/lifecycle.js";
import type { ExecutionStore } from "../../store/execution-store.js";

/** Who computes tasks on a connection. */
export interface ProcessorInfo {
  readonly kind: "local" | "remote";
  /** For people: "local data processor", or the service's host and edition. */
  readonly description: string;
}

/** A data processor, and what a session knows of its submissions. */
export interface ConnectedProcessor extends DataProcessor {
  readonly info: ProcessorInfo;
  /** The submission behind an id or a task hash. */
  find(submission: Submission | string): Promise<Submission>;
  /** Resolves with the finalized state; rejects when the submission fails or the time is over. */
  wait(submission: Submission, options: AwaitOptions & { timeout: number }): Promise<TaskStatus>;
  /** The stored results of a finished submission, in request order, with what is known of how they came to be. */
  results(submission: Submission): Promise<readonly TaskResult[]>;
  /** Destination of a task submitted here, if it is known. */
  destinationOf(taskHash: string): ChainIdentifier | undefined;
  /** One task's result in a store, with what is known of how it came to be. Rejects when there is none. */
  read(store: ExecutionStore, taskHash: Hex): Promise<TaskResult>;
}
