import { suggested } from "../errors/suggested.js";
import { printable } from "../base/text.js";
import type { JournalRecord } from "./journal-record.js";

/** Something a person can do about a submission. */
export interface WayOut {
  readonly kind: "look-up" | "attach" | "mark-lost" | "send-again" | "await";
  readonly text: string;
}

/** Where a submission stands and what can be done, in sentences. */
export interface Standing {
  readonly summary: string;
  readonly waysOut: readonly WayOut[];
}

function undecidedWays(record: JournalRecord): WayOut[] {
  const { id, network } = record;
  const resume = (after: string): string => suggested("hdp resume", [id], { network, after });
  return [
    {
      kind: "look-up",
      text: `Look whether the results arrived on ${record.destinationChainId}: ${record.taskHashes.map((hash) => suggested("hdp:result", [hash], { network })).join(", ")}`,
    },
    {
      kind: "attach",
      text: `If the service shows the submission, name its id: ${resume("--accepted <service id>")}`,
    },
    {
      kind: "mark-lost",
      text: `Give it up: ${resume("--lost")} (the tasks can then be sent again).`,
    },
    {
      kind: "send-again",
      text: `Send the tasks again: ${suggested("hdp:submit", [], { network, after: "<task file> --force" })} (if the first submission was accepted they run twice).`,
    },
  ];
}

/** What is said of tasks and calls that no answer accepted. @param to where and when they were sent */
export function notAccepted(
  { reason }: Pick<JournalRecord, "reason">,
  state: "intent" | "unknown" | "refused" | "lost",
  to: string,
): string {
  const because = reason === undefined ? "" : ` (${reason})`;
  switch (state) {
    case "intent":
      return `Was about to be sent to ${to}; the process ended before the answer was recorded, so it may have been accepted.`;
    case "unknown":
      return `Was sent to ${to}, and no answer says whether it was accepted${because}.`;
    case "refused":
      return `Was not accepted${because}.`;
    case "lost":
      return `Given up${because}.`;
  }
}

/** Explains a record. Pure; the texts hold task hashes and ids only. */
export function explain(record: JournalRecord): Standing {
  const to = `${record.endpointHost ?? record.processor} at ${record.firstAt}`;
  const id = record.serviceId ?? record.id;
  const { state } = record;
  const last = record.states.at(-1);
  switch (state) {
    case "intent":
    case "unknown":
      return { summary: notAccepted(record, state, to), waysOut: undecidedWays(record) };
    case "open":
      return {
        summary: `Accepted as ${printable(id)}, last seen as ${last === undefined ? "accepted" : `"${last.name}"`} at ${record.lastAt}.`,
        waysOut: [{ kind: "await", text: `Wait for it: ${suggested("hdp resume", [id], record)}` }],
      };
    case "finalized": {
      const isRead = record.taskHashes.every((hash) => record.results.has(hash));
      return isRead
        ? { summary: `Finalized, and every result was read.`, waysOut: [] }
        : {
            summary: `Finalized as ${printable(id)}; not every result has been read.`,
            waysOut: [{ kind: "await", text: `Read the results: ${suggested("hdp resume", [id], record)}` }],
          };
    }
    case "failed":
      return {
        summary: `Failed in state "${last?.name ?? "failed"}"${last?.detail === undefined ? "" : ` (${last.detail})`}.`,
        waysOut: [{ kind: "send-again", text: "Submit the task file again: a failed task is sent without --force." }],
      };
    case "refused":
      return {
        summary: notAccepted(record, state, to),
        waysOut: [{ kind: "send-again", text: "Correct the cause and submit the task file again." }],
      };
    case "lost":
      return {
        summary: notAccepted(record, state, to),
        waysOut: [{ kind: "send-again", text: "Submit the task file again: a lost task is sent without --force." }],
      };
  }
}

/** An explanation's ways out as an error's hints. */
export function hintsFor(record: JournalRecord): string[] {
  const { summary, waysOut } = explain(record);
  return [`Submission ${record.id}: ${summary}`, ...waysOut.map((way) => way.text)];
}
