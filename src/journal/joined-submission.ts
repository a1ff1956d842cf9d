import type { Hex } from "viem";

import type { Submission, TaskStatus } from "../request/lifecycle.js";
import type { SubmissionPlan } from "./submission-plan.js";
import { submissionOf } from "./find-record.js";

/** Id of a submission none of whose tasks had to be sent and whose results are in the execution store already. */
export const ALREADY_FINALIZED = "finalized";

const SEPARATOR = ",";

/** Ids as one: a service may use the separator, or this package's own word, inside of an id. */
export function joinIds(ids: readonly string[]): string {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return only;
  return ids.map((id) => id.replaceAll("%", "%25").replaceAll(SEPARATOR, "%2C")).join(SEPARATOR);
}

/** The ids that `partsOf` asks for. */
export function possibleParts(id: string): string[] {
  return [...new Set([id, ...splitIds(id)])];
}

function splitIds(id: string): string[] {
  return id.split(SEPARATOR).map((part) => part.replaceAll("%2C", SEPARATOR).replaceAll("%25", "%"));
}

/**
 * The ids of the submissions that together answer a request. An id that is known as a whole is one id, whatever it
 * looks like, and so is one that is known in no way.
 */
export function partsOf(id: string, isKnown: (part: string) => boolean): string[] {
  if (isKnown(id)) return [id];
  if (id === ALREADY_FINALIZED) return [];
  const parts = splitIds(id);
  return parts.length > 1 && parts.every(isKnown) ? parts : [id];
}

/**
 * The answer to a request of which some tasks were sent now and others before: the ids of all submissions that are not
 * finished, joined, and the task hashes in the request's order.
 */
export function joinSubmissions(
  taskHashes: readonly Hex[],
  plan: SubmissionPlan,
  sent: Submission | undefined,
  fallback: Pick<Submission, "processor" | "destinationChainId">,
): Submission {
  const reused = plan.reuse.flatMap((task) => (task.kind === "open" ? [submissionOf(task.record)] : []));
  const parts = [...(sent === undefined ? [] : [sent]), ...reused];
  const ids = [...new Set(parts.map((part) => part.id))];
  const serviceHashes = new Map(
    parts.flatMap((part) => part.taskHashes.map((hash, index) => [hash, part.serviceTaskHashes?.[index] ?? hash])),
  );
  const differs = parts.some((part) => part.serviceTaskHashes !== undefined);
  return {
    id: ids.length === 0 ? ALREADY_FINALIZED : joinIds(ids),
    processor: parts[0]?.processor ?? fallback.processor,
    destinationChainId: fallback.destinationChainId,
    taskHashes,
    ...(differs ? { serviceTaskHashes: taskHashes.map((hash) => serviceHashes.get(hash) ?? hash) } : {}),
  };
}

/** One status for several submissions: failed as soon as one is, finalized when all are. */
export function joinStatuses(statuses: readonly TaskStatus[]): TaskStatus {
  const finished = statuses.filter((status) => status.phase === "finalized").length;
  const told = statuses.find((status) => status.phase === "failed") ?? statuses.find((s) => s.phase === "pending");
  const only = told ?? statuses.at(-1) ?? { name: ALREADY_FINALIZED, phase: "finalized" };
  if (statuses.length < 2 || only.phase !== "pending") return only;
  const progress = `${finished} of ${statuses.length} submissions finalized`;
  return { ...only, detail: only.detail === undefined ? progress : `${only.detail} (${progress})` };
}
