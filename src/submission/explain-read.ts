import type { Address, Hex } from "viem";
import { isHex } from "viem/utils";

import { isSameHex, otherDigits } from "../base/hex.js";
import { standardCall, standardProgram } from "../request/standard-programs.js";
import type { FieldDifference } from "../request/task-differences.js";
import { findOwnModule, hasModuleForm } from "../request/task-form.js";
import type { Task } from "../request/task.js";
import type { AskedRead } from "../store/failed-read.js";
import { type HashedTask, possibleHashes } from "./asked-task.js";
import { ofBrought } from "./brought-value.js";
import {
  fieldDifferences,
  hashDifferences,
  isNear,
  isOfSameType,
  mistakes,
} from "./hash-differences.js";
import type { HashedInCall } from "./hashed-in-call.js";
import type { SlotOrigin } from "./mapping-slots.js";
import { isUnfinished, type SubmissionRecord } from "./model.js";
import type {
  FinalizedTask,
  KnownState,
  NamedSubmission,
  ReadFinding,
  StoredTask,
} from "./read-finding.js";
import { type ExplainedTask, TaskSearch } from "./task-search.js";

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
  /** Whether a module is known here, or the asked store has the result of a task that is not. */
  readonly hasModules: boolean;
  /** Whether another connection to this network, which has a chain of its own, finalized the asked task. */
  readonly isOnOtherConnection: boolean;
  /** The store in use on the connected chain. */
  readonly storeInUse?: Address | undefined;
  /** Whether the asked program hash is the flat hash of the nearest task's program. */
  readonly isFlatHash: boolean;
  /** What the slots are the hashes of in which the nearest task differs, as far as that is known, in words where it was derived. */
  readonly slots: {
    readonly asked?: SlotOrigin | string | undefined;
    readonly found?: SlotOrigin | string | undefined;
  };
  /** What the contract that asked hashed, where that encodes no task. */
  readonly hashed?: Hex | undefined;
  /** The account that deployed the store of the nearest task. */
  readonly deployer?: Address | undefined;
}

/** Maximum number of finalized tasks in an explanation. */
const MAX_LISTED = 5;
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
    hasModules: mayBeModule(inStore, search),
    isOnOtherConnection: (known.wordsOfOthers ?? []).length > 0,
    storeInUse: known.storeInUse,
  };
  const found =
    ofDelivered(read, asked, search, known) ??
    ofBrought(read, asked, search, known) ??
    ofZero(read) ??
    ofUnderWay(read, known) ??
    ofResult(read, known) ??
    ofSubmission(known) ??
    ofElsewhere(read, known) ??
    ofNearest(read, asked, search, known) ??
    // What others did on their networks is less likely meant than what is near on this one.
    onOtherNetwork(read, known.finalizedElsewhere ?? [], known.network) ??
    (asked === undefined ? ofDigits(read, search, known) : undefined) ??
    ofEncoding(read, asked, search, known) ??
    ofTask(asked, search);
  const place = found.nearest?.store;
  const deployer = place && known.deployers?.get(place);
  const isFlatHash = found.differences.some((one) => isOfFlatHash(one, known));
  const slots = slotOrigins(found.differences, search, known.hashed);
  const hashed = asked === undefined ? known.hashed?.bytes(read.taskHash) : undefined;
  const names = argumentNames(asked, found.nearest && search.find(found.nearest.taskHash), known);
  const differences = found.differences.map((one) => withArgument(one, names));
  return { ...explained, ...found, differences, isFlatHash, slots, hashed, deployer, isCut };
}

/** Returns whether a module is known here, or a store has the result of a task that is not known. */
function mayBeModule(stored: readonly StoredTask[], search: TaskSearch): boolean {
  const isKnown = search.tasks.some(({ task }) => findOwnModule(task) !== undefined);
  return isKnown || stored.some(({ taskHash }) => search.findSource(taskHash) === undefined);
}

/** Returns the names of the inputs of two tasks of the same program, where they are the same. */
function argumentNames(
  asked: HashedTask | undefined,
  found: HashedTask | undefined,
  { argumentsOf }: KnownState,
): readonly string[] {
  const tasks = [asked?.task, found?.task].flatMap((task) => task ?? []);
  const [one = [], other = []] = tasks.map((task) =>
    task.type === "Module" ? argumentsOf?.(task) : undefined,
  );
  // Only the other one may have the program of datalake tasks.
  const program = tasks.map(programOf).find((names) => names !== undefined);
  if (program !== undefined) return program;
  return one.join() === other.join() ? one : [];
}

/** Returns the names of the inputs of a standard program that a task is for; undefined for another one. */
function programOf(task: Task): readonly string[] | undefined {
  if (task.type !== "Module" && !hasModuleForm(task)) return undefined;
  // A contract may have derived a task with numbers that are no felts.
  const { programHash } = task.type === "Module" ? task : standardCall(task);
  return standardProgram(programHash)?.inputs;
}

function withArgument(difference: FieldDifference, names: readonly string[]): FieldDifference {
  const position = /^inputs\[(\d+)\]$/.exec(difference.field)?.[1];
  const argument = position === undefined ? undefined : names[Number(position)];
  return argument === undefined ? difference : { ...difference, argument };
}

