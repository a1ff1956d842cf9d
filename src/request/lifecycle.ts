import type { Hex } from "viem";

import type { ChainIdentifier } from "./chains.js";
import type { ResolvedBlock } from "./block-reference.js";
import type { TaskRequest } from "./task.js";

/** A request that was submitted: plain data, survives JSON and a crash. */
export interface Submission {
  /** Names it in commands: the data processor's id of the first part, or the first task hash where there is none. */
  readonly id: string;
  /** Undefined for a task hash of which nothing but the hash is known. */
  readonly destinationChainId?: ChainIdentifier | undefined;
  /** Computed here, in request order. */
  readonly taskHashes: readonly Hex[];
  /** What data processors accepted: one part, several where tasks were sent before, none where all were finalized. */
  readonly parts: readonly SubmissionPart[];
}

/** What a data processor returned for a request that it accepted. */
export interface SubmissionPart {
  /** The data processor's own id (task UUID, batch id or a local id). */
  readonly id: string;
  /** Who accepted it: "local" or the API version. */
  readonly processor: string;
  readonly destinationChainId: ChainIdentifier;
  /** Computed here, in request order. */
  readonly taskHashes: readonly Hex[];
  /** Hashes the service returned, when it did and they differ from `taskHashes`. */
  readonly serviceTaskHashes?: readonly Hex[];
}

/** One observed state of a submission. */
export interface TaskStatus {
  /** The data processor's own word, untranslated. */
  readonly name: string;
  /** What it means for waiting. A name nobody knows is "pending". */
  readonly phase: "pending" | "finalized" | "failed";
  /** Sentence for people: progress, or why it failed in the processor's own words. */
  readonly detail?: string;
}

/**
 * What "proven" rests on. Headers are proven by their hashes, and that a hash is on the chain is somebody's word: a
 * `checkpoint`, which everything read is linked to by parent hashes; the `node` itself, whose head it was at the start
 * of the reading and which still had that block at the end; or two `nodes`, of which the second has this block and
 * every one that was read under the same hash.
 */
export interface Anchor {
  readonly kind: "checkpoint" | "node" | "nodes";
  readonly number: bigint;
  readonly hash: Hex;
}

/** A finalized result as read from an execution store. */
export interface TaskResult {
  readonly taskHash: Hex;
  /** The stored word, 32 bytes. */
  readonly word: Hex;
  /** The same word as an unsigned integer. */
  readonly value: bigint;
  /** Address of the store it was read from. */
  readonly store: Hex;
  /** The hash it was found under, where the service's own hash of the task differs from `taskHash`. */
  readonly storedUnder?: Hex;
  /** Elements that took part; known for results computed locally. */
  readonly samples?: number;
  /** Whether every value read was checked by a proof; known for results computed locally. */
  readonly proven?: boolean;
  /** What the proofs rest on; known for results computed locally from one chain. */
  readonly anchor?: Anchor;
  /** The transaction that finalized it, where it can be found. */
  readonly transactionHash?: Hex;
  readonly blockNumber?: bigint;
  readonly gasUsed?: bigint;
  /** Felts that a module returned; known for results computed locally. The word is made of them. */
  readonly output?: readonly bigint[];
  /** How a module's word came to be; known for results computed locally. */
  readonly module?: ModuleResult;
  /** What a service says that a module's word is made of; of edition `module-tasks`. */
  readonly preimage?: OutputPreimage;
}

/** The preimage of an output root, as a service published it. */
export interface OutputPreimage {
  readonly felts: readonly bigint[];
  /** Whether the stored word is their output root. Where it is not, they are not what the result says. */
  readonly matches: boolean;
  /** What the module returned, by its type; where the felts match and the ABI is known. */
  readonly decoded?: CairoValue;
}

/**
 * A decoded value: numbers as bigint; addresses, class hashes and bytes31 as hex; text as text; `()` and `None` as null;
 * lists for arrays and tuples; objects for structs and for enums (`{ Variant: value }`, unit variants as text).
 * Every one of them can be encoded again.
 */
