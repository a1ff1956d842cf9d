import { HdpError, isHdpError } from "../../errors/hdp-error.js";
import type { CallRecord } from "../../journal/call-record.js";
import { explainCall, hintsForCall, nameOfCall, stateOfCall } from "../../journal/call-standing.js";
import { explain, type Standing } from "../../journal/standing.js";
import type { Journal } from "../../journal/journal.js";
import { checkJournal, type JournalCheck, repairJournal } from "../../journal/journal-check.js";
import { isUndecided, type JournalRecord } from "../../journal/journal-record.js";
import {
  callNamed,
  markCallLost,
  markLost,
  recordAccepted,
  recordCallAccepted,
  recordCallRefused,
} from "../../journal/settle-by-hand.js";
import { findRecord } from "../../journal/find-record.js";
import type { AwaitOptions, TaskResult } from "../../request/lifecycle.js";
import type { AwaitRequestOptions, StorageProofQuery } from "../../service/storage-proof.js";
import { journalOf } from "../open-journal.js";
import { programRegistry } from "../service-clients.js";
import type { Scope, Session } from "../session.js";
import { destinationStore } from "../stores/destination-store.js";
import { growOrderActions, storageProofActions } from "./storage-proof-actions.js";
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

/** What was sent beside tasks, with where it stands and what can be done, in sentences. */
export interface SentCall extends CallRecord {
  readonly explanation: Standing;
}

export interface ResumeCallOptions extends Pick<ResumeOptions, "accepted" | "lost" | "signal" | "timeout"> {
  /** Told of a storage proof request's queries, as `hdp.storageProof.awaitRequest` does. */
  readonly onQueries?: AwaitRequestOptions["onQueries"];
}

export interface ResumedCall {
  readonly record: SentCall;
  /** Of a storage proof request that was awaited. */
  readonly queries?: readonly StorageProofQuery[];
  /** A grow order as the service shows it. */
  readonly order?: unknown;
}

export interface ResumedSubmission {
  readonly record: SubmissionRecord;
  /** In the order of its task hashes; empty when it was given up. */
  readonly results: readonly TaskResult[];
}

/** `hdp.journal`: what was sent from this project. */
export interface JournalActions {
  /**
   * Every submission, oldest first; with `unfinished` those for which something is left to do: not over, or results not
   * read. Of a long journal these are found without reading the others.
   */
  readonly list: (options?: { readonly unfinished?: boolean }) => Promise<readonly SubmissionRecord[]>;
  /** Looks at every line of the journal; with `repair`, damage is recorded as known and stops submissions no more. */
  readonly check: (options?: { readonly repair?: boolean }) => Promise<JournalCheck>;
  /**
   * Finishes a submission, named by journal id, service id or task hash, on the network it was made on: awaits it and
   * reads its results. One of unknown outcome is looked up in the execution store.
   */
  readonly resume: (id: string, options?: ResumeOptions) => Promise<ResumedSubmission>;
  /** Storage proof requests, uploaded programs and grow orders, oldest first. */
  readonly calls: () => Promise<readonly SentCall[]>;
  /**
   * Finishes one of them, named by journal id or service id, on the network it was sent on: awaits a storage proof
   * request, reads a grow order, asks the registry for a program.
   */
  readonly resumeCall: (id: string, options?: ResumeCallOptions) => Promise<ResumedCall>;
}

export function journalActions({ session }: Scope): JournalActions {
  return {
    list: async ({ unfinished = false } = {}) => {
      const journal = journalOf(await session());
      if (unfinished) return (await (await journal.look()).unfinished()).map(explained);
      const { records } = await journal.records();
      return [...records.values()].map(explained);
    },
    check: async ({ repair = false } = {}) => {
      const journal = journalOf(await session());
      return await (repair ? repairJournal(journal) : checkJournal(journal));
    },
    resume: async (id, options = {}) => await resumeSubmission(await session(), id, options),
    calls: async () => {
      const calls = await (await journalOf(await session()).look()).calls();
      return [...calls.values()].map(explainedCall);
    },
    resumeCall: async (id, options = {}) => await resumeCall(await session(), id, options),
  };
}

