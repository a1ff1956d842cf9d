import type { CallTarget, JournalEntry } from "./journal-entry.js";
import { isUndecided, type ObservedState, type RecordState } from "./journal-record.js";

/**
 * Something that was sent to a service beside tasks: a storage proof request, a program, a grow order. States are those
 * of submissions; a program is `finalized` as soon as it is accepted, a grow order stays `open`. Times are ISO 8601, UTC.
 */
export interface CallRecord extends CallTarget {
  readonly id: string;
  readonly state: RecordState;
  readonly forced: boolean;
  /** What the service calls it: a request's id, a program's hash. */
  readonly serviceId?: string | undefined;
  readonly firstAt: string;
  readonly lastAt: string;
  /** Each newly observed state, in order. */
  readonly states: readonly ObservedState[];
  /** Why it was refused, is of unknown outcome or was given up. */
  readonly reason?: string | undefined;
}

function start(entry: Extract<JournalEntry, { event: "call" | "call-accepted" }>): CallRecord {
  const { id, at, kind, network, endpointHost, endpointId, content, label } = entry;
  return {
    ...{ id, kind, network, content },
    ...(endpointHost === undefined ? {} : { endpointHost }),
    ...(endpointId === undefined ? {} : { endpointId }),
    ...(label === undefined ? {} : { label }),
    forced: entry.event === "call" && entry.forced === true,
    ...{ state: "intent", firstAt: at, lastAt: at, states: [] },
  };
}

function advance(record: CallRecord, entry: JournalEntry): CallRecord {
  const { state } = record;
  switch (entry.event) {
    case "call-accepted": {
      const accepted = record.kind === "program" ? "finalized" : "open";
      const isDone = state === "finalized" || state === "failed";
      return { ...record, serviceId: entry.serviceId, state: isDone ? state : accepted, reason: undefined };
    }
    case "refused":
    case "unknown":
      return isUndecided(state) ? { ...record, state: entry.event, reason: entry.reason } : record;
    case "status":
    case "failed": {
      const phase = entry.event === "failed" ? "failed" : entry.phase;
      const seen: ObservedState = { name: entry.name, phase, at: entry.at, detail: entry.detail };
      const states = [...record.states, seen];
      // Two processes may watch one request and write out of order: an old "pending" does not undo an end.
      return { ...record, states, state: phase === "pending" ? state : phase };
    }
    case "lost":
      return { ...record, state: "lost", reason: entry.reason };
    case "call":
    case "intent":
    case "accepted":
    case "result":
    case "repaired":
      return record;
  }
}

/** Folds later entries into the records of calls; what is about tasks is passed over. */
export function addCallEntries(records: Map<string, CallRecord>, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    const begins = entry.event === "call" || entry.event === "call-accepted";
    const known = records.get(entry.id) ?? (begins ? start(entry) : undefined);
    if (known !== undefined) records.set(entry.id, { ...advance(known, entry), lastAt: entry.at });
  }
}

/** The call that a person names, by the journal's id or the service's; of several the newest. */
export function findCall(records: ReadonlyMap<string, CallRecord>, name: string): CallRecord | undefined {
  return records.get(name) ?? [...records.values()].findLast((record) => record.serviceId === name);
}
