import { randomUUID } from "node:crypto";
import type { Hex } from "viem";

import { DEFAULT_CONCURRENCY } from "../../base/node-reads.js";
import { Readers, type ReadersOptions } from "../../chain/readers.js";
import {
  type ComputedTask,
  computeRequest,
  describeProgress,
  type ModuleRunner,
  refuseModules,
} from "../../compute/compute-request.js";
import { HdpError } from "../../errors/hdp-error.js";
import type {
  CallOptions,
  DataProcessor,
  Submission,
  TaskResult,
  TaskStatus,
  WatchOptions,
} from "../../request/lifecycle.js";
import { type EncodeOptions, taskHash } from "../../request/task-hash.js";
import type { TaskRequest } from "../../request/task.js";
import { describeFinalization, type Finalization, Finalizer, type ResultSink } from "./finalizer.js";

/** A finalized task with what its value rests on. */
export type LocalTaskResult = TaskResult & Required<Pick<TaskResult, "proven" | "transactionHash" | "blockNumber">>;

type Listener = (status: TaskStatus) => void;

/** How a submission stands, with those who watch it. */
export class TrackedSubmission {
  readonly submission: Submission;
  #status: TaskStatus = { name: "Received", phase: "pending" };
  #results: readonly LocalTaskResult[] = [];
  #error: unknown;
  readonly #listeners = new Set<Listener>();

  public constructor(submission: Submission) {
    this.submission = submission;
  }

  public get status(): TaskStatus {
    return this.#status;
  }

  public get isTerminal(): boolean {
    return this.#status.phase !== "pending";
  }

