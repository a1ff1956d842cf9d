import { HdpError } from "../../base/errors.js";
import { explain, type Standing } from "../../journal/standing.js";
import type { Journal } from "../../journal/journal.js";
import { checkJournal, type JournalCheck, repairJournal } from "../../journal/journal-check.js";
import type { JournalRecord } from "../../journal/journal-record.js";
import { markLost, recordAccepted } from "../../journal/settle-by-hand.js";
import { findRecord } from "../../journal/find-record.js";
import type { AwaitOptions, TaskResult } from "../../request/lifecycle.js";
import { openJournal } from "../open-journal.js";
import type { Scope, Session } from "../session.js";
import { destinationStore } from "../stores/destination-store.js";
import { submissionActions } from "./submission-actions.js";

export type { CheckedLine, JournalCheck } from "../../journal/journal-check.js";

/** A submission as the journal has it, with where it stands and what can be done, in sentences. */
export interface SubmissionRecord extends JournalRecord {
  readonly explanation: Standing;
}

export interface ResumeOptions extends AwaitOptions {
  /** The service's id of a submission whose answer was lost. */
  readonly accepted?: string | undefined;
  /** Give the submission up: its tasks may be sent again. */
  readonly lost?: boolean | undefined;
}

export interface ResumedSubmission {
  readonly record: SubmissionRecord;
  /** In the order of its task hashes; empty when it was given up. */
  readonly results: readonly TaskResult[];
}

/** `hdp.journal`: what was sent from this project. */
export interface JournalActions {
  /** Every submission, oldest first. */
  readonly list: () => Promise<readonly SubmissionRecord[]>;
  /** Looks at every line of the journal; with `repair`, damage is recorded as known and stops submissions no more. */
  readonly check: (options?: { readonly repair?: boolean }) => Promise<JournalCheck>;
  /**
   * Finishes a submission, named by journal id, service id or task hash, on the network it was made on: awaits it and
   * reads its results. One of unknown outcome is looked up in the execution store.
   */
  readonly resume: (id: string, options?: ResumeOptions) => Promise<ResumedSubmission>;
}

export function journalActions({ session }: Scope): JournalActions {
  return {
    list: async () => {
      const { records } = await openJournal((await session()).config.journal).records();
      return [...records.values()].map(explained);
    },
    check: async ({ repair = false } = {}) => {
      const journal = openJournal((await session()).config.journal);
      return await (repair ? repairJournal(journal) : checkJournal(journal));
    },
    resume: async (id, options = {}) => await resumeSubmission(await session(), id, options),
  };
}

/** Finishes one submission on the network it was made on, or records what a person found out about it. */
async function resumeSubmission(session: Session, id: string, options: ResumeOptions): Promise<ResumedSubmission> {
  const { accepted, lost, ...waiting } = options;
  if (accepted !== undefined && lost === true) throw contradiction();
  const journal = openJournal(session.config.journal);
  if (lost === true) return { record: explained(await markLost(journal, id, "given up by the user")), results: [] };
  const record =
    accepted === undefined
      ? findRecord((await journal.records()).records, id)
      : await recordAccepted(journal, id, accepted);

  const own = await session.on(record.network);
  const isUndecided = record.serviceId === undefined;
  const results = isUndecided ? await fromTheStore(own, journal, record) : undefined;
  if (results !== undefined) return { record: explained(await again(journal, record)), results };
  // What nobody can decide from here is explained by the error of awaiting it.
  const { await: finish, readResult } = submissionActions(own);
  await finish(record.serviceId ?? record.id, waiting);
  const read = await Promise.all(record.taskHashes.map(async (hash) => await readResult(hash)));
  return { record: explained(await again(journal, record)), results: read };
}

/** The results of a submission that nobody has an answer for, when all of them arrived; written into the journal. */
async function fromTheStore(
  session: Session,
  journal: Journal,
  { id, taskHashes, destinationChainId }: JournalRecord,
): Promise<TaskResult[] | undefined> {
  const stores = await destinationStore(destinationChainId, session);
  const store = await stores.openForReading();
  const states = await Promise.all(taskHashes.map(async (hash) => await store.status(hash)));
  if (!states.every((state) => state === "finalized")) return undefined;
  const results = await Promise.all(taskHashes.map(async (hash) => await store.readResult(hash)));
  for (const { taskHash, word, store: address, transactionHash, blockNumber } of results) {
    await journal.append({ event: "result", id, taskHash, word, store: address, transactionHash, blockNumber });
  }
  return results;
}

async function again(journal: Journal, { id }: JournalRecord): Promise<JournalRecord> {
  return findRecord((await journal.records()).records, id);
}

function explained(record: JournalRecord): SubmissionRecord {
  return { ...record, explanation: explain(record) };
}

function contradiction(): HdpError {
  return new HdpError({
    code: "HDP-6040",
    path: "--accepted, --lost",
    message: "a submission can't be both accepted and lost.",
    hints: ["Give one of the two. Nothing was changed."],
  });
}