export type CairoValue =
  bigint | boolean | string | null | readonly CairoValue[] | { readonly [name: string]: CairoValue };

/** A local run of a module task that returned. */
export interface ModuleResult {
  /** Which of the two words is stored. */
  readonly rule: "output-root" | "value";
  /** Today's result word: the root over the returned felts. */
  readonly outputRoot: Hex;
  /** The result word of the generations of 2024: one felt, or a u256 of two. Absent for other outputs. */
  readonly rawValue?: bigint;
  /** What `main` returned, by its type; known where the ABI is. */
  readonly decoded?: CairoValue;
  /** The calling convention it was run by. */
  readonly generation: string;
  readonly steps: number;
  /** Values read from chains. */
  readonly reads: number;
  /** What became of the tries that it started from, in the order of the task; absent without any. */
  readonly injectedState?: readonly InjectedStateSummary[];
}

/** What a module did to one trie. All felts. */
export interface InjectedStateSummary {
  readonly label: Hex;
  readonly rootBefore: Hex;
  readonly rootAfter: Hex;
  /** In the order of the run; the value 0 removes a key. */
  readonly writes: readonly { readonly key: Hex; readonly value: Hex }[];
}

/** A task's hash with the word to store for it, 32 bytes each. */
export interface TaskWord {
  readonly taskHash: Hex;
  readonly word: Hex;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Which tasks of a request are sent, and which are not because they are open or finalized. */
export interface SubmitPlan {
  readonly send: readonly Hex[];
  readonly reuse: readonly Hex[];
  /** The same for people, with the reason for each task that is not sent. */
  readonly sentences: readonly string[];
}

export interface SubmitOptions extends CallOptions {
  /** Send although the same tasks are open or finalized. */
  readonly force?: boolean | undefined;
  /**
   * Send to a service also what samples a field that no published evaluator has a value for. The local data processor
   * refuses such tasks all the same.
   */
  readonly unsupportedFields?: boolean | undefined;
  /** Names this submission to a service, so that sending it again, if it must be, is not taken for another one. */
  readonly idempotencyKey?: string | undefined;
  /** Called before anything is sent to a service, where some of the tasks were sent before or are finalized. */
  readonly onPlan?: ((plan: SubmitPlan) => void) | undefined;
  /** Called with each block that was written as `latest-64` or a date, with its number, before anything is hashed or sent. */
  readonly onBlock?: ((resolved: ResolvedBlock) => void) | undefined;
}

/** When a wait looks next and when it gives up, in milliseconds since 1970. */
export interface WaitState {
  readonly nextLookAt: number;
  readonly timeoutAt: number;
}

/** How a submission is waited for. */
export interface AwaitOptions extends CallOptions {
  /** Milliseconds until the wait gives up. Default: `hdp.timeouts.await`, an hour. */
  readonly timeout?: number | undefined;
  /** Called with the present status and at every later change, the last one included. */
  readonly onStatus?: ((status: TaskStatus) => void) | undefined;
  /** Called before each pause of a wait that polls, as for a service; never by the local data processor. */
  readonly onPause?: ((state: WaitState) => void) | undefined;
}

/**
 * The port of data processors: a remote service or the local one. What cannot know by itself when a submission ends, as
 * a service over HTTP, has no `wait`: it is polled by its status (`awaitSubmission` of `hardhat-hdp/service`).
 */
export interface DataProcessor {
  readonly name: string;
  submit(request: TaskRequest, options?: SubmitOptions): Promise<SubmissionPart>;
  status(submission: SubmissionPart, options?: CallOptions): Promise<TaskStatus>;
  /** Resolves with the last status, finalized or failed. Aborting, or the timeout, ends the waiting, not the work. */
  wait?(submission: SubmissionPart, options?: AwaitOptions): Promise<TaskStatus>;
  /** The finalized results, one for each task in request order; waits for them, rejects when the submission failed. */
  results?(submission: SubmissionPart, options?: CallOptions): Promise<readonly TaskResult[]>;
}
