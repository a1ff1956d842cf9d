import { capitalize } from "@nomicfoundation/hardhat-utils/string";

import { printable, shellWord } from "../errors/printable.js";
import { type HdpError, isHdpError, pastableName, suggested } from "../errors/hdp-error.js";
import { withHint } from "../service/http/service-errors.js";
import { KINDS } from "./kinds.js";
import {
  isUnfinished,
  shownId,
  type SubmissionRecord,
  submittedHashes,
  type Labelled,
} from "./model.js";

/** A submission's state and the possible next steps, in sentences. */
export interface Recovery {
  readonly summary: string;
  /** One sentence each, with a command to paste. */
  readonly nextSteps: readonly string[];
}

/** Returns a submission's kind and label: "storage proof request proof.json". */
export function describeSubmission({ kind, label }: Labelled): string {
  const { name } = KINDS[kind];
  return label === undefined ? name : `${name} ${printable(label, 200)}`;
}

/** Explains a submission. Pure: the texts hold ids, hashes and the state that the service reported. */
export function explain(record: SubmissionRecord): Recovery {
  const { kind, state, reason, seen, network } = record;
  const to = `${record.host ?? `the ${record.processor} data processor`} at ${isoTime(record.createdAt)}`;
  const because = reason === undefined ? "" : ` (${reason})`;
  const id = record.serviceId ?? record.id;
  const resume = suggested("hdp resume", [pastableName(id, record.id)], { network });
  const again = `Send it again: ${sendAgain(record)}`;
  switch (state) {
    case "claimed": {
      const giveUp = `Give it up: ${suggested("hdp resume", [record.id], { network, after: "--lost" })}`;
      return { summary: "Was not sent: the process ended before it.", nextSteps: [again, giveUp] };
    }
    case "sending":
      return undecided(
        record,
        `Was about to be sent to ${to}; no answer was recorded, so it may have been accepted.`,
      );
    case "unknown":
      return undecided(
        record,
        `Was sent to ${to}, and no answer says whether it was accepted${because}.`,
      );
    case "accepted": {
      if (record.processor === "local") {
        const summary =
          "Computed by the local data processor of another process; where that was ended, it is over.";
        return { summary, nextSteps: [`See whether it is finished: ${resume}`, again] };
      }
      const last =
        seen === undefined ? "accepted" : `"${printable(seen.name, 200)}" at ${isoTime(seen.at)}`;
      const summary = `Accepted as ${printable(id, 200)}, last seen as ${last}.`;
      return { summary, nextSteps: isUnfinished(record) ? [`Wait for it: ${resume}`] : [] };
    }
    case "finalized": {
      if (!isUnfinished(record)) return { summary: KINDS[kind].ended, nextSteps: [] };
      const summary = `Finalized as ${printable(id, 200)}; not every result has been read.`;
      return { summary, nextSteps: [`Read the results: ${resume}`] };
    }
    case "failed": {
      const detail = seen?.detail === undefined ? "" : ` (${seen.detail})`;
      const how = reason === undefined ? ` in state "${seen?.name ?? "failed"}"${detail}` : because;
      const retry = suggested("hdp service-tasks retry", [pastableName(id, record.id)], {
        network,
      });
      const steps = record.processor === "module-tasks" ? [`Start it again there: ${retry}`] : [];
      return { summary: `Failed${how}.`, nextSteps: [...steps, again] };
    }
    case "refused":
      return { summary: `Was not accepted${because}.`, nextSteps: [`Correct the cause. ${again}`] };
    case "lost": {
      const found = record.serviceId === undefined ? [namedLater(record)] : [];
      return { summary: "Given up.", nextSteps: [again, ...found] };
    }
  }
}

/** Returns the command that sends a submission again. The label of tasks is the transaction that asked for them. */
export function sendAgain({ kind, label, network }: SubmissionRecord, flag = ""): string {
  const isRequested = kind === "tasks" && label !== undefined;
  const what = isRequested ? `--request ${shellWord(label)}` : KINDS[kind].takes;
  return suggested(KINDS[kind].command, [], { network, after: `${what}${flag}` });
}

/** Returns the next step where the service has accepted it after all. */
function namedLater({ id, network }: SubmissionRecord): string {
  const after = "--accepted <service id>";
  return `If the service shows it, name its id: ${suggested("hdp resume", [id], { network, after })}`;
}

/** Adds the next steps for a submission that may have been accepted. */
function undecided(record: SubmissionRecord, summary: string): Recovery {
  const { id, kind, network } = record;
  const resume = (after: string): string => suggested("hdp resume", [id], { network, after });
  const { destinationChainId: destination } = record;
  const lookUp = KINDS[kind].lookUp({ id, network, hashes: submittedHashes(record), destination });
  const force = sendAgain(record, " --force");
  const nextSteps = [
    lookUp,
    namedLater(record),
    `Give it up, so that it can be sent again: ${resume("--lost")}`,
    `Send it again: ${force} (if the first was accepted it is done, and charged, twice)`,
  ];
  return { summary, nextSteps };
}

/** Returns when, where and under which id a submission was sent, and its state: "sent … to …, accepted (Opened)". */
export function sentBefore(record: SubmissionRecord): string {
  const { createdAt, host, network, serviceId, state, seen } = record;
  const id = serviceId === undefined ? "" : ` as ${printable(serviceId, 200)}`;
  const last = seen === undefined ? "" : ` (${printable(seen.name, 200)})`;
  return `sent ${isoTime(createdAt)} to ${host ?? "its service"} (network "${printable(network, 100)}")${id}, ${state}${last}`;
}

/** Returns the summary and the next steps of a submission, as hints of an error. */
export function hintsFor(record: SubmissionRecord): string[] {
  const { summary, nextSteps } = explain(record);
  return [`${capitalize(describeSubmission(record))} ${shownId(record)}: ${summary}`, ...nextSteps];
}

/** Returns the error of a failed wait, with what can be done about each submission that failed. */
export function failedAs(error: unknown, records: readonly SubmissionRecord[]): unknown {
  if (!isHdpError(error, "HDP-2091")) return error;
  const steps = records
    .filter(({ state }) => state === "failed")
    .flatMap((record) => explain(record).nextSteps);
  return steps.reduce((failure: HdpError, step) => withHint(failure, step), error);
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
