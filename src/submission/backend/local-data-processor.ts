import { randomUUID } from "node:crypto";

import type { Hex } from "viem";

import { limitedSignal, unlessAborted } from "../../base/clock.js";
import { dropOldest } from "../../base/collections.js";
import { jsonText } from "../../base/json.js";
import { Limiter } from "../../base/turns.js";
import { errorMessage } from "../../base/text.js";
import { DEFAULT_CONCURRENCY } from "../../base/node-reads.js";
import { readerOpener, type ReadersOptions, type RunReaders } from "../../chain/readers.js";
import type { ComputedTask, ModuleRunner } from "../../compute/compute-request.js";
import {
  computedResult,
  computeRequest,
  describeProgress,
  refuseModules,
} from "../../compute/compute-request.js";
import { type HdpError, hdpError } from "../../errors/hdp-error.js";
import type { ChainIdentifier } from "../../request/chains.js";
import type {
  AwaitOptions,
  CallOptions,
  DataProcessor,
  SubmissionPart,
  TaskStatus,
  Identified,
} from "../../request/data-processor.js";
import type { Task, TaskRequest } from "../../request/task.js";
import type { TaskResult, TaskWord } from "../../request/task-result.js";
import { findDatalake } from "../../request/task-form.js";
import { type EncodeOptions, refuseConflicts, taskHash } from "../../request/task-hash.js";
import {
  describeFinalization,
  type Finalization,
  Finalizer,
  type ResultSink,
} from "./finalizer.js";

/** Options of the local data processor. `concurrency` also limits the submissions that are processed at once. */
export interface LocalDataProcessorOptions extends ReadersOptions {
  readonly sink: ResultSink;
  /** Runs module tasks; without it they are refused at submission. */
  readonly runModule?: ModuleRunner | undefined;
  /** Whether a task is refused that the published prover cannot prove for what the chain holds. Default false. */
  readonly requireProvable?: boolean | undefined;
  /** Encoding of task hashes. Default as for `taskHash`. */
  readonly encoding?: EncodeOptions | undefined;
  /** Returns a new submission id. Default: a random UUID. */
  readonly newId?: (() => string) | undefined;
  /** Called when a submission has ended, before the waits for it resolve. */
  readonly onEnded?:
    | ((submission: SubmissionPart, status: TaskStatus, results: readonly TaskResult[]) => void)
    | undefined;
}

/** A data processor that computes in this process, which can be awaited without polling. */
export interface InProcessProcessor extends DataProcessor {
  /** Resolves with the last status, finalized or failed. An abort or the timeout ends the wait, not the work. */
  wait(submission: SubmissionPart, options?: AwaitOptions): Promise<TaskStatus>;
  /** Waits for the finalized results, one for each task in request order. Rejects if the submission failed. */
  results(submission: SubmissionPart, options?: CallOptions): Promise<readonly TaskResult[]>;
}

/** A finalized task with what its value rests on. */
export interface LocalTaskResult extends TaskResult {
  readonly proven: boolean;
  readonly transactionHash: Hex;
  readonly blockNumber: bigint;
}

/** Maximum number of ended submissions that are kept for status calls. */
const MAX_ENDED = 10_000;

interface Work {
  readonly submission: SubmissionPart;
  /** Empty once it has ended: inputs may be as long as a request. */
  readonly contents: Map<Hex, string>;
  readonly listeners: Set<(status: TaskStatus) => void>;
  status: TaskStatus;
  results: readonly LocalTaskResult[];
  /** What was computed and is not finalized. */
  computed: readonly ComputedWord[];
  error?: unknown;
}

/** What a task gave, before it is finalized. */
export type ComputedWord = TaskWord & { readonly output?: TaskResult["output"] | undefined };

/**
 * Data processor inside this process: computes tasks over its configured chains and finalizes the results through its
 * sink. It does not prove the computation: only the values that it reads are proven.
 *
 * States: `Received`, `Sampled` (`Computed` where a module is among the tasks), then `Finalized` or `Failed`.
 */
export class LocalDataProcessor implements InProcessProcessor {
  public readonly name = "local";
  readonly #options: LocalDataProcessorOptions;
  readonly #finalizer: Finalizer;
  readonly #readersFor: (signal: AbortSignal) => RunReaders;
  readonly #closing = new AbortController();
  readonly #open = new Map<string, Work>();
  readonly #ended = new Map<string, Work>();
  /** Contents of the open tasks that their hashes do not cover, by task hash. */
  readonly #contents = new Map<Hex, { readonly content: string; users: number }>();
  readonly #limiter: Limiter;

