import type { Address, Hex } from "viem";

import type { ChainIdentifier } from "../request/chains.js";
import type { FieldDifference } from "../request/task-differences.js";
import type { ModuleTask } from "../request/task.js";
import type { TaskWord } from "../request/task-result.js";
import type { HashedInCall } from "./hashed-in-call.js";
import type { SubmissionIds, SubmissionRecord, SubmissionState } from "./model.js";
import type { ExplainedTask, KnownTask } from "./task-search.js";
import type { SearchHints } from "./task-variations.js";

/** A result in a store. */
export interface StoredTask {
  readonly taskHash: Hex;
  readonly store: Address;
  /** The stored word, where it is known. */
  readonly word?: Hex | undefined;
  /** Words that the store had before, the latest first. */
  readonly replacedWords?: readonly Hex[] | undefined;
}

/** A result that this process finalized, with the network of its store; a Starknet chain is its own network. */
export interface FinalizedTask extends StoredTask {
  readonly network: string;
  /** The chain that it was finalized for; none for the connected one. */
  readonly chain?: ChainIdentifier | undefined;
}

/** What a store has when a read of it failed. */
export interface StoreState {
  /** The results that the stores of the chain have, the latest first. */
  readonly stored: readonly StoredTask[];
  /** Whether only the tasks that are known here were looked up in the store. Default: all of its results are in `stored`. */
  readonly ofKnownTasks?: boolean | undefined;
  /** Whether the asked task has a result in the pending block. */
  readonly isPending?: boolean | undefined;
}

/** Where the asked hash is written in the project. */
export interface WrittenHash {
  /** The file, below the project's folder. */
  readonly path: string;
  readonly line: number;
  /** What has it in a file that `hdp types` wrote: `tasks.fee`. */
  readonly task?: string | undefined;
}

/** What is known when a read failed. */
export interface KnownState extends StoreState, SearchHints {
  /** Tasks of this process, of the submission database and of task files, the most likely first. */
  readonly tasks: readonly KnownTask[];
  /** Results that this process finalized, whether or not the chain still has them. */
  readonly finalizedHere: readonly FinalizedTask[];
  /** Results that other connections of this process finalized on other networks, the latest last. */
  readonly finalizedElsewhere?: readonly FinalizedTask[] | undefined;
  /** Submissions of the asked task, oldest first. */
  readonly submissions: readonly SubmissionRecord[];
  /** The network of the asked store. */
  readonly network: string;
  /** The store in use on the connected chain. */
  readonly storeInUse?: Address | undefined;
  /** The accounts that deployed the stores that were not asked, by store. */
  readonly deployers?: ReadonlyMap<Address, Address> | undefined;
  /** Words with which other connections to this network, which have chains of their own, finalized the asked task. */
  readonly wordsOfOthers?: readonly Hex[] | undefined;
  /** The results that were being finalized when the read failed. */
  readonly underWay?: readonly TaskWord[] | undefined;
  /** Returns the network that a submission's results are delivered to. */
  readonly deliveryOf: (submission: SubmissionRecord) => string;
  /** Returns the value of a task whose root a word is, where it is known. */
  readonly valueOf?: ((taskHash: Hex, word: Hex) => bigint | undefined) | undefined;
  /** The task whose result was brought, where that is known. */
  readonly delivered?: Hex | undefined;
  /** Returns the names of the arguments that a module task's inputs are of; undefined where its class is not known. */
  readonly argumentsOf?: ((task: ModuleTask) => readonly string[] | undefined) | undefined;
  /** What the failed call, and what made the contract that asked, hashed. */
  readonly hashed?: HashedInCall | undefined;
  /** Returns whether the search for the asked task has taken its time. */
  readonly isOver?: (() => boolean) | undefined;
}

/**
 * Why a read failed:
 * - `other-task`: nearest is the finalized task that differs least, in task, form, encoding or store
 * - `no-task`: the hash is zero
 * - `mistyped`: nearest is a known task whose hash differs in few digits
 * - `earlier-block`: the call read a block from before the result
 * - `other-destination`: finalized, or submitted, for a store on another network
 * - `not-finalized`: a task that is known here, and was not finalized
 * - `other-value`: another value was brought, or the value in the other form
 * - `other-result`: what was brought is the result of another task, the nearest
 * - `under-way`: what was asked for, or brought, was being finalized
 * - `later-value`: what was brought is the task's result, and the call read a block from before it
 * - `replaced`: what was brought was the task's result, until another one was finalized
 * - `undone`: what was brought was the task's result, until the chain was reverted
 * - `other-store`: what was brought is the task's result in another store
 * - `other-connection`: what was brought is the task's result on the chain of another connection
 * - `other-form`: the stored word is the plain value where the task's form keeps its root, or the other way
 * - `word-brought`: the stored word was brought instead of the value that it stands for
 * - `other-root`: the stored word is the root of another value, which is not known here
 * - `other-encoding`: the contract that asked hashed what encodes no task; differences are the words in which that differs
 * - `unknown`: nothing that is known here is near
 */
export type ReadCause =
  | "no-task"
  | "mistyped"
  | "earlier-block"
  | "other-task"
  | "not-mined"
  | "reverted"
  | "pending-submission"
  | "failed-submission"
  | "other-destination"
  | "not-finalized"
  | "other-value"
  | "other-result"
  | "under-way"
  | "later-value"
  | "replaced"
  | "undone"
  | "other-store"
  | "other-connection"
  | "other-form"
  | "word-brought"
  | "other-root"
  | "other-encoding"
  | "unknown";

/** A submission that an explanation names. */
export interface NamedSubmission extends SubmissionIds {
  readonly state: SubmissionState;
  /** Why it failed, as it was recorded. */
  readonly reason?: string | undefined;
  readonly network: string;
  readonly destinationChainId?: ChainIdentifier | undefined;
}

/** The cause of a failed read, and what it was found by. */
export interface ReadFinding {
  readonly cause: ReadCause;
  /** The task that differs least from the asked one, of those that are finalized. */
  readonly nearest?: ExplainedTask | undefined;
  /** In which fields the nearest differs. */
  readonly differences: readonly FieldDifference[];
  readonly submission?: NamedSubmission | undefined;
  /** The result of the asked task on another network. */
  readonly elsewhere?: FinalizedTask | undefined;
  /** Where the asked hash is written in the project, where it may be that of a task that has changed. */
  readonly written?: WrittenHash | undefined;
}

/** Causes that may come of a hash that was right once. */
const OF_OLD_TASK: readonly ReadCause[] = ["other-task", "mistyped", "not-finalized", "unknown"];

/** Returns whether the asked hash may be that of a task as it was before it was changed: no known task has it. */
export function mayBeOfOldTask({
  asked,
  cause,
  differences,
}: ReadFinding & { readonly asked: ExplainedTask }): boolean {
  const isOnlyElsewhere = differences.length > 0 && differences.every(isOfStore);
  return asked.source === undefined && OF_OLD_TASK.includes(cause) && !isOnlyElsewhere;
}

function isOfStore({ field }: FieldDifference): boolean {
  return field === "store";
}
