import { notAllowed } from "../../errors/hdp-error.js";
import type { AwaitOptions } from "../../request/data-processor.js";
import type { TaskResult } from "../../request/task-result.js";
import type { AwaitRequestOptions, StorageProofQuery } from "../../service/storage-proof.js";
import { requireRecord } from "../../submission/lookup.js";
import type { SubmissionRecord } from "../../submission/model.js";
import type { SubmissionFilter } from "../../submission/submission-search.js";
import { settle } from "../../submission/settle.js";
import type { StoredSubmission } from "../../submission/stored-submission.js";
import { projectSubmissions, submissionStores } from "../project-database.js";
import { callPipeline } from "../charged-calls.js";
import { type Scope, Session } from "../session.js";
import { RECORDED } from "./recorded-kinds.js";

/** Options of `hdp.submissions.resume`. */
export interface ResumeOptions extends AwaitOptions {
  /** The service's id of a submission whose answer was lost. */
  readonly accepted?: string | undefined;
  /** Record the id `accepted` even if the service names another hash for it, or another submission has it. */
  readonly force?: boolean | undefined;
  /** Give up the submission, so that it may be sent again. */
  readonly lost?: boolean | undefined;
  /** Called with the queries of a storage proof request, as `hdp.storageProof.awaitRequest` does. */
  readonly onQueries?: AwaitRequestOptions["onQueries"];
}

/** A submission that was resumed, with what it led to. */
export interface ResumedSubmission {
  readonly record: StoredSubmission;
  /** Results of tasks, in the order of their hashes; empty for a submission that was given up. */
  readonly results: readonly TaskResult[];
  /** Queries of a storage proof request that was awaited. */
  readonly queries?: readonly StorageProofQuery[];
  /** A grow order as the service returns it. */
  readonly order?: unknown;
}

/** `hdp.submissions`: the submissions sent from this project. */
export interface RecordActions {
  /**
   * Returns submissions, oldest first: tasks, storage proof requests, programs, grow orders, decommitments and deliveries.
   * Without a filter all, with `unfinished` those that are not finished, or whose results were not read.
   */
  readonly list: (filter?: SubmissionFilter) => Promise<readonly StoredSubmission[]>;
  /**
   * Finishes a submission on the network it was made on: awaits it and reads its results. `id` is an id, the beginning
   * of one or a task hash. Where the service's answer was lost, asks the execution store or the registry.
   *
   * @throws HdpError HDP-5010 for an unknown submission, HDP-5009 where it cannot be finished; as `await`
   */
  readonly resume: (id: string, options?: ResumeOptions) => Promise<ResumedSubmission>;
}

/** Returns the actions on the project's submission store. */
export function recordActions(scope: Scope): RecordActions {
  const store = projectSubmissions(scope.project.config.hdp.dataDir);
  // Those of an in-process chain are in memory, as long as its connection.
  const stores = scope instanceof Session ? submissionStores(scope).toReversed() : [store];
  return {
    list: async (filter) => await Promise.resolve(stores.flatMap((one) => one.list(filter))),
    resume: async (name, { accepted, lost, force, ...waiting } = {}) => {
      const session = await scope.session();
      if (accepted !== undefined && lost === true)
        throw notAllowed("--lost", "an option beside --accepted", {
          path: "--lost",
          hints: ["Nothing was changed."],
        });
      const named = requireRecord(store, name);
      const own = await session.on(named.network);
      const pipeline = callPipeline(own);
      if (lost === true) {
        const record = await settle(store, pipeline, named, {
          as: "lost",
          reason: "given up by the user",
        });
        return { record: requireRecord(store, record.id), results: [] };
      }
      let record: SubmissionRecord = named;
      if (accepted !== undefined) {
        const asking = { force, signal: waiting.signal };
        await RECORDED[named.kind].requireAccepted(own, named, accepted, asking);
        record = await settle(store, pipeline, named, { as: "accepted", serviceId: accepted });
      }
      const resumed = await RECORDED[record.kind].resume(own, record, waiting);
      return { results: [], ...resumed, record: requireRecord(store, record.id) };
    },
  };
}
