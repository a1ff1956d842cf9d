import { isHdpError, suggested } from "../errors/hdp-error.js";
import type { SubmissionPart, TaskStatus } from "../request/data-processor.js";
import type { Task } from "../request/task.js";
import type { Plan } from "./plan.js";
import { acceptedPart } from "./records.js";

/** Returns a text of an error about one part of a submission, other parts of which were sent. */
function ofPart(text: string): string {
  return text.replaceAll(/\b(nothing) (was sent)\b/gi, "$1 else $2");
}

/** Throws an error, which says how many tasks of the submission were accepted before. */
export function throwAfter(
  parts: readonly SubmissionPart[],
  { length: all }: readonly Task[],
  error: unknown,
): never {
  if (isHdpError(error) && parts.length > 0) {
    const list = suggested("hdp list", []);
    const accepted = `${parts.length} of ${all} tasks are accepted and are not sent again: ${list}`;
    Object.assign(error, {
      message: `${ofPart(error.message)}\n  ${accepted}`,
      shortMessage: ofPart(error.shortMessage),
      hints: [...error.hints.map(ofPart), accepted],
    });
  }
  throw error;
}

/** Returns the parts of the earlier submissions that a plan reuses, each once. */
export function reusedParts({ decisions }: Plan): readonly SubmissionPart[] {
  const reused = decisions.flatMap((one) => (one.kind === "reuse" ? [one.record] : []));
  return [...new Map(reused.map((record) => [record.id, acceptedPart(record)])).values()];
}

/** Returns one status for several parts: failed if any is, finalized if all are. */
export function joinStatuses(statuses: readonly TaskStatus[]): TaskStatus | undefined {
  const of = (wanted: TaskStatus["phase"]): TaskStatus[] =>
    statuses.filter(({ phase }) => phase === wanted);
  const shown = of("failed")[0] ?? of("pending")[0] ?? statuses.at(-1);
  if (statuses.length === 1 || shown?.phase !== "pending") return shown;
  const finished = of("finalized").length;
  const progress = `${finished} of ${statuses.length} submissions finalized`;
  return {
    ...shown,
    detail: shown.detail === undefined ? progress : `${shown.detail} (${progress})`,
  };
}
