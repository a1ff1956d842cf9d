import type { Submission } from "../request/lifecycle.js";
import { JournalError } from "./journal-error.js";
import { hintsFor } from "./standing.js";
import type { JournalRecord } from "./journal-record.js";
import type { Journal } from "./journal.js";

/**
 * The submission that a person names: by the journal's id, the service's id or a task hash. Of several with the same
 * task, the newest.
 *
 * @throws JournalError HDP-5010, HDP-5002
 */
export async function findRecord(journal: Pick<Journal, "look">, name: string): Promise<JournalRecord> {
  const look = await journal.look();
  const found = await look.named(name);
  if (found !== undefined) return found;
  throw noSuchSubmission(name, look.size);
}

/** HDP-5010: what a person names is not in the journal. */
export function noSuchSubmission(name: string, size: number): JournalError {
  return new JournalError({
    code: "HDP-5010",
    message: `the journal has no submission "${name}".`,
    hints: [
      "Name a journal id, a service id or a task hash: npx hardhat hdp list shows them.",
      `The journal holds ${size === 1 ? "1 submission" : `${size} submissions`}.`,
    ],
  });
}

/**
 * The submission as the data processor returned it, rebuilt from the journal: waiting goes on with it in any process.
 *
 * @throws JournalError HDP-5009 when it has no service id: it was refused, or its acceptance is not known
 */
export function submissionOf(record: JournalRecord): Submission {
  const { serviceId, serviceProcessor, serviceTaskHashes, destinationChainId, taskHashes } = record;
  if (serviceId === undefined) {
    throw new JournalError({
      code: "HDP-5009",
      message: `submission ${record.id} cannot be resumed: the service's id for it is not known.`,
      hints: hintsFor(record),
    });
  }
  return {
    id: serviceId,
    processor: serviceProcessor ?? record.processor,
    destinationChainId,
    taskHashes,
    ...(serviceTaskHashes === undefined ? {} : { serviceTaskHashes }),
  };
}
