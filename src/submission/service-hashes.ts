import type { Hex } from "viem";

import { type HdpError, hdpError, isHdpError, suggested } from "../errors/hdp-error.js";
import { plural } from "../base/text.js";
import { printable } from "../errors/printable.js";
import type { SubmissionPart } from "../request/data-processor.js";
import { standardProgram } from "../request/standard-programs.js";
import type { Task } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import type { ExecutionStore } from "../store/execution-store.js";
import type { Records } from "./records.js";

/** What is known of the hashes that a service returned for new tasks, before they are recorded. */
export interface ServiceHashes {
  /** Why they cannot be the tasks', as a clause. */
  readonly fault?: string;
  /** Hashes that the service returned for the first time. */
  readonly unknown: readonly Hex[];
}

/** Returns whether a service can have no other hash of a task: a standard program has one program hash. */
export function hasOneHash(task: Task | undefined): boolean {
  return task?.type === "Module" && standardProgram(task.programHash) !== undefined;
}

/**
 * Compares the hashes that a service returned for new tasks with each other, with those of other tasks, and with ours
 * where a task has but one.
 */
export function comparedHashes(
  { taskHashes, destinationChainId, serviceTaskHashes: theirs }: SubmissionPart,
  tasks: readonly Task[],
  records: Records,
): ServiceHashes {
  if (theirs === undefined) return { unknown: [] };
  if (theirs.length !== taskHashes.length)
    return {
      fault: `${theirs.length} hashes for ${plural(taskHashes.length, "task")}`,
      unknown: [],
    };
  const pairs = taskHashes.map((own, at) => ({ own: own.toLowerCase(), hash: theirs[at] ?? own }));
  const foreign = pairs.filter(({ own, hash }) => hash !== own);
  const wrong = pairs.find(({ own, hash }, at) => hash !== own && hasOneHash(tasks[at]));
  if (wrong !== undefined) {
    const fault = `the hash ${wrong.hash} for ${wrong.own}, a task of a standard program, which has one hash`;
    return { fault, unknown: [] };
  }
  const shared = foreign.find(
    ({ own, hash }) =>
      pairs.some((other) => other.own !== own && other.hash === hash) ||
      records.isOfOther(hash, own),
  );
  if (shared !== undefined) return { fault: `the hash ${shared.hash} for two tasks`, unknown: [] };
  const known = new Set(records.serviceHashes(taskHashes, destinationChainId).values());
  return { unknown: foreign.flatMap(({ hash }) => (known.has(hash) ? [] : [hash])) };
}

/**
 * Returns the first of a service's hashes whose result was in a store before the tasks were sent. `head` is the newest
 * block of that time; without it, a result that is there right after sending counts. Undefined also where the node does
 * not answer.
 */
export async function finalizedBefore(
  store: ExecutionStore,
  hashes: readonly Hex[],
  head: bigint | undefined,
): Promise<Hex | undefined> {
  try {
    const states = await store.statuses(hashes);
    const finalized = hashes.filter((_, at) => states[at] === "finalized");
    if (finalized.length === 0) return undefined;
    const results = await store.readResults(finalized, { withTransaction: true });
    const isBefore = (block: bigint | undefined): boolean =>
      head === undefined || block === undefined || block <= head;
    return finalized.find((_, at) => isBefore(results[at]?.blockNumber));
  } catch (error) {
    if (isHdpError(error)) return undefined;
    throw error;
  }
}

/** Returns HDP-5018: hashes that cannot be the tasks'. */
export function notTheirHashes(
  { id, taskHashes }: SubmissionPart,
  recorded: string,
  fault: string,
  network: string,
): HdpError {
  const what = plural(taskHashes.length, "task");
  const command = suggested("hdp resume", [recorded], { network });
  return hdpError("HDP-5018", { what, id: printable(id, 200), fault, command });
}

/** Returns HDP-5019: another task than the one that was sent. */
export function otherTask(id: string, own: Hex, theirs: Hex): HdpError {
  return hdpError("HDP-5019", { id: printable(id, 200), own, theirs });
}

/** Returns what is said of a service's hash of a module that none of the hashes of its program gives. */
export function neitherHashText(own: Hex, flat: Hex, theirs: Hex): string {
  const known = `its program's hash by segments gives ${own}, the flat one ${flat}`;
  return `The service says that the hash of task ${own} is ${theirs}. None fits: ${known}. It may have computed another task, and no result is read under ${theirs}.`;
}

/** Returns a sentence with the hash by which contracts read a result, where the service hashed its task differently. */
export function storedUnderText({
  taskHash,
  storedUnder,
  storedForm,
}: Pick<TaskResult, "taskHash" | "storedUnder" | "storedForm">): string {
  if (storedForm === "flat")
    return `stored under ${storedUnder ?? ""}: the service hashes the program as one list (flat), this project by segments. It is the same task; contracts that read this task's hash do not find it`;
  return storedUnder === taskHash
    ? "stored under this hash; the service returned another one, and may have computed another task"
    : `stored under ${storedUnder ?? ""}, which the service returned: it may be of another task, and contracts that read this task's hash do not find it`;
}
