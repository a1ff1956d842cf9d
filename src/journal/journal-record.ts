import type { Hex } from "viem";

import type { TaskStatus } from "../request/lifecycle.js";
import type { JournalEntry, ResultEntry, SubmissionTarget } from "./journal-entry.js";
import type { JournaledRequest } from "./journaled-request.js";

/**
 * What is known about a submission.
 * - `intent`: about to be sent; without a later entry it may or may not have been
 * - `open`: accepted, not finished
 * - `unknown`: sent, and no answer says whether it was accepted
 * - `finalized`, `failed`: the data processor is done with it
 * - `refused`: certainly not accepted
 * - `lost`: given up by the user
 */
export type RecordState = "intent" | "open" | "unknown" | "finalized" | "failed" | "refused" | "lost";

export interface ObservedState {
  readonly name: string;
  readonly phase: TaskStatus["phase"];
  readonly at: string;
  readonly detail?: string | undefined;
}

/** A result as journalled: the value is the word. */
export type JournaledResult = Pick<ResultEntry, "taskHash" | "word" | "store" | "transactionHash" | "blockNumber">;

/** One submission, told by its entries. Times are ISO 8601, UTC. */
export interface JournalRecord extends SubmissionTarget {
  readonly id: string;
  readonly state: RecordState;
  readonly taskHashes: readonly Hex[];
  /** What was sent; missing when the intent's line was damaged. */
  readonly request?: JournaledRequest | undefined;
  /** Sent although the same tasks were open, finalized or of unknown outcome. */
  readonly forced: boolean;
  /** The data processor's id: known from acceptance on. */
  readonly serviceId?: string | undefined;
  /** Who accepted it, in the submission's word. */
  readonly serviceProcessor?: string | undefined;
  readonly serviceTaskHashes?: readonly Hex[] | undefined;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Each newly observed state, in order. */
  readonly states: readonly ObservedState[];
  /** By task hash. */
  readonly results: ReadonlyMap<Hex, JournaledResult>;
  /** Why it was refused, is of unknown outcome or was given up. */
  readonly reason?: string | undefined;
}

/** Milliseconds from the first entry to `now`. */
export function ageOf(record: JournalRecord, now: number): number {
  return now - Date.parse(record.firstAt);
}

function start(entry: Extract<JournalEntry, { event: "intent" | "accepted" }>): JournalRecord {
  const { id, at, destinationChainId, processor, network, endpointHost, endpointId, genesis, taskHashes } = entry;
  return {
    ...{ id, destinationChainId, processor, network, endpointHost, taskHashes },
    ...(endpointId === undefined ? {} : { endpointId }),
    ...(genesis === undefined ? {} : { genesis }),
    request: entry.event === "intent" ? entry.request : undefined,
    forced: entry.event === "intent" && entry.forced === true,
    state: "intent",
    firstAt: at,
    lastAt: at,
    states: [],
    results: new Map(),
  };
}

/** Only from these states can an answer to the request, or its absence, be news. */
export const isUndecided = (state: RecordState): boolean => state === "intent" || state === "unknown";

/**
 * Whether something is left to do for a submission: it is not over, or results were not read.
 *
 * @param allRead whether the results of all its tasks are known
 */
export function isUnfinished(state: RecordState, allRead: boolean): boolean {
  return state === "finalized" ? !allRead : state === "open" || isUndecided(state);
}

/** Whether the results of all tasks of a submission are known. */
export function isAllRead({ taskHashes, results }: Pick<JournalRecord, "taskHashes" | "results">): boolean {
  return taskHashes.every((hash) => results.has(hash));
}

/**
 * The state of a submission after one of its entries.
 *
 * @param allRead whether the results of all its tasks are known, with that of the entry
 */
export function stateAfter(state: RecordState, entry: JournalEntry, allRead: boolean): RecordState {
  switch (entry.event) {
    case "intent":
    case "repaired":
    case "call":
    case "call-accepted":
      return state;
    case "accepted":
      return state === "finalized" || state === "failed" ? state : "open";
    case "refused":
    case "unknown":
      return isUndecided(state) ? entry.event : state;
    case "status":
      // Two processes may watch one submission and write out of order: an old "pending" does not undo an end.
      return entry.phase === "pending" ? state : entry.phase;
    case "failed":
      return allRead ? state : "failed";
    case "result":
      return allRead ? "finalized" : state;
    case "lost":
      return isUndecided(state) || state === "open" ? "lost" : state;
  }
}

function advance(before: JournalRecord, entry: JournalEntry): JournalRecord {
  const results = entry.event === "result" ? withResult(before, entry) : before.results;
  const allRead = isAllRead({ ...before, results });
  const record = { ...before, results, state: stateAfter(before.state, entry, allRead) };
  switch (entry.event) {
    case "accepted": {
      const { serviceId, serviceProcessor, serviceTaskHashes } = entry;
      return { ...record, serviceId, serviceProcessor, serviceTaskHashes, reason: undefined };
    }
    case "refused":
    case "unknown":
    case "lost": {
      const isNews = isUndecided(before.state) || (entry.event === "lost" && before.state === "open");
      return isNews ? { ...record, reason: entry.reason } : record;
    }
    case "status":
    case "failed": {
      const phase = entry.event === "failed" ? "failed" : entry.phase;
      const { name, at, detail } = entry;
      return { ...record, states: [...record.states, { name, phase, at, detail }] };
    }
    case "intent":
    case "repaired":
    case "call":
    case "call-accepted":
    case "result":
      return record;
  }
}

function withResult(record: JournalRecord, entry: ResultEntry): JournalRecord["results"] {
  const { taskHash, word, store, transactionHash, blockNumber } = entry;
  return new Map(record.results).set(taskHash, { taskHash, word, store, transactionHash, blockNumber });
}

/**
 * Folds entries, oldest first, into one record for each submission. Pure. Entries of a submission whose intent and
 * acceptance were both damaged are left out: nothing says what they are about.
 */
export function reduce(entries: readonly JournalEntry[]): ReadonlyMap<string, JournalRecord> {
  const records = new Map<string, JournalRecord>();
  addEntries(records, entries);
  return records;
}

/** Folds later entries into records. */
export function addEntries(records: Map<string, JournalRecord>, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    const begins = entry.event === "intent" || entry.event === "accepted";
    const known = records.get(entry.id) ?? (begins ? start(entry) : undefined);
    if (known !== undefined) records.set(entry.id, { ...advance(known, entry), lastAt: entry.at });
  }
}
