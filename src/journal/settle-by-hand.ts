import { type CallRecord, findCall } from "./call-record.js";
import { JournalError } from "./journal-error.js";
import type { Journal } from "./journal.js";
import type { JournalRecord, RecordState } from "./journal-record.js";
import { findRecord, noSuchSubmission } from "./find-record.js";

function wrongState(record: Pick<JournalRecord, "id" | "state">, change: string): JournalError {
  return new JournalError({
    code: "HDP-5011",
    message: `submission ${record.id} is ${record.state} and cannot be ${change}.`,
    hints: ["Nothing was changed: npx hardhat hdp list shows where each submission stands."],
  });
}

async function change(
  journal: Journal,
  name: string,
  allowed: readonly RecordState[],
  what: string,
  write: (record: JournalRecord) => Promise<void>,
): Promise<JournalRecord> {
  // What is being sent right now is not undecided: its answer is waited for.
  await journal.whenSent((await findRecord(journal, name)).id);
  return await journal.exclusively(async () => {
    const record = await findRecord(journal, name);
    if (!allowed.includes(record.state)) throw wrongState(record, what);
    await write(record);
    return await findRecord(journal, record.id);
  });
}

/**
 * Gives a submission up: its tasks may be sent again. Its record stays, and a result that arrives later is still kept.
 *
 * @param name journal id, service id or task hash
 * @throws JournalError HDP-5010 when there is none, HDP-5011 when it is finished already
 */
export async function markLost(journal: Journal, name: string, reason?: string): Promise<JournalRecord> {
  return await change(journal, name, ["intent", "unknown", "open"], "marked as lost", async ({ id }) => {
    await journal.append({ event: "lost", id, reason });
  });
}

/**
 * Records that the service did accept a submission whose answer was lost, under the id that the service shows for it.
 *
 * @param name journal id or task hash
 * @throws JournalError HDP-5010 when there is none, HDP-5011 when it is not of unknown outcome
 */
export async function recordAccepted(journal: Journal, name: string, serviceId: string): Promise<JournalRecord> {
  return await change(journal, name, ["intent", "unknown", "lost"], "recorded as accepted", async (record) => {
    const { id, destinationChainId, processor, network, endpointHost, endpointId, genesis, taskHashes } = record;
    await journal.append({
      event: "accepted",
      ...{ id, destinationChainId, processor, network, endpointHost, endpointId, genesis, taskHashes },
      serviceId,
      serviceProcessor: record.serviceProcessor ?? processor,
    });
  });
}

async function changeCall(
  journal: Journal,
  name: string,
  { allowed, what }: { readonly allowed: readonly RecordState[]; readonly what: string },
  write: (record: CallRecord) => Promise<void>,
): Promise<CallRecord> {
  await journal.whenSent((await callNamed(journal, name)).id);
  return await journal.exclusively(async () => {
    const record = await callNamed(journal, name);
    if (!allowed.includes(record.state)) throw wrongState(record, what);
    await write(record);
    return await callNamed(journal, record.id);
  });
}

/** @throws JournalError HDP-5010 when the journal has no call of that id */
export async function callNamed(journal: Journal, name: string): Promise<CallRecord> {
  const look = await journal.look();
  const found = findCall(await look.callsNamed(name), name);
  if (found === undefined) throw noSuchSubmission(name, look.callCount);
  return found;
}

/** Gives a call up: it may be sent again. @throws as {@link markLost} */
export async function markCallLost(journal: Journal, name: string, reason: string): Promise<CallRecord> {
  const change = { allowed: ["intent", "unknown", "open"], what: "marked as lost" } as const;
  return await changeCall(journal, name, change, async ({ id }) => {
    await journal.append({ event: "lost", id, reason });
  });
}

/** Records that the service did accept a call whose answer was lost. @throws as {@link recordAccepted} */
export async function recordCallAccepted(journal: Journal, name: string, serviceId: string): Promise<CallRecord> {
  const change = { allowed: ["intent", "unknown", "lost"], what: "recorded as accepted" } as const;
  return await changeCall(journal, name, change, async (record) => {
    const { id, kind, network, endpointHost, endpointId, content, label } = record;
    const target = { id, kind, network, endpointHost, endpointId, content, label };
    await journal.append({ event: "call-accepted", ...target, serviceId });
  });
}

/** Records that the service did not accept a call whose answer was lost. @throws as {@link recordAccepted} */
export async function recordCallRefused(journal: Journal, name: string, reason: string): Promise<CallRecord> {
  const change = { allowed: ["intent", "unknown"], what: "recorded as refused" } as const;
  return await changeCall(journal, name, change, async ({ id }) => {
    await journal.append({ event: "refused", id, reason });
  });
}
