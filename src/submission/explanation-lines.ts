import { plural } from "../base/text.js";
import type { ExplainedTask, ReadCause, ReadExplanation } from "./explain-read.js";
import { shownId } from "./model.js";

const idOf = (submission: ReadExplanation["submission"]): string =>
  submission === undefined ? "" : shownId(submission);

const SENTENCES: Readonly<Record<ReadCause, (explanation: ReadExplanation) => readonly string[]>> =
  {
    "no-task": () => ["The hash is zero: the contract was given no task."],
    mistyped: () => ["The hash differs from the nearest in few digits: copy it again."],
    "earlier-block": () => ["It is finalized by now: the call read an earlier block."],
    "other-task": () => [],
    "other-value": () => [],
    "not-mined": () => ["Its result is in the pending block: mine a block first."],
    reverted: () => [
      "It was finalized in this store, and the chain was reverted to a snapshot from before that: finalize it again.",
    ],
    "pending-submission": ({ submission }) => [
      `Submission ${idOf(submission)} of it has no result yet (${submission?.state}): await it.`,
    ],
    "failed-submission": ({ submission }) => [
      `Submission ${idOf(submission)} of it ended (${submission?.state}), and the store has no result: submit it again.`,
    ],
    "other-destination": ({ submission }) => [
      `Submission ${idOf(submission)} of it delivers to another chain.`,
    ],
    "not-finalized": ({ asked, nearest }) => [
      nearest === undefined
        ? `The task is known from ${asked.source ?? "this project"}: submit it, or finalize a value.`
        : `The nearest task is known from ${nearest.source ?? "this project"}, and is not finalized either.`,
    ],
    unknown: ({ isCut }) => [
      isCut
        ? "No task that is known here has this hash; not all that differ in one field were tried in time."
        : "No task that is known here has this hash, nor one that differs in one field.",
    ],
  };

/** Returns an explanation as lines of text, without the command that repeats it. */
export function explanationLines(explanation: ReadExplanation): readonly string[] {
  const { asked, cause, nearest, differences } = explanation;
  const { asker, brought, store, taskHash } = asked;
  const who =
    asker === undefined ? `Store ${store} was asked` : `Contract ${asker} asked store ${store}`;
  const end =
    brought === undefined
      ? "which is not finalized there"
      : "which is finalized with another result";
  const isListed = cause === "unknown" || cause === "not-finalized";
  const there = cause === "other-task" ? "Finalized:" : "Nearest:";
  return [
    `${who} for task ${taskHash}, ${end}.`,
    ...(asked.title === undefined ? [] : [`Asked:      ${inWords(asked)}`]),
    ...(nearest === undefined ? [] : [`${there.padEnd(12)}${inWords(nearest)}`]),
    ...differences.map(
      ({ field, asked: one, found }) => `Difference: ${field} (asked: ${one}, there: ${found})`,
    ),
    ...SENTENCES[cause](explanation),
    ...(isListed ? listed(explanation) : []),
  ];
}

function listed({
  finalized,
  finalizedCount: count,
  ofKnownTasks,
}: ReadExplanation): readonly string[] {
  const known = ofKnownTasks ? " of the tasks that are known here" : "";
  if (count === 0) return [`The store has no results${known}.`];
  const latest = count > finalized.length ? ", the latest" : "";
  return [
    `The store has ${plural(count, "result")}${known}${latest}:`,
    ...finalized.map((one) => `  ${one.taskHash}  ${one.title === undefined ? "" : inWords(one)}`),
  ];
}

function inWords({ taskHash, title, lines = [] }: ExplainedTask): string {
  return [title ?? `task ${taskHash}`, ...lines].join(", ");
}
