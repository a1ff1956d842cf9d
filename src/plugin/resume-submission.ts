import type { HookContext } from "hardhat/types/hooks";
import type { NetworkConnection } from "hardhat/types/network";

import { explain } from "../journal/explain.js";
import type { JournalRecord } from "../journal/record.js";
import type { Journal } from "../journal/journal.js";
import { markLost, recordAccepted } from "../journal/resolve.js";
import { findRecord } from "../journal/resume.js";
import { HdpError } from "../base/errors.js";
import type { TaskResult } from "../request/lifecycle.js";
import type { ResumedSubmission, ResumeOptions, SubmissionRecord } from "./action-types.js";
import { destinationStore } from "./destination-store.js";
import { openJournal } from "./open-journal.js";

/** Every submission of the journal that a connection's network writes to, oldest first. */
export async function listSubmissions(connection: NetworkConnection<string>): Promise<readonly SubmissionRecord[]> {
  const { records } = await openJournal(connection.networkConfig.hdp.journal).records();
  return [...records.values()].map(explained);
}

/** Finishes one submission on the network it was made on, or records what a person found out about it. */
export async function resumeSubmission(
  context: HookContext,
  connection: NetworkConnection<string>,
  id: string,
  options: ResumeOptions,
): Promise<ResumedSubmission> {
  const { accepted, lost, ...waiting } = options;
  if (accepted !== undefined && lost === true) throw contradiction();
  const journal = openJournal(connection.networkConfig.hdp.journal);
  if (lost === true) return { record: explained(await markLost(journal, id, "given up by the user")), results: [] };
  const record =
    accepted === undefined
      ? findRecord((await journal.records()).records, id)
      : await recordAccepted(journal, id, accepted);

  const own = await connectionOf(record, context, connection);
  const isUndecided = record.serviceId === undefined;
  const results = isUndecided ? await fromTheStore(context, own, journal, record) : undefined;
  if (results !== undefined) return { record: explained(await again(journal, record)), results };
  // What nobody can decide from here is explained by the error of awaiting it.
  await own.hdp.await(record.serviceId ?? record.id, waiting);
  const read = await Promise.all(record.taskHashes.map(async (hash) => await own.hdp.readResult(hash)));
  return { record: explained(await again(journal, record)), results: read };
}

/** The connection of the network a submission was made on. */
async function connectionOf(
  record: JournalRecord,
  context: HookContext,
  connection: NetworkConnection<string>,
): Promise<NetworkConnection<string>> {
  if (record.network === connection.networkName) return connection;
  return await context.network.getOrCreate(record.network);
}

/** The results of a submission that nobody has an answer for, when all of them arrived; written into the journal. */
async function fromTheStore(
  context: HookContext,
  connection: NetworkConnection<string>,
  journal: Journal,
  { id, taskHashes, destinationChainId }: JournalRecord,
): Promise<TaskResult[] | undefined> {
  const stores = await destinationStore(destinationChainId, connection, context);
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
