import type { Hex } from "viem";

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { ChainIdentifier } from "../request/chains.js";
import type {
  AwaitOptions,
  CallOptions,
  Rehearsal,
  Submission,
  SubmissionPart,
  SubmitOptions,
  TaskStatus,
} from "../request/data-processor.js";
import type { TaskRequest } from "../request/task.js";
import type { Anchor, TaskResult } from "../request/task-result.js";
import { refuseConflicts } from "../request/task-hash.js";
import { type ExecutionStore, NotFinalizedError } from "../store/execution-store.js";
import type { InProcessProcessor } from "./backend/local-data-processor.js";
import type { SubmissionRecord } from "./model.js";
import { acceptedPart, Records } from "./records.js";
import { FINALIZED, ResultReader, type ResultReaderOptions } from "./result-reader.js";
import { finishRecorded, requireSameChain } from "./resume.js";
import type {
  AcceptedOptions,
  Destination,
  Finished,
  Submissions,
  SubmissionsOptions,
} from "./submissions.js";

/** What submissions to the local data processor work with. */
export interface LocalSubmissionsOptions extends SubmissionsOptions {
  /** Returns the data processor of the next call: faults may be injected at any time. */
  readonly processor: () => InProcessProcessor;
  /** Returns whether the chain that a run read still has the block of its proofs. */
  readonly holds?: ((anchor: Anchor) => Promise<boolean>) | undefined;
  /** Returns a result with what its task says about it. */
  readonly annotate?: ResultReaderOptions["annotate"];
}

const REVERTED: TaskStatus = {
  name: "Reverted",
  phase: "failed",
  detail:
    "it was finalized, but the chain was reverted to before that, or its node has started anew: submit it again",
};

const ENDED = {
  name: "Ended",
  phase: "failed",
  detail: "the local data processor ended with its process",
} as const satisfies TaskStatus;

/** Submissions to the local data processor: computed every time, each request in one part. */
export class LocalSubmissions implements Submissions {
  readonly #options: LocalSubmissionsOptions;
  readonly #records: Records;
  readonly #reader: ResultReader;

