import { hdpError, type HdpError, isHdpError } from "../errors/hdp-error.js";
import { plural } from "../base/text.js";
import { isTaskHash, type SubmissionRecord, type SubmissionState } from "./model.js";
import type { Pipeline } from "./pipeline.js";
import { hintsFor, nameOf } from "./recovery.js";
import type { StoredSubmission, SubmissionStore } from "./store.js";

/** Characters of the beginning of an id that are enough where they fit one submission only. */
const MIN_PREFIX = 4;

/**
 * The submission that a name stands for: an id of ours or of its service, the beginning of one, or a task hash. Services
 * count alike, and a task may have gone to several: those that are `here` go before others, accepted ones before those
 * that were not, newer ones before older ones.
 */
export function recordNamed(
  store: SubmissionStore,
  name: string,
  isHere: (record: SubmissionRecord) => boolean = () => true,
): StoredSubmission | undefined {
  const own = store.byId(name);
  if (own !== undefined) return own;
  if (isTaskHash(name)) return preferred(store.withHashes([name]), isHere);
  const accepted = preferred(store.withServiceId(name), isHere);
  if (accepted !== undefined || name.length < MIN_PREFIX) return accepted;
  const beginning = store.withPrefix(name);
  return beginning.length === 1 ? beginning[0] : undefined;
}

function preferred(
  records: readonly StoredSubmission[],
  isHere: (record: SubmissionRecord) => boolean,
): StoredSubmission | undefined {
  const here = records.filter(isHere);
  const concerned = here.length > 0 ? here : records;
  return concerned.findLast(({ serviceId }) => serviceId !== undefined) ?? concerned.at(-1);
}

/** @throws HdpError HDP-5010 where there is no such submission */
export function requireRecord(store: SubmissionStore, name: string): StoredSubmission {
  const record = recordNamed(store, name);
  if (record === undefined) throw noSuchSubmission(store, name);
  return record;
}

export function noSuchSubmission(store: SubmissionStore, name: string): HdpError {
  const count = `This project has ${plural(store.size, "submission")}.`;
  return hdpError("HDP-5010", { name, count });
}

/** HDP-5009: a submission that cannot be waited for. */
export function notResumable(record: SubmissionRecord): HdpError {
  const { id, state, serviceId } = record;
  const missing = serviceId === undefined ? ", and the service's id for it is not known" : undefined;
  return hdpError("HDP-5009", { what: nameOf(record), id, state, missing }, { hints: hintsFor(record) });
}

/** What a person found out about a submission. */
export interface Finding {
  readonly as: "lost" | "accepted" | "refused";
  /** The service's id of one that was accepted. */
  readonly serviceId?: string | undefined;
  readonly reason?: string | undefined;
}

const ALLOWED: Readonly<Record<Finding["as"], readonly SubmissionState[]>> = {
  lost: ["claimed", "sending", "unknown", "accepted"],
  accepted: ["sending", "unknown", "lost"],
  refused: ["sending", "unknown"],
};

/**
 * Records what a person, or a registry, says of a submission. The answer to one that is being sent is waited for, as long
 * as the pipeline's patience lasts.
 *
 * @throws HdpError HDP-5011 where its state does not allow it
 */
export async function settle(
  store: SubmissionStore,
  pipeline: Pipeline,
  { id, kind }: SubmissionRecord,
  { as, serviceId, reason }: Finding,
): Promise<StoredSubmission> {
  // The sender may be of another machine, where nobody here can say whether it still runs.
  await pipeline.whenSent([id]).catch((error: unknown) => {
    if (!isHdpError(error, "HDP-5003")) throw error;
  });
  const to = as === "accepted" && kind === "program" ? "finalized" : as;
  // The state is looked at in the statement that changes it: what was answered meanwhile is not overwritten.
  const isMoved = store.move(id, ALLOWED[as], to, { serviceId, reason });
  const record = requireRecord(store, id);
  if (isMoved) return record;
  throw hdpError("HDP-5011", { what: nameOf(record), id, state: record.state, wanted: as });
}
