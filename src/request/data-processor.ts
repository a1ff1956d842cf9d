import type { Hex } from "viem";

import type { HdpError } from "../errors/hdp-error.js";
import type { ResolvedBlock } from "./block-reference.js";
import type { ChainIdentifier } from "./chains.js";
import type { ProvabilityReport } from "./provability.js";
import type { TaskRequest } from "./task.js";
import type { ComputedResult } from "./task-result.js";

/** A submitted request, as plain data that can be stored as JSON. */
export interface Submission {
  /** The id in commands: the data processor's id of the first part, or the first task hash if there is none. */
  readonly id: string;
  /** Undefined for a task hash whose task is not known. */
  readonly destinationChainId?: ChainIdentifier | undefined;
  /** Computed locally, in request order. */
  readonly taskHashes: readonly Hex[];
  /** The accepted requests: one; several if some tasks were sent before; none if all tasks were finalized. */
  readonly parts: readonly SubmissionPart[];
}

/** What a data processor knows by an id. */
export interface Identified {
  /** The data processor's own id (task UUID, batch id or a local id). */
  readonly id: string;
}

/** Tasks that a data processor knows by one id. */
export interface AcceptedTasks extends Identified {
  /** Computed here, in request order. */
  readonly taskHashes: readonly Hex[];
}

/** One request that a data processor accepted. */
export interface SubmissionPart extends AcceptedTasks {
  /** The data processor that accepted it: "local" or the API version. */
  readonly processor: string;
  readonly destinationChainId: ChainIdentifier;
  /** Hashes that the service returned, if they differ from `taskHashes`. */
  readonly serviceTaskHashes?: readonly Hex[];
}

/** The state of a submission. */
export interface TaskStatus {
  /** The data processor's own name of the state. */
  readonly name: string;
  /** "pending" while a wait continues, also for an unknown name. */
  readonly phase: "pending" | "finalized" | "failed";
  /** A readable sentence: progress, or the processor's reason for a failure. */
  readonly detail?: string;
}

/** What every call takes that can be stopped. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The tasks of a request that are sent, and those that are not because they are open or finalized. */
export interface SubmitPlan {
  readonly send: readonly Hex[];
  readonly reuse: readonly Hex[];
  /** The plan as readable sentences, with the reason for each task that is not sent. */
  readonly sentences: readonly string[];
}

/** What a run of a task in this project gave before the task was sent to a service. */
export interface Rehearsal {
  readonly taskHash: Hex;
  /** The result that it has here; absent where it was not run. */
  readonly result?: ComputedResult | undefined;
  /** Whether the destination can prove the blocks that it read, as the indexer says. */
  readonly provability?: ProvabilityReport | undefined;
  /** Why it was not run: a chain without a source, a program without its class. */
  readonly reason?: string | undefined;
  /** The configuration with which it would be run. */
  readonly advice?: string | undefined;
}

/** Whether work is sent again that was sent before. */
export interface ForceOptions extends CallOptions {
  /** Send tasks even if they are open or finalized. */
  readonly force?: boolean | undefined;
}

/** Which fields tasks may compute over. */
export interface FieldOptions {
  /** Send a service also tasks over fields without a published evaluator. The local data processor refuses them. */
  readonly unsupportedFields?: boolean | undefined;
}

/** Which request of a contract a submission answers. */
export interface RequestOfContract {
  /**
   * The transaction in which a contract asked for the tasks, sent along as `schedule_tx_hash` where the API version has it.
   * What a contract asks for is sent at most once: also not again after it failed, unless `force` is set.
   */
  readonly requestedBy?: Hex | undefined;
}

/** How tasks are submitted. */
export interface SubmitOptions extends ForceOptions, FieldOptions, RequestOfContract {
  /** Key that identifies this submission to a service, so that it treats a repeated request as the same one. */
  readonly idempotencyKey?: string | undefined;
  /** Asked before the request is repeated after a rate limit: false ends it with that answer, which accepted nothing. */
  readonly mayRepeat?: (() => boolean) | undefined;
  /** Called before a request is sent to a service, if some of its tasks were sent before or are finalized. */
  readonly onPlan?: ((plan: SubmitPlan) => void) | undefined;
  /**
   * Whether tasks that would be sent to a service are run here first, over those of their chains that the project reads.
   * One that fails ends the submission, with nothing sent. Default: true.
   */
  readonly rehearsal?: boolean | undefined;
  /** Called with what the rehearsal gave, before anything is sent. */
  readonly onRehearsal?: ((rehearsals: readonly Rehearsal[]) => void) | undefined;
  /** Called with the number of each block written as `latest-64` or a date, before the tasks are hashed or sent. */
  readonly onBlock?: ((resolved: ResolvedBlock) => void) | undefined;
}

/** The times of the next poll and of the timeout of a wait, in milliseconds since 1970. */
export interface WaitState {
  readonly nextPollAt: number;
  readonly timeoutAt: number;
}

/** How a submission is awaited. */
export interface AwaitOptions extends CallOptions {
  /** Milliseconds until the wait gives up. Default: `hdp.timeouts.await`, an hour. */
  readonly timeout?: number | undefined;
  /** Called with the current status and with every later one, including the last. */
  readonly onStatus?: ((status: TaskStatus) => void) | undefined;
  /** Called before each pause of a wait that polls a service; never by the local data processor. */
  readonly onPause?: ((state: WaitState) => void) | undefined;
  /** Called with each failure that does not end the wait: no connection, a rate limit, a failing service. */
  readonly onTrouble?: ((failure: HdpError) => void) | undefined;
}

/** A remote or local data processor. For one over HTTP `awaitSubmission` of `hardhat-hdp/service` is its `wait`. */
export interface DataProcessor {
  readonly name: string;
  submit(request: TaskRequest, options?: SubmitOptions): Promise<SubmissionPart>;
  status(submission: SubmissionPart, options?: CallOptions): Promise<TaskStatus>;
}
