import type { AwaitOptions } from "../request/data-processor.js";
import type { TaskResult } from "../request/task-result.js";
import { type SubmissionRecord, submittedHashes } from "./model.js";
import type { Records } from "./records.js";
import { notResumable, ofChainBefore } from "./settle.js";
import type { Submissions, SubmissionsOptions } from "./submissions.js";

/**
 * Finishes a recorded submission and returns its results; of one that was not confirmed as accepted, those that have
 * arrived.
 * @throws HdpError HDP-5009 where they have not, or where the chain has started anew; the errors of `finish`
 */
export async function finishRecorded(
  submissions: Submissions,
  records: Records,
  record: SubmissionRecord,
  options: AwaitOptions,
): Promise<readonly TaskResult[]> {
  const results = await finalResults(submissions, record, options);
  // A newer submission of the same tasks may be for a chain before a restart.
  records.observe((rows) => rows.recordResults(record.id, results));
  return results;
}

/** Waits for a submission that has an id of the service, and returns its results; of another those that the store has. */
async function finalResults(
  submissions: Submissions,
  record: SubmissionRecord,
  options: AwaitOptions,
): Promise<readonly TaskResult[]> {
  const { id, destinationChainId, serviceId } = record;
  if (serviceId !== undefined) {
    const finished = await submissions.finish(submissions.find(id), options);
    return await finished.results();
  }
  const submission = { id, destinationChainId, taskHashes: submittedHashes(record), parts: [] };
  if ((await submissions.status(submission)).phase !== "finalized") throw notResumable(record);
  return await submissions.results(submission);
}

/** Throws for a submission for a chain that has started anew since. @throws HdpError HDP-5009 */
export async function requireSameChain(
  record: SubmissionRecord,
  destination: SubmissionsOptions["destination"],
): Promise<void> {
  const chain = await (await destination(record.destinationChainId)).chain();
  const isSame = record.genesis === undefined || record.genesis === chain.genesis;
  if (chain.startsAnew && !isSame) throw ofChainBefore(record);
}
