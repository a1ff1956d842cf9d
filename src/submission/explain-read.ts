import type { Address, Hex } from "viem";

import type { ChainIdentifier } from "../request/chains.js";
import { type FieldDifference, taskDifferences } from "../request/task-differences.js";
import { valueWord } from "../request/task-form.js";
import type { AskedRead, Brought } from "../store/failed-read.js";
import { type HashedTask, possibleHashes } from "./asked-task.js";
import {
  isUnfinished,
  type SubmissionIds,
  type SubmissionRecord,
  type SubmissionState,
} from "./model.js";
import { type ExplainedTask, type KnownTask, TaskSearch } from "./task-search.js";
import { isSameHex, otherDigits, toWord } from "../base/hex.js";

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

/** What is known when a read failed. */
export interface KnownState extends StoreState {
  /** Tasks of this process, of the submission database and of task files, the most likely first. */
  readonly tasks: readonly KnownTask[];
  /** Results that this process finalized, whether or not the chain still has them. */
  readonly finalizedHere: readonly FinalizedTask[];
  /** Submissions of the asked task, oldest first. */
  readonly submissions: readonly SubmissionRecord[];
  /** The network of the asked store. */
  readonly network: string;
  /** The store in use on the connected chain. */
  readonly storeInUse?: Address | undefined;
  /** Whether another connection to this network, which has a chain of its own, finalized the asked task. */
  readonly isOnOtherConnection?: boolean | undefined;
  /** Returns the network that a submission's results are delivered to. */
  readonly deliveryOf: (submission: SubmissionRecord) => string;
  /** Returns the value of a task whose root a word is, where it is known. */
  readonly valueOf?: ((taskHash: Hex, word: Hex) => bigint | undefined) | undefined;
  /** The task whose result was brought, where that is known. */
  readonly delivered?: Hex | undefined;
  /** Accounts that a task may be about. */
  readonly addresses?: readonly Address[] | undefined;
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
 * - `replaced`: what was brought was the task's result, until another one was finalized
 * - `word-brought`: the stored word was brought instead of the value that it stands for
 * - `other-root`: the stored word is the root of another value, which is not known here
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
  | "replaced"
  | "word-brought"
  | "other-root"
  | "unknown";

/** A submission that an explanation names. */
interface NamedSubmission extends SubmissionIds {
  readonly state: SubmissionState;
  readonly network: string;
  readonly destinationChainId?: ChainIdentifier | undefined;
}

/** The cause of a failed read, and what it was found by. */
interface ReadFinding {
  readonly cause: ReadCause;
  /** The task that differs least from the asked one, of those that are finalized. */
  readonly nearest?: ExplainedTask | undefined;
  /** In which fields the nearest differs. */
  readonly differences: readonly FieldDifference[];
  readonly submission?: NamedSubmission | undefined;
  /** The result of the asked task on another network. */
  readonly elsewhere?: FinalizedTask | undefined;
}

/** Why a contract's read failed, by fields. */
export interface ReadExplanation extends ReadFinding {
  readonly asked: ExplainedTask & AskedRead;
  /** What the asked store has, the latest first, at most {@link MAX_LISTED}. */
  readonly finalized: readonly ExplainedTask[];
  /** Number of results that the asked store has. */
  readonly finalizedCount: number;
  /** Whether only the tasks that are known here were looked up: the store may have more results. */
  readonly ofKnownTasks: boolean;
  /** Whether the time was too short to try all tasks that are near. */
  readonly isCut: boolean;
  /** Whether another connection to this network, which has a chain of its own, finalized the asked task. */
  readonly isOnOtherConnection: boolean;
  /** The store in use on the connected chain. */
  readonly storeInUse?: Address | undefined;
}

/** Maximum number of finalized tasks in an explanation. */
const MAX_LISTED = 5;
/** A task that differs in more of its fields is another task. */
const MAX_DIFFERENCES = 2;

/** Explains a failed read from what is known. Never names a field unless both tasks are known. */
export function explainRead(read: AskedRead, known: KnownState): ReadExplanation {
  const search = new TaskSearch(known);
  const asked = search.findAsked(read.taskHash);
  const isCut = asked === undefined && search.isCut;
  const inStore = known.stored.filter(({ store }) => isSameHex(store, read.store));
  const explained = {
    asked: { ...search.explained(read.taskHash, asked), ...read },
    finalized: inStore.slice(0, MAX_LISTED).map(({ taskHash }) => search.explained(taskHash)),
    finalizedCount: inStore.length,
    ofKnownTasks: known.ofKnownTasks === true,
    isOnOtherConnection: known.isOnOtherConnection === true,
    storeInUse: known.storeInUse,
  };
  const found =
    ofDelivered(read, asked, search, known) ??
    ofBrought(read, asked, search, known) ??
    ofZero(read) ??
    ofResult(read, known) ??
    ofSubmission(known) ??
    ofElsewhere(read, known) ??
    ofNearest(read, asked, search, known) ??
    (asked === undefined ? ofDigits(read, search, known) : undefined) ??
    ofTask(asked, search);
  return { ...explained, ...found, isCut };
}

/** The task is finalized, and the value of another one was brought. */
function ofDelivered(
  { brought, taskHash }: AskedRead,
  asked: HashedTask | undefined,
  search: TaskSearch,
  { delivered }: KnownState,
): ReadFinding | undefined {
  if (brought === undefined || delivered === undefined) return undefined;
  if (isSameHex(delivered, taskHash)) return undefined;
  const found = search.find(delivered);
  const differences =
    asked === undefined || found === undefined ? [] : hashDifferences(asked, found);
  return { cause: "other-result", nearest: search.explained(delivered, found), differences };
}

/** The task is finalized, and the value that was brought is another one. */
function ofBrought(
  { brought, taskHash, store }: AskedRead,
  asked: HashedTask | undefined,
  search: TaskSearch,
  { valueOf, stored: results }: KnownState,
): ReadFinding | undefined {
  if (brought === undefined) return undefined;
  const { kind, value, word } = brought;
  const isValue = kind === "value";
  const stored = asked?.form === "datalake" ? BigInt(word) : valueOf?.(taskHash, word);
  const difference = (one: string, found: string): FieldDifference[] => [
    { field: isValue ? "value" : "root", asked: one, found },
  ];
  if (isValue && asked?.form !== "datalake" && BigInt(word) === value)
    return {
      cause: "word-brought",
      differences: stored === undefined ? [] : difference(word, String(stored)),
    };
  for (const [found, other] of [
    ["datalake", "module"],
    ["module", "datalake"],
  ] as const)
    if (isValue && valueWord(value, found) === word)
      return { cause: "other-value", differences: [{ field: "form", asked: other, found }] };
  const found = isValue ? stored?.toString() : word;
  const differences = found === undefined ? [] : difference(shownAs(kind, value), found);
  const words = wordsOf(brought);
  const own = results.find(
    (one) => isSameHex(one.taskHash, taskHash) && isSameHex(one.store, store),
  );
  const isReplaced = own?.replacedWords?.some((one) => words.includes(one)) === true;
  if (isReplaced) return { cause: "replaced", differences };
  const other = results.find((one) => one.word !== undefined && words.includes(one.word));
  if (other !== undefined)
    return { cause: "other-result", nearest: search.explained(other.taskHash), differences };
  return { cause: found === undefined ? "other-root" : "other-value", differences };
}

/** Returns the words that stand for what was brought; none for a zero, which is the result of too many tasks. */
function wordsOf({ kind, value }: Brought): readonly Hex[] {
  if (value === 0n) return [];
  if (kind === "root") return [toWord(value)];
  return [valueWord(value, "datalake"), valueWord(value, "module")];
}

function shownAs(kind: Brought["kind"], value: bigint): string {
  return kind === "value" ? String(value) : toWord(value);
}

/** A contract that was given no task asks for the hash zero. */
function ofZero({ taskHash }: AskedRead): ReadFinding | undefined {
  return BigInt(taskHash) === 0n ? { cause: "no-task", differences: [] } : undefined;
}

/** Digits in which a mistyped hash may differ: of two hashes of tasks that many more do. */
const MAX_DIGITS = 4;

/** The hash of a known task with few other digits. */
function ofDigits(
  { taskHash }: AskedRead,
  search: TaskSearch,
  { stored }: KnownState,
): ReadFinding | undefined {
  const known = [...stored.map((one) => one.taskHash), ...search.hashes];
  const near = known.find((hash) => otherDigits(taskHash, hash) <= MAX_DIGITS);
  if (near === undefined) return undefined;
  const difference = { field: "taskHash", asked: taskHash, found: near };
  return { cause: "mistyped", nearest: search.explained(near), differences: [difference] };
}

/** The task has, had or is about to have a result. */
function ofResult(read: AskedRead, known: KnownState): ReadFinding | undefined {
  const isAsked = ({ taskHash }: StoredTask): boolean => isSameHex(taskHash, read.taskHash);
  const isThere = known.stored.some((one) => isAsked(one) && isSameHex(one.store, read.store));
  if (isThere) return { cause: "earlier-block", differences: [] };
  if (known.isPending === true) return { cause: "not-mined", differences: [] };
  const here = known.stored.find(isAsked);
  if (here !== undefined && !isSameHex(here.store, read.store)) {
    const store = { field: "store", asked: read.store, found: here.store };
    return { cause: "other-task", nearest: here, differences: [store] };
  }
  const before = known.finalizedHere.some(
    (one) => isAsked(one) && one.network === known.network && isSameHex(one.store, read.store),
  );
  return before && here === undefined ? { cause: "reverted", differences: [] } : undefined;
}

/** The task was submitted for the asked store, and that is not over, or failed. */
function ofSubmission({ submissions, network, deliveryOf }: KnownState): ReadFinding | undefined {
  const submission = submissions.findLast((one) => deliveryOf(one) === network);
  if (submission === undefined) return undefined;
  const cause = isUnfinished(submission) ? "pending-submission" : "failed-submission";
  return { cause, differences: [], submission: named(submission) };
}

/** The task has, or is about to have, its result on another network. */
function ofElsewhere(
  { taskHash }: AskedRead,
  { finalizedHere, submissions, network, deliveryOf }: KnownState,
): ReadFinding | undefined {
  const on = (found: string): FieldDifference[] => [{ field: "network", asked: network, found }];
  const elsewhere = finalizedHere.findLast(
    (one) => isSameHex(one.taskHash, taskHash) && one.network !== network,
  );
  if (elsewhere !== undefined)
    return { cause: "other-destination", differences: on(elsewhere.network), elsewhere };
  const submission = submissions.findLast((one) => one.state === "finalized" || isUnfinished(one));
  if (submission === undefined) return undefined;
  const differences = on(deliveryOf(submission));
  return { cause: "other-destination", differences, submission: named(submission) };
}

function named({
  id,
  serviceId,
  state,
  network,
  destinationChainId,
}: SubmissionRecord): NamedSubmission {
  return { id, serviceId, state, network, destinationChainId };
}

interface Candidate {
  readonly nearest: ExplainedTask;
  readonly differences: readonly FieldDifference[];
}

/** A finalized task that differs in few fields. */
function ofNearest(
  { store }: AskedRead,
  asked: HashedTask | undefined,
  search: TaskSearch,
  { stored }: KnownState,
): ReadFinding | undefined {
  if (asked === undefined) return undefined;
  const candidates = stored.flatMap((one): Candidate[] => {
    const found = search.find(one.taskHash);
    if (found === undefined) return [];
    const differences = [...hashDifferences(asked, found)];
    if (!isSameHex(one.store, store))
      differences.push({ field: "store", asked: store, found: one.store });
    const nearest = { ...search.explained(one.taskHash, found), store: one.store };
    return [{ nearest, differences }];
  });
  const [best] = candidates
    .filter(({ differences }) => isNear(differences))
    .sort((one, other) => one.differences.length - other.differences.length);
  return best && { cause: "other-task", ...best };
}

function isNear(differences: readonly FieldDifference[]): boolean {
  const ofTask = differences.filter(({ field }) => !isOfPlace(field));
  return ofTask.length <= MAX_DIFFERENCES && ofTask.every(({ field }) => field !== "type");
}

/** Returns whether a field says how and where a result is kept: it is of no other task. */
export function isOfPlace(field: string): boolean {
  return ["form", "encoding", "store"].includes(field);
}

function hashDifferences(asked: HashedTask, found: HashedTask): readonly FieldDifference[] {
  const differences = [...taskDifferences(asked.task, found.task)];
  const [form, encoding] = [
    { field: "form", asked: asked.form, found: found.form },
    { field: "encoding", asked: asked.encoding, found: found.encoding },
  ];
  // The module form has one encoding, that with the chain id.
  for (const one of [form, encoding]) if (one.asked !== one.found) differences.push(one);
  return differences;
}

/** The task is known here, or one that differs in a field. */
function ofTask(asked: HashedTask | undefined, search: TaskSearch): ReadFinding {
  if (asked === undefined) return { cause: "unknown", differences: [] };
  if (search.findSource(asked.hash) !== undefined) {
    const isOld = asked.encoding === "without-chain-id";
    const encoding = { field: "encoding", asked: asked.encoding, found: "with-chain-id" };
    return { cause: "not-finalized", differences: isOld ? [encoding] : [] };
  }
  const [best] = search.tasks
    .map((known) => ({ known, differences: taskDifferences(asked.task, known.task) }))
    .sort((one, other) => one.differences.length - other.differences.length);
  if (best === undefined) return { cause: "unknown", differences: [] };
  const { known, differences } = best;
  const hash = possibleHashes(known.task).find(({ form }) => form === asked.form)?.hash;
  const nearest = hash === undefined ? undefined : search.explained(hash);
  return { cause: "not-finalized", nearest, differences };
}
