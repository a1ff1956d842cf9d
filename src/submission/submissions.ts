import type { Hex } from "viem";

import type { HdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import type {
  AwaitOptions,
  CallOptions,
  Rehearsal,
  Submission,
  SubmitOptions,
  TaskStatus,
  ForceOptions,
} from "../request/data-processor.js";
import type { TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import type { ExecutionStore } from "../store/execution-store.js";
import type { SubmissionRecord } from "./model.js";
import type { SubmissionStore } from "./submission-store.js";
import type { System } from "./system.js";

/** The chain of the results, as far as its node answers. */
export interface DestinationChain {
  /** Hash of its first block. */
  readonly genesis?: Hex | undefined;
  /** Whether it is a development chain, which may restart or go back at any time. */
  readonly startsAnew: boolean;
}

/** Where the results of a submission go. */
export interface Destination {
  /** Returns the chain, as its node reports it now. */
  chain(): Promise<DestinationChain>;
  /** Returns the block of a transaction; undefined where the chain does not have it. */
  transactionBlock?(transactionHash: Hex): Promise<bigint | undefined>;
  /** Returns the number of the newest block, where the store names the blocks of results. */
  head?(): Promise<bigint>;
  /** Opens the execution store. */
  openForReading(): Promise<ExecutionStore>;
}

/** Options of the submissions to any data processor. */
export interface SubmissionsOptions {
  readonly store: SubmissionStore;
  readonly system: System;
  readonly network: string;
  /** Returns the store of the results of a chain; without a chain, of the connection's own. */
  readonly destination: (chain: ChainIdentifier | undefined) => Promise<Destination>;
  /** Called with observations that could not be recorded, and with warnings. */
  readonly warn: (error: unknown) => void;
  /** Default timeout of a wait, in milliseconds. */
  readonly timeout: number;
}

/** A submission that has ended well. */
export interface Finished {
  readonly status: TaskStatus;
  /** Returns the results, in request order. */
  readonly results: () => Promise<readonly TaskResult[]>;
}

/** Options of `Submissions.requireAccepted`. */
export interface AcceptedOptions extends CallOptions {
  /** Require only that the data processor knows the id. */
  readonly force?: boolean | undefined;
}

/**
 * Submissions of tasks to one data processor: recorded, awaited, and read from the execution store.
 *
 * Where a `destination` is taken, it is the one of the request, resolved before; without it, it is resolved.
 */
export interface Submissions {
  /** Submits the tasks of a request. @throws HdpError HDP-1125 where two tasks of one hash differ */
  submit(
    request: TaskRequest,
    options?: SubmitOptions,
    destination?: Destination,
  ): Promise<Submission>;

  /** Runs the tasks here that {@link submit} would send to a service. @throws HdpError of the first one that fails */
  rehearse(
    request: TaskRequest,
    options?: ForceOptions,
    destination?: Destination,
  ): Promise<readonly Rehearsal[]>;

  /** Returns why {@link submit} would not send a request, by what was submitted before; undefined where it would. */
  obstacle(
    request: TaskRequest,
    options?: SubmitOptions,
    destination?: Destination,
  ): Promise<HdpError | undefined>;

  /**
   * Returns the submission of a name: an id, the beginning of one, or a task hash.
   * @throws HdpError HDP-5010 where there is none, HDP-5009 for one not accepted, HDP-6045 for one at another service
   */
  find(name: string): Submission;

  /** Returns the current status; of several parts, the least advanced one. */
  status(submission: Submission, options?: CallOptions): Promise<TaskStatus>;

  /** Waits until the results are in the store. @throws HdpError at failure, at the timeout, and of the status calls */
  finish(
    submission: Submission,
    options?: AwaitOptions,
    destination?: Destination,
  ): Promise<Finished>;

  /** Returns the results of a finished submission, in request order. @throws HdpError HDP-3001 where one is missing */
  results(submission: Submission, destination?: Destination): Promise<readonly TaskResult[]>;

  /**
   * Finishes a recorded submission and returns its results; of one that was not confirmed as accepted, those that have
   * arrived.
   * @throws HdpError HDP-5009 where they have not, and the errors of `finish`
   */
  resume(record: SubmissionRecord, options?: AwaitOptions): Promise<readonly TaskResult[]>;

  /**
   * Checks with the data processor that an id is a submission's.
   * @throws HdpError HDP-5017 where the id is another submission's; the errors of a status call where it is unknown
   */
  requireAccepted(
    record: SubmissionRecord,
    serviceId: string,
    options?: AcceptedOptions,
  ): Promise<void>;

  /** Returns the chain that the results of a task were sent to, if it was submitted from this project. */
  findDestination(hash: Hex): ChainIdentifier | undefined;

  /**
   * Reads the results of tasks from a store, in their order, with the recorded data about them. `destination` is the
   * chain whose submissions they end; undefined for a store that they were not sent to.
   */
  readAll(
    store: ExecutionStore,
    hashes: readonly Hex[],
    destination: ChainIdentifier | undefined,
  ): Promise<readonly TaskResult[]>;
}

/** A data processor as messages and screens name it. */
export interface ProcessorInfo {
  readonly kind: "local" | "remote";
  /** Description for users: "local data processor", or the service's host and API version. */
  readonly description: string;
}
