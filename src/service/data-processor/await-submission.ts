import { pastableName, suggested } from "../../base/suggested.js";
import type { DataProcessor, Submission, TaskStatus, WatchOptions } from "../../request/lifecycle.js";
import { poll, type WaitOptions } from "../http/polling.js";
import { quoted, Redactor } from "../http/secrets.js";
import { TaskFailedError } from "../http/service-errors.js";

/** `onStatus` is told of the first status and of each that differs from the one before in name or detail. */
export type AwaitSubmissionOptions = WaitOptions &
  WatchOptions & {
    /** The Hardhat network that a suggested command names. */
    readonly network?: string | undefined;
  };

export interface FinishedSubmission extends Submission {
  readonly status: TaskStatus;
}

/**
 * Waits until a submission is finalized: a first look at once, then pauses from 0.5 s that grow all the time, at most
 * 40 looks in an hour (formula: src/service/polling.ts).
 *
 * Throws a TaskFailedError with the data processor's own words when it failed, a ServiceTimeoutError at the time limit,
 * a CallAbortedError by the signal, and what `status` throws when it is not transient (wrong key, unknown id, …).
 */
export async function awaitSubmission(
  processor: Pick<DataProcessor, "status">,
  submission: Submission,
  options: AwaitSubmissionOptions = {},
): Promise<FinishedSubmission> {
  let told: TaskStatus | undefined;
  const status = await poll<TaskStatus>(
    {
      look: async (call) => {
        const seen = await processor.status(submission, call);
        if (seen.name !== told?.name || seen.detail !== told.detail) options.onStatus?.(seen);
        told = seen;
        return seen;
      },
      done: (seen) => seen.phase !== "pending",
      what: `submission ${submission.id}`,
      describe: (seen) => `its last state was ${seen.name}`,
      comeBack: `Wait for it again with its id: ${suggested("hdp:await", [pastableName(submission.id, submission.taskHashes[0])], options)}`,
    },
    options,
  );
  if (status.phase === "finalized") return { ...submission, status };
  throw new TaskFailedError({
    code: "HDP-2091",
    message: `submission ${submission.id} failed in state ${status.name}.`,
    hints: ["No result will be stored for its tasks. Correct the cause and submit them again, or retry the task."],
    serviceWords: quoted(status.detail ?? "", new Redactor()),
  });
}
