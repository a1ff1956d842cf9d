import type { Address, Hex } from "viem";

import type { HdpError } from "../errors/hdp-error.js";
import type { ResolvedBlock } from "./block-reference.js";
import type { ChainIdentifier } from "./chains.js";
import type { AggregateFn, FieldOf, TransactionType } from "./fields.js";
import type { InjectedRoots } from "./injected-state.js";

/** A parsed task request: the specification's request body, every default filled in. */
export interface TaskRequest {
  /** Chain that receives the result. Not part of any hash. */
  readonly destinationChainId: ChainIdentifier;
  /** At least one. */
  readonly tasks: readonly Task[];
}

export type Task = DatalakeComputeTask | ModuleTask;

export interface DatalakeComputeTask {
  readonly type: "DatalakeCompute";
  readonly datalake: Datalake;
  readonly compute: Compute;
}

export interface ModuleTask {
  readonly type: "Module";
  /** Felt, lower-case hex without leading zeros, as the registry prints it. */
  readonly programHash: Hex;
  readonly inputs: readonly ModuleInput[];
  /**
   * Roots of the tries that the module may read and write, by label. The task hash does not cover them, only the
   * program and the public inputs: a contract that has to know the initial state needs the root as a public input.
   */
  readonly injectedState?: InjectedRoots | undefined;
}

export interface ModuleInput {
  /** Only public inputs are part of the task hash. */
  readonly visibility: "public" | "private";
  /** One felt, lower-case hex without leading zeros. */
  readonly value: Hex;
}

export type Datalake = BlockSampled | TransactionsInBlock;

export interface BlockSampled {
  readonly type: "BlockSampled";
  readonly chainId: ChainIdentifier;
  readonly blockRangeStart: bigint;
  /** Inclusive. */
  readonly blockRangeEnd: bigint;
  /** At least 1. */
  readonly increment: bigint;
  readonly sampledProperty: BlockProperty;
}

export interface TransactionsInBlock {
  readonly type: "TransactionsInBlock";
  readonly chainId: ChainIdentifier;
  readonly targetBlock: bigint;
  readonly startIndex: bigint;
  /** Exclusive. */
  readonly endIndex: bigint;
  /** At least 1. */
  readonly increment: bigint;
  /** Applied after stepping: an excluded element is dropped, not replaced. */
  readonly includedTypes: IncludedTypes;
  readonly sampledProperty: TransactionProperty;
}

export type IncludedTypes = Readonly<Record<TransactionType, boolean>>;

export type SampledProperty = BlockProperty | TransactionProperty;

export type BlockProperty =
  | { readonly kind: "header"; readonly field: FieldOf<"header"> }
  | { readonly kind: "account"; readonly address: Address; readonly field: FieldOf<"account"> }
  /** `slot` is 32 bytes. */
  | { readonly kind: "storage"; readonly address: Address; readonly slot: Hex };

export type TransactionProperty =
  | { readonly kind: "tx"; readonly field: FieldOf<"tx"> }
  | { readonly kind: "tx_receipt"; readonly field: FieldOf<"tx_receipt"> };

/** Operators; position plus one is the encoded id (0 is "none"). */
export const OPERATORS = ["eq", "nq", "gt", "gteq", "lt", "lteq"] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Compute {
  readonly aggregateFnId: AggregateFn;
  /** Present for `count`; on the other functions it has no effect but is hashed as given. */
  readonly aggregateFnCtx?: AggregateContext;
}

export interface AggregateContext {
  readonly operator: Operator;
  /** uint256. */
  readonly valueToCompare: bigint;
}

/** A task as in a file: a module by program hash, or by class with named arguments. Parsing is stricter. */
export type WrittenTask =
  | { readonly type: string; readonly datalake: object; readonly compute: object }
  | { readonly type: string; readonly programHash: string; readonly inputs?: readonly unknown[] }
  | { readonly module: object };

export interface WrittenRequest {
  readonly destinationChainId: string;
  readonly tasks: readonly unknown[];
}

/** The path of a JSON file (relative to the project), the file's content as an object, a task, or a parsed request. */
export type TaskDocument = string | Task | TaskRequest | WrittenTask | WrittenRequest;

/** All that can be submitted. Results of tasks without a request go to the chain on which they are submitted. */
export type TaskInput = TaskDocument | readonly TaskDocument[];

/** The compiler's error text for an input that cannot be a task; `unknown` for every other input. */
export type Taken<T> = [InputError<T>] extends [never] ? unknown : InputError<T>;

/** The error text of an input, or of any element of a list; `never` if there is none. */
type InputError<T> = T extends readonly []
  ? "there are no tasks in this list: give at least one"
  : T extends readonly (infer One)[]
    ? ErrorOf<One>
    : ErrorOf<T>;

type ErrorOf<T> = unknown extends T
  ? never
  : T extends string
    ? never
    : string extends keyof T
      ? never
      : T extends { readonly avg: unknown; readonly sum: unknown }
        ? "this is a datalake without its function: end it with .avg(), .sum(), .min(), .max() or .count(operator, value)"
        : T extends { readonly tasks: infer Tasks }
          ? ErrorOfRequest<T, Tasks>
          : T extends { readonly destinationChainId: unknown }
            ? '"tasks" is missing: a request has "destinationChainId" and "tasks"'
            : ErrorOfTask<T>;

type ErrorOfRequest<T, Tasks> = Tasks extends readonly []
  ? '"tasks" is empty: write at least one task'
  : T extends { readonly destinationChainId: unknown }
    ? Tasks extends readonly (infer One)[]
      ? ErrorOf<One>
      : '"tasks" has to be a list of tasks'
    : '"destinationChainId" is missing: a request has "destinationChainId" and "tasks"';

