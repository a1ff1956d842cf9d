import { printable } from "../errors/printable.js";
import { type HdpError, hdpError, isHdpError, suggested } from "../errors/hdp-error.js";
import { withHint } from "../service/http/service-errors.js";
import { KINDS } from "./kinds.js";
import { requireRecord } from "./lookup.js";
import {
  isLive,
  isUnfinished,
  shownId,
  STATES,
  type SubmissionRecord,
  type SubmissionState,
} from "./model.js";
import type { Pipeline } from "./pipeline.js";
import { explain, hintsFor, describeSubmission, sendAgain } from "./recovery.js";
import type { StoredSubmission } from "./stored-submission.js";
import type { SubmissionStore } from "./submission-store.js";

/** Returns HDP-5009: a submission that cannot be awaited. */
export function notResumable(
  record: SubmissionRecord,
  why = ", and the service's id for it is not known",
): HdpError {
  const { state, serviceId } = record;
  const missing = serviceId === undefined ? why : undefined;
  return hdpError(
    "HDP-5009",
    { what: describeSubmission(record), id: shownId(record), state: STATES[state].shown, missing },
    { hints: hintsFor(record) },
  );
}

/** Returns HDP-5017: an id that is not the submission's at its service. */
export function notItsId(record: SubmissionRecord, serviceId: string, reason: string): HdpError {
  const what = KINDS[record.kind].hasResults
    ? `submission ${printable(record.serviceId ?? record.id, 200)}`
    : describeSubmission(record);
  return hdpError("HDP-5017", { id: printable(serviceId, 200), what, reason });
}

/** Returns HDP-5009: a submission for a chain that no longer exists. */
export function ofChainBefore(record: SubmissionRecord): HdpError {
  const id = shownId(record);
  const state = STATES[record.state].shown;
  const missing = ", and its chain has started anew since";
  const isOpen = allowed("lost", record).includes(record.state);
  return hdpError(
    "HDP-5009",
    { what: describeSubmission(record), id, state, missing },
    { hints: [isOpen ? giveUp(record) : `Submit it again: ${sendAgain(record)}`] },
  );
}

function giveUp({ id, network }: SubmissionRecord): string {
  return `Give it up, so that it can be sent again: ${suggested("hdp resume", [id], { network, after: "--lost" })}`;
}

/** Returns the error, with the next step where a service (a development server without data) has forgotten a submission. */
export function forgotten(error: unknown, record: SubmissionRecord | undefined): unknown {
  if (!isHdpError(error, "HDP-2040") || record === undefined) return error;
  if (!isLive(record) || !isUnfinished(record)) return error;
  return withHint(
    withHint(error, "The service may have forgotten the submission."),
    giveUp(record),
  );
}

/** What a person found out of a submission of unknown outcome. */
export interface SubmissionFinding {
  readonly as: "lost" | "accepted";
  /** The service's id of an accepted submission. */
  readonly serviceId?: string | undefined;
  readonly reason?: string | undefined;
}

/** Returns the states that a finding may change; a submission that was accepted meanwhile is not given up. */
function allowed(
  as: SubmissionFinding["as"],
  record: SubmissionRecord,
): readonly SubmissionState[] {
  const { state } = record;
  // An accepted submission too: its id may have been mistyped.
  if (as === "accepted") return ["sending", "unknown", "lost", "accepted", "finalized", "failed"];
  if (state === "accepted" || (state === "finalized" && isUnfinished(record))) return [state];
  return ["claimed", "sending", "unknown"];
}

/**
 * Records a user's or a registry's finding about a submission. Waits, for at most the pipeline's patience, for the
 * answer to one that is being sent: a finding from before the answer does not prove that it was not accepted.
 * @throws HdpError HDP-5011 where its state does not allow it
 */
export async function settle(
  store: SubmissionStore,
  pipeline: Pipeline,
  named: SubmissionRecord,
  { as, serviceId, reason }: SubmissionFinding,
): Promise<StoredSubmission> {
  const { id, kind } = named;
  const wasBeingSent = pipeline.isBeingSent(requireRecord(store, id));
  const isAnswered = await pipeline.whenSent([id]).then(
    () => wasBeingSent,
    (error: unknown) => {
      // The sender may be on another machine, where this process cannot check whether it still runs.
      if (isHdpError(error, "HDP-5003")) return false;
      throw error;
    },
  );
  const isEarly = isAnswered && as !== "accepted";
  // The statement that changes the state also checks it: an answer that arrived meanwhile is not overwritten.
  const isMoved = store.transaction(() => {
    // A submission whose results were read has ended, whatever its id.
    const hasEnded =
      KINDS[kind].ends === "at-once" ||
      requireRecord(store, id).parts.every(({ word }) => word !== undefined);
    const to = as === "accepted" && hasEnded ? "finalized" : as;
    return !isEarly && store.move(id, allowed(as, named), to, { serviceId, reason });
  });
  const record = requireRecord(store, id);
  if (isMoved) return record;
  const hints = isEarly ? [`It was being sent when this was said. ${explain(record).summary}`] : [];
  throw hdpError(
    "HDP-5011",
    { what: describeSubmission(record), id: shownId(record), state: record.state, wanted: as },
    { hints },
  );
}

/**
 * Records that a registry has the program of an upload whose answer was lost. A registry that does not know it proves
 * nothing: the upload may still arrive.
 * @throws HdpError HDP-5009 where it does not, or none is configured
 */
export async function settleByRegistry(
  store: SubmissionStore,
  pipeline: Pipeline,
  record: SubmissionRecord,
  metadata: (programHash: string) => Promise<unknown>,
): Promise<void> {
  const hash = record.parts[0]?.hash ?? "";
  await metadata(hash).catch((error: unknown) => {
    if (isHdpError(error, "HDP-2041"))
      throw notResumable(record, ", and the registry does not know the program");
    throw isHdpError(error, "HDP-2004") ? notResumable(record) : error;
  });
  await settle(store, pipeline, record, { as: "accepted", serviceId: hash });
}