  /** Of a finalized submission. @throws the error that failed it. */
  public get results(): readonly LocalTaskResult[] {
    if (this.#status.phase === "failed") throw this.#error;
    return this.#results;
  }

  public progress(name: string, detail: string): void {
    if (this.#status.name === name && this.#status.detail === detail) return;
    this.#become({ name, phase: "pending", detail });
  }

  public finalized(results: readonly LocalTaskResult[], detail: string): void {
    this.#results = results;
    this.#become({ name: "Finalized", phase: "finalized", detail });
  }

  public failed(error: unknown): void {
    this.#error = error;
    this.#become({ name: "Failed", phase: "failed", detail: error instanceof Error ? error.message : String(error) });
  }

  /** Calls `listener` at every change from now on, until the returned function is called. */
  public watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #become(status: TaskStatus): void {
    if (this.isTerminal) return;
    this.#status = status;
    for (const listener of [...this.#listeners]) listener(status);
  }
}

/** `concurrency` also bounds how many submissions are worked on at once. */
export interface LocalDataProcessorOptions extends ReadersOptions {
  readonly sink: ResultSink;
  /** Runs module tasks; without it they are refused when submitted. */
  readonly runModule?: ModuleRunner | undefined;
  /** How task hashes are encoded; default as `taskHash`. */
  readonly encoding?: EncodeOptions | undefined;
  /** Makes submission ids; default random UUIDs. */
  readonly newId?: (() => string) | undefined;
}

/** Finished submissions that can still be asked about; older ones are forgotten. */
const REMEMBERED = 10_000;

/**
 * Data processor inside this process: computes tasks over the chains it is given and finalizes the results through its
 * sink. No proof of the computation is made: what is proven are the values read.
 *
 * States: `Received`, `Sampled` (`Computed` where a module is among the tasks), then `Finalized` or `Failed`.
 */
export class LocalDataProcessor implements DataProcessor {
  public readonly name = "local";
  readonly #options: LocalDataProcessorOptions;
  readonly #finalizer: Finalizer;
  readonly #readers: Readers;
  readonly #closing = new AbortController();
  readonly #records = new Map<string, TrackedSubmission>();
  #running = 0;
  /** Submissions that wait for another one's end. */
  readonly #waiting: (() => void)[] = [];

  public constructor(options: LocalDataProcessorOptions) {
    this.#options = options;
    this.#finalizer = new Finalizer(options.sink);
    this.#readers = new Readers(options);
  }

  /**
   * Accepts a request and begins to work on it; the promise does not wait for the work.
   *
   * @throws HdpError HDP-4401 for a module task where no module runner is present.
   */
  public submit(request: TaskRequest, { signal }: CallOptions = {}): Promise<Submission> {
    return Promise.resolve().then(() => {
      signal?.throwIfAborted();
      if (this.#options.runModule === undefined) refuseModules(request);
      const submission: Submission = {
        id: this.#options.newId?.() ?? randomUUID(),
        processor: this.name,
        destinationChainId: request.destinationChainId,
        taskHashes: request.tasks.map((task) => taskHash(task, this.#options.encoding)),
      };
      const record = new TrackedSubmission(submission);
      this.#remember(record);
      void this.#run(request, record);
      return submission;
    });
  }

  /** @throws HdpError HDP-4402 for a submission this processor does not know. */
  public status(submission: Submission, { signal }: CallOptions = {}): Promise<TaskStatus> {
    return Promise.resolve().then(() => {
      signal?.throwIfAborted();
      return this.#record(submission).status;
    });
  }

  /**
   * Waits for `Finalized` or `Failed`, without polling. Aborting ends the waiting, not the work.
   *
   * @throws HdpError HDP-4402 for a submission this processor does not know; the signal's reason.
   */
  public async wait(submission: Submission, { signal, onStatus }: WatchOptions = {}): Promise<TaskStatus> {
    signal?.throwIfAborted();
    const record = this.#record(submission);
    onStatus?.(record.status);
    if (record.isTerminal) return record.status;
    return await new Promise((resolve, reject) => {
      const stop = record.watch((status) => {
        try {
          onStatus?.(status);
        } catch (error) {
          finish();
          reject(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        if (status.phase === "pending") return;
        finish();
        resolve(status);
      });
      const aborted = (): void => {
        finish();
        reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
      };
      const finish = (): void => {
        stop();
        signal?.removeEventListener("abort", aborted);
      };
      signal?.addEventListener("abort", aborted, { once: true });
    });
  }

  /**
   * The finalized results, one for each task in request order; waits for them.
   *
   * @throws the error that failed the submission.
   */
  public async results(submission: Submission, options: CallOptions = {}): Promise<readonly LocalTaskResult[]> {
    await this.wait(submission, options);
    return this.#record(submission).results;
  }

  /** Gives up all unfinished work: what is not handed to the sink yet fails and is never finalized. */
  public close(): void {
    this.#closing.abort(
      new HdpError({
        code: "HDP-4403",
        message: "the local data processor was closed before the submission was finalized",
        hints: ["Submit again on an open connection."],
      }),
    );
  }

  async #run(request: TaskRequest, record: TrackedSubmission): Promise<void> {
    await this.#turn();
    const { signal } = this.#closing;
    let computed: readonly ComputedTask[];
    try {
      signal.throwIfAborted();
      computed = await computeRequest(request, {
        readersFor: (run) => this.#readers.forRun(run),
        runModule: this.#options.runModule,
        signal,
        onProgress: (detail) => {
          record.progress("Received", detail);
        },
      });
      signal.throwIfAborted();
      const isModule = request.tasks.some(({ type }) => type === "Module");
      record.progress(isModule ? "Computed" : "Sampled", describeProgress(computed));
    } catch (error) {
      record.failed(error);
      return;
    } finally {
      this.#endTurn();
    }
    await this.#finalize(record, computed);
  }

  async #turn(): Promise<void> {
    if (this.#running < (this.#options.concurrency ?? DEFAULT_CONCURRENCY)) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #endTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  async #finalize(record: TrackedSubmission, computed: readonly ComputedTask[]): Promise<void> {
    const { taskHashes, destinationChainId } = record.submission;
    const words = taskHashes.map((hash, position) => ({ taskHash: hash, word: computed[position]?.word ?? "0x" }));
    try {
      const finalization = await this.#finalizer.finalize(words, destinationChainId);
      record.finalized(
        computed.map((task, position) => resultOf(taskHashes[position] ?? "0x", task, finalization)),
        describeFinalization(finalization),
      );
    } catch (error) {
      record.failed(error);
    }
  }

  #remember(record: TrackedSubmission): void {
    this.#records.set(record.submission.id, record);
    if (this.#records.size <= REMEMBERED) return;
    for (const [id, { isTerminal }] of this.#records) {
      if (!isTerminal) continue;
      this.#records.delete(id);
      break;
    }
  }

  #record(submission: Submission): TrackedSubmission {
    const record = this.#records.get(submission.id);
    if (record !== undefined) return record;
    throw new HdpError({
      code: "HDP-4402",
      message: `the local data processor does not know the submission ${submission.id}`,
      hints: [
        "Local submissions live in the process that made them. Read the result by its task hash, or submit again.",
      ],
    });
  }
}

function resultOf(hash: Hex, computed: ComputedTask, finalization: Finalization): LocalTaskResult {
  const { word, samples, proven, output, module, anchor } = computed;
  const { store, transactionHash, blockNumber, gasUsed } = finalization;
  return {
    taskHash: hash,
    word,
    value: BigInt(word),
    proven,
    store,
    transactionHash,
    blockNumber,
    gasUsed,
    ...(samples === undefined ? {} : { samples }),
    ...(output === undefined ? {} : { output }),
    ...(module === undefined ? {} : { module }),
    ...(anchor === undefined ? {} : { anchor }),
  };
}