  public constructor(options: LocalSubmissionsOptions) {
    this.#options = options;
    const { store, system, destination, warn, holds, annotate } = options;
    this.#records = new Records({ store, place: undefined, warn });
    this.#reader = new ResultReader({
      records: this.#records,
      store,
      system,
      destination,
      holds,
      annotate,
    });
  }

  /** Computes the tasks of a request, whatever was submitted before. */
  public async submit(
    request: TaskRequest,
    { signal }: SubmitOptions = {},
    given?: Destination,
  ): Promise<Submission> {
    const { processor, store, network, system, destination } = this.#options;
    const { destinationChainId, tasks } = request;
    refuseConflicts(tasks);
    // Submissions in memory end with their chain.
    const chain =
      store.path === undefined
        ? undefined
        : await (given ?? (await destination(destinationChainId))).chain();
    // Throws before any work begins if the submission cannot be recorded.
    store.transaction(() => undefined);
    const part = await processor().submit(request, { signal });
    store.insert({
      id: part.id,
      serviceId: part.id,
      kind: "tasks",
      state: "accepted",
      forced: false,
      network,
      request,
      processor: part.processor,
      sender: system.processes.self,
      destinationChainId,
      genesis: chain?.genesis,
      parts: part.taskHashes.map((hash) => ({ hash, identity: `local ${part.id}`, live: false })),
    });
    return { id: part.id, destinationChainId, taskHashes: part.taskHashes, parts: [part] };
  }

  /** Returns nothing: what is submitted is computed here. */
  public async rehearse(): Promise<readonly Rehearsal[]> {
    return await Promise.resolve([]);
  }

  /** Returns nothing: whatever was submitted before, tasks are computed. */
  public async obstacle(): Promise<undefined> {
    await Promise.resolve();
  }

  public find(name: string): Submission {
    return this.#records.find(name, this.#options.network);
  }

  public findDestination(hash: Hex): ChainIdentifier | undefined {
    return this.#records.findDestination(hash);
  }

  /** Returns the current status. A finished submission's is checked against the store: chains revert. */
  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    const [part] = submission.parts;
    if (part === undefined) return await this.#reader.status(submission);
    if (!this.#isOfThisProcess(part)) return await this.#statusElsewhere(part, submission);
    return await this.#asInStore(submission, await this.#options.processor().status(part, options));
  }

  public async finish(
    submission: Submission,
    options: AwaitOptions = {},
    destination?: Destination,
  ): Promise<Finished> {
    const { processor, timeout } = this.#options;
    const [part] = submission.parts;
    const results = async (): Promise<readonly TaskResult[]> =>
      await this.results(submission, destination);
    if (part === undefined || !this.#isOfThisProcess(part)) {
      const status = await this.#statusElsewhere(part, submission);
      if (status.phase === "finalized") return { status, results };
      const what = part === undefined ? `task ${submission.id}` : part.taskHashes.join(", ");
      throw hdpError("HDP-4402", { what }, { path: "id" });
    }
    const running = processor();
    const status = await running.wait(part, { timeout, ...options });
    if (status.phase === "failed") this.ended(part, status, []);
    if (status.phase !== "finalized") throw failed(part, status);
    const parts = this.#records.ofPart(part)?.parts ?? [];
    if (parts.every(({ word }) => word !== undefined)) {
      const now = await this.#asInStore(submission, status, destination);
      if (now.phase === "failed") throw failed(part, now);
      return { status: now, results };
    }
    const computed = await running.results(part);
    if (parts.some((one) => one.computed === undefined)) this.ended(part, status, computed);
    const read = await results();
    refuseDifference(read, computed);
    return { status, results: async () => await Promise.resolve(read) };
  }

  /** Records the end of a submission. */
  public ended(part: SubmissionPart, status: TaskStatus, results: readonly TaskResult[]): void {
    this.#records.observe((store) => {
      store.transaction(() => {
        store.recordComputed(part.id, results);
        store.observe(part.id, status);
      });
    });
  }

  public async results(
    submission: Submission,
    destination?: Destination,
  ): Promise<readonly TaskResult[]> {
    const [part] = submission.parts;
    return await this.#reader.results(submission, destination).catch((error: unknown) => {
      const isReverted = part !== undefined && error instanceof NotFinalizedError;
      throw isReverted ? failed(part, REVERTED) : error;
    });
  }

  public async readAll(
    store: ExecutionStore,
    hashes: readonly Hex[],
    destination: ChainIdentifier | undefined,
  ): Promise<readonly TaskResult[]> {
    return await this.#reader.readAll(store, hashes, destination);
  }

  public async resume(
    record: SubmissionRecord,
    options: AwaitOptions = {},
  ): Promise<readonly TaskResult[]> {
    await requireSameChain(record, this.#options.destination);
    return await finishRecorded(this, this.#records, record, options);
  }

  public async requireAccepted(
    record: SubmissionRecord,
    serviceId: string,
    { force, signal }: AcceptedOptions = {},
  ): Promise<void> {
    await this.#options.processor().status(acceptedPart({ ...record, serviceId }), { signal });
    if (force !== true) this.#records.refuseOtherWith(serviceId, record);
  }

  #isOfThisProcess(part: SubmissionPart): boolean {
    return this.#records.ofPart(part)?.sender === this.#options.system.processes.self;
  }

  /** Returns the status of another process's submission by the store; failed if the process has ended. */
  async #statusElsewhere(
    part: SubmissionPart | undefined,
    submission: Submission,
  ): Promise<TaskStatus> {
    const { processes } = this.#options.system;
    const record = part && this.#records.ofPart(part);
    // Asked before the store: a process that ends later may still finalize.
    const hasEnded = record?.sender !== undefined && !processes.mayRun(record.sender);
    const status = await this.#reader.status(submission);
    if (status.phase === "finalized" || !hasEnded) return status;
    if (record.state === "finalized") return REVERTED;
    const { detail: reason } = ENDED;
    this.#records.observe((store) => {
      // A submission that is in another state by now has ended.
      void store.move(record.id, ["accepted"], "failed", { reason });
    });
    return ENDED;
  }

  /** Returns the data processor's status, unless the chain has gone back to an earlier block. */
  async #asInStore(
    submission: Submission,
    status: TaskStatus,
    destination?: Destination,
  ): Promise<TaskStatus> {
    if (status.phase !== "finalized") return status;
    const inStore = await this.#reader.status(submission, destination);
    return inStore.phase === FINALIZED.phase ? status : REVERTED;
  }
}

/** Throws where a store has another value than was computed. @throws HdpError HDP-4404 */
function refuseDifference(read: readonly TaskResult[], computed: readonly TaskResult[]): void {
  for (const { taskHash: hash, word } of computed) {
    const found = read.find((result) => result.taskHash === hash);
    if (found === undefined || found.word === word) continue;
    throw hdpError("HDP-4404", {
      stored: found.word,
      hash,
      computed: word,
      store: found.store,
      advice: "is what contracts read: submit the task again before anything relies on it",
    });
  }
}

function failed({ id }: SubmissionPart, status: TaskStatus): HdpError {
  const reason = status.detail ?? status.name;
  const isPending = reason.startsWith("HDP-3009");
  return hdpError(isPending ? "HDP-4407" : "HDP-4406", { id, reason });
}
