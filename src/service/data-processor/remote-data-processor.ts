import type { Hex } from "viem";

import { pastableName, suggested } from "../../errors/hdp-error.js";
import type {
  AcceptedTasks,
  AwaitOptions,
  CallOptions,
  DataProcessor,
  Identified,
  RequestOfContract,
  SubmissionPart,
  TaskStatus,
} from "../../request/data-processor.js";
import type { Task, TaskRequest } from "../../request/task.js";
import { taskHash } from "../../request/task-hash.js";
import type { HttpClient, HttpReply, ServiceCallOptions } from "../http/http-client.js";
import { pollService, type PollOptions } from "../http/service-polling.js";
import { acceptedAs, asOtherVersion } from "./other-version.js";
import { quoted, serviceFailure } from "../http/service-errors.js";
import type { WireEdition } from "./edition.js";

/** An accepted submission. */
export interface RemoteSubmission extends SubmissionPart {
  /** The service's reply without keys, unknown fields included. */
  readonly raw: unknown;
}

/** A submission's status, as the service reports it. */
export interface ObservedStatus extends TaskStatus {
  /** The service's reply without keys, unknown fields included. */
  readonly raw: unknown;
}

/** Options of {@link RemoteDataProcessor}. */
export interface RemoteDataProcessorOptions {
  readonly http: HttpClient;
  readonly edition: WireEdition;
  /** Returns the hash of a task. Default: `taskHash` with the current encoding. */
  readonly taskHash?: (task: Task) => Hex;
}

/** A data processor over HTTP. */
export class RemoteDataProcessor implements DataProcessor {
  public readonly name: string;

  public constructor(private readonly options: RemoteDataProcessorOptions) {
    this.name = options.edition.name;
  }

  /**
   * Sends the request, with retries only after 429. After an error of kind `outcome-unknown` the service may have
   * accepted the request; after any other error it has not. A reply of another API version is accepted all the same: its
   * `processor` names that version.
   * @throws ServiceFailure HDP-2029 where a refusal shows another API version
   */
  public async submit(
    request: TaskRequest,
    options?: ServiceCallOptions & RequestOfContract,
  ): Promise<RemoteSubmission> {
    const { http, edition, taskHash: hashOf = taskHash } = this.options;
    const { destinationChainId, tasks } = request;
    const taskHashes = tasks.map((task) => hashOf(task));
    const parse = (reply: HttpReply): RemoteSubmission => {
      const raw = reply.json();
      const { id, taskHashes: theirs = taskHashes, processor } = acceptedAs(edition, raw);
      const differ = theirs.join().toLowerCase() !== taskHashes.join().toLowerCase();
      const submission = { id, processor, destinationChainId, taskHashes, raw };
      return differ ? { ...submission, serviceTaskHashes: theirs } : submission;
    };
    const parts = await edition.buildSubmit(request, options);
    return await http.call(parts, parse, options).catch((error: unknown) => {
      throw asOtherVersion(error, edition);
    });
  }

  /** Returns the service's hash of the only task of a submission; undefined if the service does not report one. */
  public async serviceHash(
    { id }: Identified,
    options?: ServiceCallOptions,
  ): Promise<Hex | undefined> {
    const { http, edition } = this.options;
    const { details } = edition;
    if (details === undefined) return undefined;
    return await http.call(details.build(id), (reply) => details.parse(reply.json()), options);
  }

  /** Returns the status of a submission by its id. Texts of the service are shortened and without keys. */
  public async status({ id }: Identified, options?: ServiceCallOptions): Promise<ObservedStatus> {
    const { http, edition } = this.options;
    const parse = (reply: HttpReply): ObservedStatus => {
      const raw = statusBody(reply);
      const { name, phase, detail } = edition.parseStatus(raw);
      return {
        name: quoted(name),
        phase,
        ...(detail !== undefined && { detail: quoted(detail) }),
        raw,
      };
    };
    return await http.call(edition.buildStatus(id), parse, options);
  }
}

/** Returns the body of a status. It may be a plain state name: the specification does not define its shape. */
function statusBody(reply: HttpReply): unknown {
  const word = reply.text.trim();
  return /^[A-Za-z_]{3,64}$/.test(word) ? word : reply.json();
}

/** Options of `awaitSubmission`, which calls `onStatus` with the first status and with each new name or detail. */
export interface AwaitSubmissionOptions extends PollOptions, AwaitOptions {
  /** The Hardhat network for suggested commands. */
  readonly network?: string | undefined;
}

/**
 * Waits until a submission is finalized and returns its final status. Polls immediately, then after growing pauses from
 * 0.5 s, at most 40 times in an hour (formula: src/base/polling.ts).
 * @throws ServiceFailure of kind `task-failed` with the data processor's message, `timeout`, `aborted` after the
 * signal; any error of `status` that is not transient (wrong key, unknown id, …)
 */
export async function awaitSubmission<SubmissionT extends AcceptedTasks>(
  processor: {
    readonly status: (submission: SubmissionT, options?: CallOptions) => Promise<TaskStatus>;
  },
  submission: SubmissionT,
  options: AwaitSubmissionOptions = {},
): Promise<TaskStatus> {
  const { id, taskHashes } = submission;
  const status = await pollService<TaskStatus>({
    options,
    look: async (call) => await processor.status(submission, call),
    onNew: options.onStatus,
    shownAs: ({ name, detail }) => JSON.stringify([name, detail]),
    done: ({ phase }) => phase !== "pending",
    what: `submission ${id}`,
    describe: ({ name }) => `its last state was ${name}`,
    comeBack: `Wait for it again with its id: ${suggested("hdp:await", [pastableName(id, taskHashes[0])], options)}`,
  });
  if (status.phase === "finalized") return status;
  const reason = `its last state is ${status.name}`;
  const values = { what: `submission ${id}`, reason, tasks: "its tasks" };
  throw serviceFailure("HDP-2091", values, { serviceWords: quoted(status.detail ?? "") });
}