function slotOrigins(
  differences: readonly FieldDifference[],
  search: TaskSearch,
  hashed: HashedInCall | undefined,
): ReadExplanation["slots"] {
  const slot = differences.find(({ field }) => field === "slot");
  if (slot === undefined) return {};
  const { asked, found } = slot;
  if (!isHex(asked) || !isHex(found)) return {};
  return {
    asked: search.findOrigin(asked) ?? hashed?.slotText(asked),
    found: search.findOrigin(found) ?? hashed?.slotText(found, asked),
  };
}

function isOfFlatHash(
  { field, asked, found }: FieldDifference,
  { flatHashes }: KnownState,
): boolean {
  const known: ReadonlyMap<string, string> | undefined = flatHashes;
  return field === "programHash" && known?.get(found) === asked;
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

/** The task was being finalized when the call failed. */
function ofUnderWay(
  { taskHash }: AskedRead,
  { underWay = [], isPending = false }: KnownState,
): ReadFinding | undefined {
  const isAsked = underWay.some((one) => isSameHex(one.taskHash, taskHash));
  // What waits for a block does not end by being awaited.
  return isAsked && !isPending ? { cause: "under-way", differences: [] } : undefined;
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
  read: AskedRead,
  { finalizedHere, submissions, network, deliveryOf }: KnownState,
): ReadFinding | undefined {
  const own = onOtherNetwork(read, finalizedHere, network);
  if (own !== undefined) return own;
  const submission = submissions.findLast((one) => one.state === "finalized" || isUnfinished(one));
  if (submission === undefined) return undefined;
  const differences = [{ field: "network", asked: network, found: deliveryOf(submission) }];
  return { cause: "other-destination", differences, submission: named(submission) };
}

/** The latest of some results of the task that is on another network. */
function onOtherNetwork(
  { taskHash }: AskedRead,
  results: readonly FinalizedTask[],
  network: string,
): ReadFinding | undefined {
  const elsewhere = results.findLast(
    (one) => isSameHex(one.taskHash, taskHash) && one.network !== network,
  );
  if (elsewhere === undefined) return undefined;
  const differences = [{ field: "network", asked: network, found: elsewhere.network }];
  return { cause: "other-destination", differences, elsewhere };
}

function named(record: SubmissionRecord): NamedSubmission {
  const { id, serviceId, state, seen, network, destinationChainId } = record;
  const reason = seen?.phase === "failed" ? seen.detail : record.reason;
  return { id, serviceId, state, reason, network, destinationChainId };
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
  const isNearEnough = search.isDecoded(asked.hash) ? isOfSameType : isNear;
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
    .filter(({ differences }) => isNearEnough(differences))
    .sort((one, other) => one.differences.length - other.differences.length);
  if (best === undefined || isOtherNearer(asked, best, search)) return undefined;
  return { cause: "other-task", ...best };
}

/** Returns whether a known task is near the asked one, and the nearest finalized one is not. */
function isOtherNearer(asked: HashedTask, best: Candidate, search: TaskSearch): boolean {
  if (isNear(best.differences)) return false;
  return search.tasks.some(({ task }) => isNear(fieldDifferences(asked, task)));
}

/** The contract hashed what encodes no task. */
function ofEncoding(
  { taskHash }: AskedRead,
  asked: HashedTask | undefined,
  search: TaskSearch,
  { hashed }: KnownState,
): ReadFinding | undefined {
  if (asked !== undefined || hashed?.bytes(taskHash) === undefined) return undefined;
  const tasks = search.tasks.map(({ task }) => task);
  const differences = hashed.wordDifferences(taskHash, tasks);
  if (differences !== undefined) return { cause: "other-encoding", differences };
  const meant = hashed.taskInParts(taskHash, tasks);
  const [found] = meant === undefined ? [] : possibleHashes(meant);
  const nearest = found && search.explained(found.hash, found);
  return { cause: "other-encoding", nearest, differences: [] };
}

/** The task is known here, or one that differs in a field. */
function ofTask(asked: HashedTask | undefined, search: TaskSearch): ReadFinding {
  if (asked === undefined) return { cause: "unknown", differences: [] };
  if (search.findSource(asked.hash) !== undefined) {
    const isOld = asked.encoding === "without-chain-id";
    const encoding = { field: "encoding", asked: asked.encoding, found: "with-chain-id" };
    return { cause: "not-finalized", differences: isOld ? [encoding] : [] };
  }
  const isDecoded = search.isDecoded(asked.hash);
  const [best] = search.tasks
    .map((known) => ({ known, differences: fieldDifferences(asked, known.task) }))
    // One that is finalized is not near: ofNearest would have found it.
    .sort((one, other) => mistakes(one.differences) - mistakes(other.differences));
  if (best === undefined)
    return { cause: isDecoded ? "not-finalized" : "unknown", differences: [] };
  const { known, differences } = best;
  if (isDecoded && !isOfSameType(differences)) return { cause: "not-finalized", differences: [] };
  const found = possibleHashes(known.task).find(({ form }) => form === asked.form);
  if (found === undefined) return { cause: "not-finalized", differences };
  const nearest = search.explained(found.hash);
  return { cause: "not-finalized", nearest, differences: hashDifferences(asked, found) };
}
