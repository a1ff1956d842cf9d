import type { Hex } from "viem";

import type { DataProcessor, Submission } from "../../request/lifecycle.js";
import type { Task, TaskRequest } from "../../request/task.js";
import { taskHash } from "../../request/task-hash.js";
import type { ObservedStatus, WireEdition } from "./edition.js";
import type { HttpClient, HttpReply, ServiceCallOptions } from "../http/http-client.js";

export interface RemoteSubmission extends Submission {
  /** The service's reply, unknown fields included, keys taken out. */
  readonly raw: unknown;
}

export interface RemoteDataProcessorOptions {
  readonly http: HttpClient;
  readonly edition: WireEdition;
  /** How tasks are hashed, where chain identifiers or encodings of one's own are in use. Default: `taskHash`. */
  readonly taskHash?: (task: Task) => Hex;
}

/** The hosted data processor behind the port that the local one also serves. */
export class RemoteDataProcessor implements DataProcessor {
  public readonly name: string;
  readonly #http: HttpClient;
  readonly #edition: WireEdition;
  readonly #taskHash: (task: Task) => Hex;

  public constructor(options: RemoteDataProcessorOptions) {
    this.name = options.edition.name;
    this.#http = options.http;
    this.#edition = options.edition;
    this.#taskHash = options.taskHash ?? ((task) => taskHash(task));
  }

  /**
   * Sends the request once; again by itself only after 429. An OutcomeUnknownError means that the service may have
   * accepted it; every other error that it did not.
   */
  public async submit(request: TaskRequest, options?: ServiceCallOptions): Promise<RemoteSubmission> {
    const taskHashes = request.tasks.map((task) => this.#taskHash(task));
    const parts = await this.#edition.buildSubmit(request);
    const accepted = await this.#http.call(parts, (reply) => this.#edition.parseSubmit(reply.json()), options);
    const theirs = accepted.taskHashes;
    return {
      id: accepted.id,
      processor: this.name,
      destinationChainId: request.destinationChainId,
      taskHashes,
      ...(theirs === undefined || sameHashes(theirs, taskHashes) ? {} : { serviceTaskHashes: theirs }),
      raw: accepted.raw,
    };
  }

  public async status(submission: Pick<Submission, "id">, options?: ServiceCallOptions): Promise<ObservedStatus> {
    const seen = await this.#http.call(
      this.#edition.buildStatus(submission.id),
      (reply) => this.#edition.parseStatus(statusBody(reply)),
      options,
    );
    // Names that end a wait are known words; every other text is the service's own and goes into messages.
    const name = seen.phase === "pending" ? this.#http.quote(seen.name) : seen.name;
    return { ...seen, name, ...(seen.detail === undefined ? {} : { detail: this.#http.quote(seen.detail) }) };
  }
}

/** A state name may come as plain text: the specification shows no shape. */
function statusBody(reply: HttpReply): unknown {
  const word = reply.text.trim();
  return /^[A-Za-z_]{3,64}$/.test(word) ? word : reply.json();
}

function sameHashes(one: readonly Hex[], other: readonly Hex[]): boolean {
  return one.length === other.length && one.every((hash, index) => hash.toLowerCase() === other[index]?.toLowerCase());
}