  public constructor(options: LocalDataProcessorOptions) {
    this.#options = options;
    this.#finalizer = new Finalizer(options.sink);
    this.#readersFor = readerOpener(options);
    this.#limiter = new Limiter(options.concurrency ?? DEFAULT_CONCURRENCY);
  }

  /**
   * Accepts a request and begins to work on it.
   * @throws HdpError HDP-4401 for a module task without a module runner, HDP-1125 for one that has the hash of another
   * task of the request, or of an open one, and other private inputs or another injected state
   */
  public async submit(request: TaskRequest, { signal }: CallOptions = {}): Promise<SubmissionPart> {
    signal?.throwIfAborted();
    refuseConflicts(request.tasks);
    if (this.#options.runModule === undefined) refuseModules(request.tasks);
    const taskHashes = request.tasks.map((task) => taskHash(task, this.#options.encoding));
    const contents = this.#moduleContents(request.tasks, taskHashes);
    const work = this.#begin(request.destinationChainId, taskHashes, contents);
    const name = request.tasks.every((task) => findDatalake(task)) ? "Sampled" : "Computed";
    void this.#run(work, name, this.#compute(request, work));
    return await Promise.resolve(work.submission);
  }

  /** Accepts results that were computed elsewhere, and begins to finalize them. */
  public async deliver(
    words: readonly TaskWord[],
    destinationChainId: ChainIdentifier,
  ): Promise<SubmissionPart> {
    const hashes = words.map((word) => word.taskHash);
    const work = this.#begin(destinationChainId, hashes, new Map());
    const computed = words.map(({ word }) => ({ word, proven: false }));
    void this.#run(work, "Computed", Promise.resolve(computed));
    return await Promise.resolve(work.submission);
  }

  /** Returns what a submission computed that could not be finalized; an empty list for any other. */
  public computed({ id }: Identified): readonly ComputedWord[] {
    return this.#work({ id }).computed;
  }

  /** Forgets a submission that has ended, whose caller has recorded its results. */
  public forget({ id }: Identified): void {
    this.#ended.delete(id);
  }

  #begin(
    destinationChainId: ChainIdentifier,
    taskHashes: readonly Hex[],
    contents: Map<Hex, string>,
  ): Work {
    const id = this.#options.newId?.() ?? randomUUID();
    const submission: SubmissionPart = { id, processor: this.name, destinationChainId, taskHashes };
    const status: TaskStatus = { name: "Received", phase: "pending" };
    const work: Work = {
      submission,
      contents,
      listeners: new Set(),
      status,
      results: [],
      computed: [],
    };
    this.#open.set(id, work);
    for (const [hash, content] of contents) {
      this.#contents.set(hash, { content, users: (this.#contents.get(hash)?.users ?? 0) + 1 });
    }
    return work;
  }

  /** Returns the current status of a submission. @throws HdpError HDP-4402 for one that this data processor does not know */
  public async status(submission: Identified, { signal }: CallOptions = {}): Promise<TaskStatus> {
    signal?.throwIfAborted();
    return await Promise.resolve(this.#work(submission).status);
  }

  /**
   * Waits for `Finalized` or `Failed`, without polling.
   * @throws HdpError HDP-4402 for an unknown submission, HDP-2081 at the timeout; the signal's reason
   */
  public async wait(submission: SubmissionPart, options: AwaitOptions = {}): Promise<TaskStatus> {
    const { timeout = Infinity, signal, onStatus } = options;
    signal?.throwIfAborted();
    const work = this.#work(submission);
    onStatus?.(work.status);
    if (work.status.phase !== "pending") return work.status;
    const limit = limitedSignal(timeout, signal);
    const { promise, resolve, reject } = Promise.withResolvers<TaskStatus>();
    const listener = (status: TaskStatus): void => {
      try {
        onStatus?.(status);
        if (status.phase !== "pending") resolve(status);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    work.listeners.add(listener);
    try {
      const ended = await unlessAborted(promise, limit.signal);
      if (ended !== undefined) return ended.value;
      signal?.throwIfAborted();
      throw waitEnded(submission.id, timeout, work.status);
    } finally {
      work.listeners.delete(listener);
      limit.release();
    }
  }

  /** Waits for the finalized results, one for each task in request order. @throws the error of a failed submission */
  public async results(
    submission: SubmissionPart,
    options: CallOptions = {},
  ): Promise<readonly LocalTaskResult[]> {
    await this.wait(submission, options);
    const { status, results, error } = this.#work(submission);
    if (status.phase === "failed") throw error;
    return results;
  }

  /** Aborts all unfinished work: results that were not passed to the sink yet fail and are never finalized. */
  public close(): void {
    this.#closing.abort(hdpError("HDP-4403"));
  }

  async #run(
    work: Work,
    name: "Computed" | "Sampled",
    computing: Promise<readonly ComputedTask[]>,
  ): Promise<void> {
    try {
      const computed = await computing;
      this.#closing.signal.throwIfAborted();
      become(work, { name, phase: "pending", detail: describeProgress(computed) });
      const { taskHashes, destinationChainId } = work.submission;
      const words = computed.map(({ word, output }, position) => ({
        taskHash: taskHashes[position] ?? "0x",
        word,
        output,
      }));
      work.computed = words;
      const finalization = await this.#finalizer.finalize(words, destinationChainId);
      work.results = computed.map((task, position) =>
        localResult(taskHashes[position] ?? "0x", task, finalization),
      );
      work.computed = [];
      this.#end(work, {
        name: "Finalized",
        phase: "finalized",
        detail: describeFinalization(finalization),
      });
    } catch (error) {
      work.error = error;
      // Until the stack is read, V8 keeps what the functions in it hold: the request with its inputs.
      if (error instanceof Error) Reflect.get(error, "stack");
      const detail = errorMessage(error);
      this.#end(work, { name: "Failed", phase: "failed", detail });
    }
  }

  #end(work: Work, status: TaskStatus): void {
    this.#options.onEnded?.(work.submission, status, work.results);
    become(work, status);
    this.#open.delete(work.submission.id);
    for (const hash of work.contents.keys()) {
      const open = this.#contents.get(hash);
      if (open !== undefined && (open.users -= 1) === 0) this.#contents.delete(hash);
    }
    work.contents.clear();
    this.#ended.set(work.submission.id, work);
    dropOldest(this.#ended, MAX_ENDED);
  }

  async #compute(request: TaskRequest, work: Work): Promise<readonly ComputedTask[]> {
    const { signal } = this.#closing;
    return await this.#limiter.run(async () => {
      signal.throwIfAborted();
      const onProgress = (detail: string): void =>
        become(work, { name: "Received", phase: "pending", detail });
      const { runModule, requireProvable } = this.#options;
      return await computeRequest(request.tasks, {
        readersFor: this.#readersFor,
        runModule,
        requireProvable,
        signal,
        onProgress,
      });
    });
  }

  /** Returns the contents of module tasks that their hashes do not cover. A hash has one result. */
  #moduleContents(tasks: readonly Task[], hashes: readonly Hex[]): Map<Hex, string> {
    const contents = new Map<Hex, string>();
    for (const [position, task] of tasks.entries()) {
      const hash = hashes[position];
      if (task.type !== "Module" || hash === undefined) continue;
      const content = jsonText([task.inputs, task.injectedState ?? {}]);
      if ((this.#contents.get(hash)?.content ?? content) !== content) {
        throw hdpError("HDP-1125", { other: "another open task" }, { path: `tasks[${position}]` });
      }
      contents.set(hash, content);
    }
    return contents;
  }

  #work({ id }: Identified): Work {
    const work = this.#open.get(id) ?? this.#ended.get(id);
    if (work === undefined) throw hdpError("HDP-4402", { what: `submission ${id}` });
    return work;
  }
}

function become(work: Work, status: TaskStatus): void {
  if (work.status.name === status.name && work.status.detail === status.detail) return;
  work.status = status;
  for (const listener of [...work.listeners]) listener(status);
}

function localResult(
  hash: Hex,
  computed: ComputedTask,
  finalization: Finalization,
): LocalTaskResult {
  const { store, transactionHash, blockNumber, gasUsed } = finalization;
  return { ...computedResult(hash, computed), store, transactionHash, blockNumber, gasUsed };
}

/** Returns the error of a wait for a local submission that reached its timeout, in milliseconds. */
export function waitEnded(id: string, timeout: number, last: TaskStatus | undefined): HdpError {
  const seen = last?.name ?? "no state was seen";
  const values = { what: `submission ${id}`, timeout: timeout / 1_000, last: seen };
  const hints = [
    "In this process: await it again, with a longer timeout.",
    "Where automine is off, its transaction is pending until a block is mined: await hdp.mine()",
  ];
  return hdpError("HDP-2081", values, { hints });
}