type ErrorOfTask<T> = T extends { readonly module: object }
  ? never
  : T extends { readonly type: unknown }
    ? T extends { readonly programHash: unknown }
      ? never
      : T extends { readonly datalake: object }
        ? T extends { readonly compute: object }
          ? never
          : '"compute" is missing: a task has "type", "datalake" and "compute"'
        : '"datalake" is missing: a task has "type", "datalake" and "compute", or "programHash" and "inputs"'
    : 'neither a task, which has "type", "datalake" and "compute", nor a request, which has "destinationChainId" and "tasks"';

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

export interface SubmissionPart {
  /** The data processor's own id (task UUID, batch id or a local id). */
  readonly id: string;
  /** The data processor that accepted it: "local" or the API version. */
  readonly processor: string;
  readonly destinationChainId: ChainIdentifier;
  /** Computed here, in request order. */
  readonly taskHashes: readonly Hex[];
  /** Hashes that the service returned, if they differ from `taskHashes`. */
  readonly serviceTaskHashes?: readonly Hex[];
}

export interface TaskStatus {
  /** The data processor's own name of the state. */
  readonly name: string;
  /** "pending" while a wait continues, also for an unknown name. */
  readonly phase: "pending" | "finalized" | "failed";
  /** A readable sentence: progress, or the processor's reason for a failure. */
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
  /** The network that the chain was read from, if it has a name. */
  readonly source?: AnchorSource;
}

/** The project's network for a chain: the chain itself, or a development chain in its place. */
export interface AnchorSource {
  readonly chain: ChainIdentifier;
  readonly network: string;
  /** Chain id of the network itself. */
  readonly chainId: bigint;
}

/** A finalized result as read from an execution store. */
export interface TaskResult extends TaskWord {
  /** The stored value as an unsigned integer. */
  readonly value: bigint;
  /** Address of the store it was read from. */
  readonly store: Hex;
  /** The hash under which the store has the result, if the service's hash of the task differs from `taskHash`. */
  readonly storedUnder?: Hex;
  /** Number of aggregated values; known for results computed locally. */
  readonly samples?: number;
  /** Whether a proof was checked for every value read; known for results computed locally. */
  readonly proven?: boolean;
  /** The trust anchor of the proofs; known for results computed locally from one chain. */
  readonly anchor?: Anchor;
  /** The transaction that finalized the result, if it can be found. */
  readonly transactionHash?: Hex;
  readonly blockNumber?: bigint;
  readonly gasUsed?: bigint;
  /** Felts that a module returned; known for results computed locally. The stored value is derived from them. */
  readonly output?: readonly bigint[];
  /** The run of a module; known for results computed locally. */
  readonly module?: ModuleResult;
  /** The preimage of a module's stored value, as a service of API version `module-tasks` publishes it. */
  readonly preimage?: OutputPreimage;
}

/** The preimage of an output root, as a service published it. */
export interface OutputPreimage {
  readonly felts: readonly bigint[];
  /** Whether the stored value is the output root of the felts. If not, they are not the felts of the result. */
  readonly matches: boolean;
  /** The decoded return value; present if the felts match and the ABI is known. */
  readonly decoded?: CairoValue;
}

/**
 * A decoded value: numbers as bigint; addresses, class hashes and bytes31 as hex; text as text; `()` and `None` as null;
 * lists for arrays and tuples; objects for structs and for enums (`{ Variant: value }`, unit variants as text).
 * Every decoded value can be encoded again.
 */
export type CairoValue =
  | bigint
  | boolean
  | string
  | null
  | readonly CairoValue[]
  | { readonly [name: string]: CairoValue };

export interface ModuleResult {
  /** Which of `outputRoot` and `rawValue` is stored. */
  readonly rule: "output-root" | "value";
  /** The result since March 2025: the root over the returned felts. */
  readonly outputRoot: Hex;
  /** The result of the generations of 2024: one felt, or a u256 of two. Absent for other outputs. */
  readonly rawValue?: bigint;
  /** The decoded return value of `main`; present if the ABI is known. */
  readonly decoded?: CairoValue;
  /** The calling convention of the run. */
  readonly generation: string;
  readonly steps: number;
  /** Values read from chains. */
  readonly reads: number;
  /** Its effect on the tries of the task, in the order of the task; absent if the task has none. */
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

/** A task's hash and the value to store for it, 32 bytes each. */
export interface TaskWord {
  readonly taskHash: Hex;
  readonly word: Hex;
}

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

export interface SubmitOptions extends CallOptions {
  /** Send tasks even if they are open or finalized. */
  readonly force?: boolean | undefined;
  /** Send a service also tasks over fields without a published evaluator. The local data processor refuses them. */
  readonly unsupportedFields?: boolean | undefined;
  /** Key that identifies this submission to a service, so that it treats a repeated request as the same one. */
  readonly idempotencyKey?: string | undefined;
  /** Called before a request is sent to a service, if some of its tasks were sent before or are finalized. */
  readonly onPlan?: ((plan: SubmitPlan) => void) | undefined;
  /** Called with the number of each block written as `latest-64` or a date, before the tasks are hashed or sent. */
  readonly onBlock?: ((resolved: ResolvedBlock) => void) | undefined;
}

/** The times of the next poll and of the timeout of a wait, in milliseconds since 1970. */
export interface WaitState {
  readonly nextPollAt: number;
  readonly timeoutAt: number;
}

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
  /** Resolves with the last status, finalized or failed. An abort or the timeout ends the wait, not the work. */
  wait?(submission: SubmissionPart, options?: AwaitOptions): Promise<TaskStatus>;
  /** Waits for the finalized results, one for each task in request order. Rejects if the submission failed. */
  results?(submission: SubmissionPart, options?: CallOptions): Promise<readonly TaskResult[]>;
}
