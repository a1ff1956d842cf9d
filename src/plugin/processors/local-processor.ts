import { randomUUID } from "node:crypto";

import type { Hex } from "viem";

import { limitedSignal } from "../../base/clock.js";
import { HdpError } from "../../errors/hdp-error.js";
import { confirmResults, type Finalization, type ResultSink } from "../../submission/backend/finalizer.js";
import type { Reorganise } from "../../submission/backend/faults/faulty.js";
import { LocalDataProcessor } from "../../submission/backend/local.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type {
  AwaitOptions,
  CallOptions,
  DataProcessor,
  Submission,
  TaskResult,
  TaskStatus,
  TaskWord,
} from "../../request/lifecycle.js";
import { taskHash } from "../../request/task-hash.js";
import type { TaskRequest } from "../../request/task.js";
import { type ExecutionStore, NotFinalizedError } from "../../store/execution-store.js";
import { ChainSources } from "../chain-sources.js";
import { moduleRunnerOf } from "../module-runner-of.js";
import { isTaskHash } from "../parse-arguments.js";
import type { Session } from "../session.js";
import { destinationStore } from "../stores/destination-store.js";
import { EvmStores } from "../stores/evm-stores.js";
import type { ResultStore } from "../stores/result-store.js";
import { storeStatus } from "../stores/store-status.js";
import { requireDestination } from "./before-sending.js";
import type { ConnectedProcessor, ProcessorInfo } from "./connected-processor.js";

/**
 * The local data processor on a connection: reads the chains that identifiers stand for and finalizes in the
 * destination's store. What it says of a finished submission is checked against that store, so that a revert to an
 * earlier snapshot shows.
 */
export class LocalConnectedProcessor implements ConnectedProcessor {
  public readonly name = "local";
  public readonly info: ProcessorInfo = { kind: "local", description: "local data processor" };
  readonly #session: Session;
  readonly #processor: LocalDataProcessor;
  /** The same with what goes wrong, from the first fault on. */
  #faulty: Promise<Required<DataProcessor>> | undefined;
  readonly #submissions = new Map<string, Submission>();
  readonly #byHash = new Map<string, Submission>();
  readonly #results = new Map<string, TaskResult>();
  /** What the wait for a submission read, until somebody takes it. */
  readonly #confirmed = new Map<string, readonly TaskResult[]>();