/** Finishes one submission on the network it was made on, or records what a person found out about it. */
async function resumeSubmission(session: Session, id: string, options: ResumeOptions): Promise<ResumedSubmission> {
  const { accepted, lost, ...waiting } = options;
  if (accepted !== undefined && lost === true) throw contradiction();
  const journal = journalOf(session);
  if (lost === true) return { record: explained(await markLost(journal, id, "given up by the user")), results: [] };
  const record = accepted === undefined ? await findRecord(journal, id) : await recordAccepted(journal, id, accepted);

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

/** Finishes one call on the network it was sent on, or records what a person found out about it. */
async function resumeCall(session: Session, id: string, options: ResumeCallOptions): Promise<ResumedCall> {
  const { accepted, lost, timeout, signal, onQueries } = options;
  if (accepted !== undefined && lost === true) throw contradiction();
  const journal = journalOf(session);
  if (lost === true) return { record: explainedCall(await markCallLost(journal, id, "given up by the user")) };
  const record =
    accepted === undefined ? await callNamed(journal, id) : await recordCallAccepted(journal, id, accepted);
  const own = await session.on(record.network);
  const now = async (): Promise<SentCall> => explainedCall(await callNamed(journal, record.id));
  const isLive = record.state === "open" || record.state === "finalized";
  if (record.kind === "program" && isUndecided(record.state)) {
    return { record: explainedCall(await askedRegistry(own, journal, record)) };
  }
  if (!isLive || record.serviceId === undefined) throw notResumable(record);
  const { awaitRequest } = storageProofActions(own);
  switch (record.kind) {
    case "program":
      return { record: await now() };
    case "grow-order": {
      const order = await growOrderActions(own).read(record.serviceId, { signal });
      return { record: await now(), order };
    }
    case "storage-proof": {
      const limit = timeout === undefined ? {} : { timeout };
      const queries = await awaitRequest(record.serviceId, { ...limit, signal, onQueries });
      return { record: await now(), queries };
    }
  }
}

/** Whether a program whose answer was lost was stored: the registry knows it, or does not. */
async function askedRegistry(session: Session, journal: Journal, record: CallRecord): Promise<CallRecord> {
  const { client } = await programRegistry(session);
  try {
    await client.metadata(record.content);
    return await recordCallAccepted(journal, record.id, record.content);
  } catch (error) {
    if (isHdpError(error, "HDP-2041")) {
      return await recordCallRefused(journal, record.id, "the registry does not know the program");
    }
    if (isHdpError(error, "HDP-2004")) throw notResumable(record);
    throw error;
  }
}

function notResumable(record: CallRecord): HdpError {
  return new HdpError({
    code: "HDP-5009",
    message: `${nameOfCall(record)} ${record.id} cannot be resumed: it is ${stateOfCall(record)}${record.serviceId === undefined ? ", and the service's id for it is not known" : ""}.`,
    hints: hintsForCall(record),
  });
}

/** The results of a submission that nobody has an answer for, when all of them arrived; written into the journal. */
async function fromTheStore(
  session: Session,
  journal: Journal,
  { id, taskHashes, destinationChainId }: JournalRecord,
): Promise<readonly TaskResult[] | undefined> {
  const stores = await destinationStore(destinationChainId, session);
  const store = await stores.openForReading();
  const states = await store.statuses(taskHashes);
  if (!states.every((state) => state === "finalized")) return undefined;
  const results = await store.readResults(taskHashes);
  for (const { taskHash, word, store: address, transactionHash, blockNumber } of results) {
    await journal.append({ event: "result", id, taskHash, word, store: address, transactionHash, blockNumber });
  }
  return results;
}

async function again(journal: Journal, { id }: JournalRecord): Promise<JournalRecord> {
  return await findRecord(journal, id);
}

function explained(record: JournalRecord): SubmissionRecord {
  return { ...record, explanation: explain(record) };
}

function explainedCall(record: CallRecord): SentCall {
  return { ...record, explanation: explainCall(record) };
}

function contradiction(): HdpError {
  return new HdpError({
    code: "HDP-6040",
    path: "--accepted, --lost",
    message: "a submission can't be both accepted and lost.",
    hints: ["Give one of the two. Nothing was changed."],
  });
}
