import type { Hex } from "viem";

import type { HdpError } from "../errors/hdp-error.js";
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
  /** The requests that data processors accepted: one part, several where tasks were sent before, none where all were finalized. */
  readonly parts: readonly SubmissionPart[];
}

export interface SubmissionPart {
  /** The data processor's own id (task UUID, batch id or a local id). */
  readonly id: string;
  /** The data processor that accepted it: "local" or the API version. */
  readonly processor: string;
  readonly destinationChainId: ChainIdentifier;
  /** Computed here, in request order. */
  readonly taskHashes: readonly Hex[];
  /** Hashes the service returned, when it did and they differ from `taskHashes`. */
  readonly serviceTaskHashes?: readonly Hex[];
}

export interface TaskStatus {
  /** The data processor's own name of the state. */
  readonly name: string;
  /** Whether a wait goes on. An unknown name is "pending". */
  readonly phase: "pending" | "finalized" | "failed";
  /** A sentence for people: progress, or the processor's own reason for a failure. */
  readonly detail?: string;
}

/**
 * The block on which proofs rest. Headers are proven by their hashes; that a hash is on the chain rests on a trust
 * anchor: a `checkpoint`, to which all blocks read are linked by parent hashes; the `node` itself, whose head it was when
 * reading began and which still had that block at the end; or two `nodes`, of which the second has this block and every
 * block read under the same hash.
 */
export interface Anchor {
  readonly kind: "checkpoint" | "node" | "nodes";
  readonly number: bigint;
  readonly hash: Hex;
  /** The network that the chain was read from, where it has a name. */
  readonly source?: AnchorSource;
}

/** A network of the project in the place of a chain: the chain itself, or a development chain that stands for it. */
export interface AnchorSource {
  readonly chain: ChainIdentifier;
  readonly network: string;
  /** The network's own. */
  readonly chainId: bigint;
}

/** A finalized result as read from an execution store. */
export interface TaskResult {
  readonly taskHash: Hex;
  /** The stored value, 32 bytes. */
  readonly word: Hex;
  /** The stored value as an unsigned integer. */
  readonly value: bigint;
  /** Address of the store it was read from. */
  readonly store: Hex;
  /** The hash it was found under, where the service's own hash of the task differs from `taskHash`. */
  readonly storedUnder?: Hex;
  /** Elements that took part; known for results computed locally. */
  readonly samples?: number;
  /** Whether every value read was checked by a proof; known for results computed locally. */
  readonly proven?: boolean;
  /** The trust anchor of the proofs; known for results computed locally from one chain. */
  readonly anchor?: Anchor;
  /** The transaction that finalized it, where it can be found. */
  readonly transactionHash?: Hex;
  readonly blockNumber?: bigint;
  readonly gasUsed?: bigint;
  /** Felts that a module returned; known for results computed locally. The stored value is made of them. */
  readonly output?: readonly bigint[];
  /** The run of a module; known for results computed locally. */
  readonly module?: ModuleResult;
  /** The preimage of a module's stored value, as a service of API version `module-tasks` publishes it. */
  readonly preimage?: OutputPreimage;
}

/** The preimage of an output root, as a service published it. */
export interface OutputPreimage {
  readonly felts: readonly bigint[];
  /** Whether the stored value is their output root. Where it is not, the felts are not those of the result. */
  readonly matches: boolean;
  /** The returned value by its type; present where the felts match and the ABI is known. */
  readonly decoded?: CairoValue;
}

/**
 * A decoded value: numbers as bigint; addresses, class hashes and bytes31 as hex; text as text; `()` and `None` as null;
 * lists for arrays and tuples; objects for structs and for enums (`{ Variant: value }`, unit variants as text).
 * Every one of them can be encoded again.
 */
export type CairoValue =
  bigint | boolean | string | null | readonly CairoValue[] | { readonly [name: string]: CairoValue };

export interface ModuleResult {
  /** Which of `outputRoot` and `rawValue` is stored. */
  readonly rule: "output-root" | "value";
  /** The result since March 2025: the root over the returned felts. */
  readonly outputRoot: Hex;
  /** The result of the generations of 2024: one felt, or a u256 of two. Absent for other outputs. */
  readonly rawValue?: bigint;
  /** The returned value of `main` by its type; present where the ABI is known. */
  readonly decoded?: CairoValue;
  /** The calling convention of the run. */
  readonly generation: string;
  readonly steps: number;
  /** Values read from chains. */
  readonly reads: number;
  /** Its effect on the tries that it started from, in the order of the task; absent without any. */
  readonly injectedState?: readonly InjectedStateSummary[];
}

/** The effect of a module on one trie. All values are felts. */
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
  /** Send to a service also fields that no published evaluator has a value for. The local one refuses them. */
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

export interface AwaitOptions extends CallOptions {
  /** Milliseconds until the wait gives up. Default: `hdp.timeouts.await`, an hour. */
  readonly timeout?: number | undefined;
  /** Called with the present status and at every later change, the last one included. */
  readonly onStatus?: ((status: TaskStatus) => void) | undefined;
  /** Called before each pause of a wait that polls, as for a service; never by the local data processor. */
  readonly onPause?: ((state: WaitState) => void) | undefined;
  /** Called with each failure that does not end the wait: no connection, a rate limit, a failing service. */
  readonly onTrouble?: ((failure: HdpError) => void) | undefined;
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