  public constructor(session: Session) {
    this.#session = session;
    const sink: ResultSink = {
      finalize: async (results, destination) => await this.#finalize(results, destination),
    };
    this.#processor = new LocalDataProcessor({
      ...session.part(ChainSources).options,
      runModule: moduleRunnerOf(session),
      sink,
    });
  }

  public async submit(request: TaskRequest, options?: CallOptions): Promise<Submission> {
    await requireDestination(request.destinationChainId, this.#session);
    await (await this.#storesOf(request.destinationChainId)).requireWritable();
    const submission = await (await this.#port()).submit(request, options);
    this.#submissions.set(submission.id, submission);
    for (const hash of submission.taskHashes) this.#byHash.set(hash, submission);
    return submission;
  }

  public find(submission: Submission | string): Promise<Submission> {
    return Promise.resolve().then(() => {
      if (typeof submission !== "string") return submission;
      const known = this.#submissions.get(submission) ?? this.#byHash.get(submission.toLowerCase());
      if (known !== undefined) return known;
      if (isTaskHash(submission)) return storedTask(submission);
      throw new HdpError({
        code: "HDP-6008",
        path: "id",
        message: `no submission "${submission}" is known here.`,
        hints: [
          "The local data processor knows the submissions of its own process only.",
          "Give a task hash to look into the execution store instead: npx hardhat hdp hash <file>",
        ],
      });
    });
  }

  public async wait(submission: Submission, options: AwaitOptions & { timeout: number }): Promise<TaskStatus> {
    if (!this.#submissions.has(submission.id)) return finishedOrThrow(submission, await this.#inStore(submission));
    let last: TaskStatus | undefined;
    const onStatus = (status: TaskStatus): void => {
      last = status;
      options.onStatus?.(status);
    };
    const limit = limitedSignal(options.timeout, undefined);
    const signal = options.signal === undefined ? limit.signal : AbortSignal.any([options.signal, limit.signal]);
    try {
      const status = finishedOrThrow(submission, await (await this.#port()).wait(submission, { signal, onStatus }));
      return finishedOrThrow(submission, await this.#confirm(submission, status));
    } catch (error) {
      if (limit.expired() && options.signal?.aborted !== true) throw notInTime(submission, options.timeout, last);
      throw error;
    } finally {
      limit.release();
    }
  }

  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    if (!this.#submissions.has(submission.id)) return await this.#inStore(submission);
    return await this.#asTheChainHasIt(submission, await (await this.#port()).status(submission, options));
  }

  /** What the wait has just read is not read again. */
  public async results(submission: Submission): Promise<readonly TaskResult[]> {
    const stored = this.#confirmed.get(submission.id) ?? (await this.#read(submission));
    this.#confirmed.delete(submission.id);
    if (stored === undefined) throw failed(submission, REVERTED);
    return stored.map((result) => this.#annotated(result));
  }

  public destinationOf(taskHash: string): ChainIdentifier | undefined {
    return this.#byHash.get(taskHash)?.destinationChainId;
  }

  public async read(store: ExecutionStore, hash: Hex): Promise<TaskResult> {
    return this.#annotated(await store.readResult(hash, { withTransaction: true }));
  }

  /** Samples, proofs and the transaction of a result that was computed here, as long as the word is that result's. */
  #annotated(result: TaskResult): TaskResult {
    const local = this.#results.get(result.taskHash);
    const same = local?.word === result.word && local.store === result.store;
    return same ? { ...local, ...result } : result;
  }

  /** The data processor; with faults round it as soon as there was one. */
  async #port(): Promise<Required<DataProcessor>> {
    if (this.#faulty === undefined && this.#session.faults.waiting.length === 0) return this.#processor;
    this.#faulty ??= import("../../submission/backend/faults/faulty.js").then(
      ({ FaultyDataProcessor }) =>
        new FaultyDataProcessor({
          processor: this.#processor,
          faults: this.#session.faults,
          taskHash,
          newId: randomUUID,
        }),
    );
    return await this.#faulty;
  }

  async #finalize(results: readonly TaskWord[], destination: ChainIdentifier): Promise<Finalization> {
    const stores = await this.#storesOf(destination);
    if (this.#session.faults.waiting.length === 0) return await stores.finalize(results);
    const { faultyFinalization, forkPointOf } = await import("../../submission/backend/faults/faulty.js");
    // Only EVM chains can be gone back on: for results on Starknet it is the connected one.
    const forkPoint = async (): Promise<Reorganise> => await forkPointOf(stores.provider ?? this.#session.provider);
    return await faultyFinalization(stores, this.#session.faults, forkPoint).finalize(results, destination);
  }

  /**
   * The first wait reads each result and compares it with what was computed; later somebody may have finalized another
   * value on purpose.
   */
  async #confirm(submission: Submission, status: TaskStatus): Promise<TaskStatus> {
    const results = await (await this.#port()).results(submission);
    const fresh = results.filter((result) => this.#results.get(result.taskHash) !== result);
    if (fresh.length === 0) return await this.#asTheChainHasIt(submission, status);
    const stored = await this.#read(submission);
    if (stored === undefined) return REVERTED;
    for (const result of fresh) this.#results.set(result.taskHash, result);
    confirmResults(fresh, stored);
    this.#confirmed.set(submission.id, stored);
    return status;
  }

  /** The stored results, in the order of the hashes; undefined where one is not there. */
  async #read(submission: Submission): Promise<readonly TaskResult[] | undefined> {
    const { taskHashes } = submission;
    const store = await (await this.#storesOfSubmission(submission)).openForReading();
    try {
      // What was computed here knows its transactions.
      const withTransaction = !taskHashes.every((hash) => this.#byHash.has(hash));
      return await store.readResults(taskHashes, { withTransaction });
    } catch (error) {
      if (error instanceof NotFinalizedError) return undefined;
      throw error;
    }
  }

  /** A hash that was not submitted here is looked for in the connection's own store. */
  async #storesOfSubmission({ id, taskHashes, destinationChainId }: Submission): Promise<ResultStore> {
    return id === taskHashes[0] ? this.#session.part(EvmStores) : await this.#storesOf(destinationChainId);
  }

  async #storesOf(destination: ChainIdentifier): Promise<ResultStore> {
    return await destinationStore(destination, this.#session);
  }

  /** The processor's word, unless the chain has gone back behind it. */
  async #asTheChainHasIt(submission: Submission, status: TaskStatus): Promise<TaskStatus> {
    if (status.phase !== "finalized") return status;
    return (await this.#inStore(submission)).phase === "finalized" ? status : REVERTED;
  }

  /** What the execution store alone says of the tasks. */
  async #inStore(submission: Submission): Promise<TaskStatus> {
    const stores = await this.#storesOfSubmission(submission);
    return await storeStatus(await stores.openForReading(), submission.taskHashes);
  }
}

const REVERTED: TaskStatus = {
  name: "Reverted",
  phase: "failed",
  detail: "it was finalized, but the chain was reverted to before that: submit it again",
};

/** A task hash somebody names; where it was submitted is not known, so the connection's own store is looked into. */
function storedTask(taskHash: Hex): Submission {
  return { id: taskHash, processor: "local", destinationChainId: "ETHEREUM_SEPOLIA", taskHashes: [taskHash] };
}

function finishedOrThrow(submission: Submission, status: TaskStatus): TaskStatus {
  if (status.phase === "finalized") return status;
  if (status.phase === "failed") throw failed(submission, status);
  throw new HdpError({
    code: "HDP-6008",
    path: "id",
    message: `no submission of task ${submission.taskHashes.join(", ")} is under way here.`,
    hints: ["The local data processor knows the submissions of its own process only. Submit the task again."],
  });
}

function failed({ id }: Submission, { detail, name }: TaskStatus): HdpError {
  return new HdpError({
    code: "HDP-6015",
    message: `submission ${id} failed: ${(detail ?? name).replace(/\.$/, "")}.`,
    hints: ["Nothing of it was finalized. Correct the cause and submit it again."],
  });
}

function notInTime(submission: Submission, timeout: number, last: TaskStatus | undefined): HdpError {
  return new HdpError({
    code: "HDP-6009",
    message: `submission ${submission.id} was not finalized within ${(timeout / 1000).toString()} s; ${last === undefined ? "no state was seen" : `its last state was ${last.name}`}.`,
    hints: ["It goes on in this process: await it again, with a longer timeout if need be."],
  });
}
