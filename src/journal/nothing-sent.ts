import type { DamagedLine } from "../base/log-line.js";
import { JournalError } from "./journal-error.js";
import { hintsFor } from "./standing.js";
import type { UnresolvedTask } from "./submission-plan.js";

/** HDP-5005: tasks that may be running already. */
export function unresolvedError(tasks: readonly UnresolvedTask[]): JournalError {
  const ofUnknownState = tasks.find(({ isOfUnknownState }) => isOfUnknownState === true);
  if (ofUnknownState !== undefined) return stateLost(ofUnknownState);
  const records = [...new Map(tasks.map(({ record }) => [record.id, record])).values()];
  return new JournalError({
    code: "HDP-5005",
    message: `whether ${tasks.length === 1 ? "a task" : `${tasks.length} tasks`} of this request, sent before, was accepted is not known. Nothing was sent.`,
    hints: [...tasks.map((task) => `Task ${task.taskHash}`), ...records.flatMap(hintsFor)],
  });
}

function stateLost({ taskHash, record }: UnresolvedTask): JournalError {
  return new JournalError({
    code: "HDP-5005",
    message: `whether submission ${record.id}, of the same task hash, started from the same injected state is not known: the journal has lost what was sent. Nothing was sent.`,
    hints: [
      `Task ${taskHash}`,
      ...hintsFor(record),
      "If it started from another state: --force sends the task (if it was the same, it runs twice).",
    ],
  });
}

/**
 * A submission whose line cannot be read might be one of the very tasks that are about to be sent.
 *
 * @throws JournalError HDP-5006, HDP-5012
 */
export function refuseUnreadable(path: string, damage: readonly DamagedLine[]): void {
  const newer = damage.find((line) => line.kind === "newer");
  if (newer !== undefined) {
    throw new JournalError({
      code: "HDP-5006",
      path: `${path}:${newer.line}`,
      message: `the journal was written by a newer version of hardhat-hdp (${newer.reason}). Nothing was sent.`,
      hints: ["A task that is open there might be sent twice: update hardhat-hdp and run the command again."],
    });
  }
  const damaged = damage.filter((line) => line.kind === "damaged");
  const [first] = damaged;
  if (first === undefined) return;
  const what =
    damaged.length === 1 ? `line ${first.line}` : `${damaged.length} lines, the first of them line ${first.line},`;
  throw new JournalError({
    code: "HDP-5012",
    path: `${path}:${first.line}`,
    message: `${what} of the journal cannot be read (${first.reason}). Nothing was sent.`,
    hints: [
      "It may be about the very tasks that are to be sent, which would then run twice.",
      "See what is lost and what is not: npx hardhat hdp journal --check",
      "Restore the file from a copy, or go on without those lines: npx hardhat hdp journal --repair",
    ],
  });
}
