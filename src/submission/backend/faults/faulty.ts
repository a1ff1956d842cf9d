import { setTimeout as sleep } from "node:timers/promises";

import type { Hex } from "viem";

import type { Eip1193Provider } from "../../../base/rpc.js";
import { errorMessage } from "../../../base/text.js";
import type { ChainIdentifier } from "../../../request/chains.js";
import type {
  AwaitOptions,
  CallOptions,
  SubmissionPart,
  TaskStatus,
} from "../../../request/data-processor.js";
import type { Task, TaskRequest } from "../../../request/task.js";
import type { TaskResult } from "../../../request/task-result.js";
import type { ResultSink } from "../finalizer.js";
import { type InProcessProcessor, waitEnded } from "../local-data-processor.js";
import { faultEffect, InjectedFaultError, type SubmissionFault } from "./fault.js";
import type { FaultQueue } from "./fault-queue.js";

interface FaultyDataProcessorOptions {
  readonly processor: InProcessProcessor;
  readonly faults: FaultQueue;
  readonly taskHash: (task: Task) => Hex;
  /** Returns a new id for a submission that the data processor has not received (yet). */
  readonly newId: () => string;
}

/** Answers the next poll of a submission under a fault. */
type Behaviour = (options: CallOptions | undefined) => Promise<TaskStatus>;

/** Milliseconds between two polls of a submission under a fault. */
const PAUSE = 10;

/** Data processor that misbehaves by its queue of faults, each in one submission; other calls pass to the inner one. */
export class FaultyDataProcessor implements InProcessProcessor {
  public readonly name: string;
  readonly #options: FaultyDataProcessorOptions;
  readonly #behaviours = new Map<string, Behaviour>();
  /** Inner submissions of late submissions, by id. */
  readonly #passedOn = new Map<string, SubmissionPart>();

  public constructor(options: FaultyDataProcessorOptions) {
    this.name = options.processor.name;
    this.#options = options;
  }

  /** Submits a request, unless a fault takes its place. @throws InjectedFaultError HDP-4901 for a cut connection or a burst of statuses */
  public async submit(request: TaskRequest, options?: CallOptions): Promise<SubmissionPart> {
    this.#answerBurst();
    const fault = this.#options.faults.takeForSubmission();
    if (fault === undefined) return await this.#options.processor.submit(request, options);
    return await this.#submitFaulty(request, fault, options);
  }

  /** Returns the status of a submission, as its fault has it. @throws InjectedFaultError HDP-4901 for a burst of statuses */
  public async status(submission: SubmissionPart, options?: CallOptions): Promise<TaskStatus> {
    this.#answerBurst();
    const behaviour = this.#behaviours.get(submission.id);
    if (behaviour === undefined) return await this.#options.processor.status(submission, options);
    return await behaviour(options);
  }

  /** Waits for the end of a submission. Continues after a burst of statuses, as the wait for a service does. */
  public async wait(submission: SubmissionPart, options: AwaitOptions = {}): Promise<TaskStatus> {
    const { processor, faults } = this.#options;
    if (!this.#behaviours.has(submission.id) && !faults.answersCalls)
      return await processor.wait(submission, options);
    const { signal, onStatus, timeout = Infinity } = options;
    const end = performance.now() + timeout;
    for (let last: TaskStatus | undefined; ;) {
      signal?.throwIfAborted();
      const status = await this.status(submission).catch((error: unknown) => {
        if (!(error instanceof InjectedFaultError)) throw error;
      });
      if (status !== undefined && (status.name !== last?.name || status.detail !== last.detail))
        onStatus?.(status);
      last = status ?? last;
      if (status !== undefined && status.phase !== "pending") return status;
      if (performance.now() >= end) throw waitEnded(submission.id, timeout, last);
      await sleep(PAUSE, undefined, signal === undefined ? {} : { signal });
    }
  }

  /** Returns the finalized results, in request order. */
  public async results(
    submission: SubmissionPart,
    options?: CallOptions,
  ): Promise<readonly TaskResult[]> {
    return await this.#options.processor.results(this.inner(submission), options);
  }

  /** Returns the submission as the inner data processor knows it. */
  public inner(submission: SubmissionPart): SubmissionPart {
    return this.#passedOn.get(submission.id) ?? submission;
  }

  #answerBurst(): void {
    const status = this.#options.faults.takeForCall();
    if (status !== undefined)
      throw new InjectedFaultError(`the data processor answered ${status}`, status);
  }

  async #submitFaulty(
    request: TaskRequest,
    fault: SubmissionFault,
    options?: CallOptions,
  ): Promise<SubmissionPart> {
    const { processor, newId } = this.#options;
    const { work, seen, polls = Infinity, cut } = faultEffect(fault);
    let inner = work === "now" ? processor.submit(request, options) : undefined;
    const submission = (await inner) ?? this.#unsent(newId(), request);
    if (cut === true)
      throw new InjectedFaultError("the connection ended before the answer arrived");
    let left = polls;
    this.#behaviours.set(submission.id, async (call) => {
      if (seen !== undefined && left > 0) {
        left -= 1;
        return seen;
      }
      const passedOn = await (inner ??= processor.submit(request));
      this.#passedOn.set(submission.id, passedOn);
      return await processor.status(passedOn, call);
    });
    return submission;
  }

  /** Returns the submission of a request that the inner data processor did not get. */
  #unsent(id: string, { destinationChainId, tasks }: TaskRequest): SubmissionPart {
    return {
      id,
      processor: this.name,
      destinationChainId,
      taskHashes: tasks.map(this.#options.taskHash),
    };
  }
}

/** Replaces the last `depth` blocks of a chain, counted since the fork point was made, by other blocks. */
export type Reorganise = (depth: number) => Promise<void>;

/** Returns a sink that stores a wrong value, or reverts the chain to the block of `forkPoint`, by its queue. */
export function faultyFinalization(
  sink: ResultSink,
  faults: FaultQueue,
  forkPoint: (destinationChainId: ChainIdentifier) => Promise<Reorganise>,
): ResultSink {
  return {
    finalize: async (results, destinationChainId) => {
      const fault = faults.takeForFinalization();
      if (fault?.kind === "wrong-result") {
        const wrong = results.map((result, index) =>
          index === 0 ? { ...result, word: fault.word } : result,
        );
        return await sink.finalize(wrong, destinationChainId);
      }
      const reorganise = fault === undefined ? undefined : await forkPoint(destinationChainId);
      const finalization = await sink.finalize(results, destinationChainId);
      if (fault !== undefined) await reorganise?.(fault.depth);
      return finalization;
    },
  };
}

/**
 * Makes the current block of a development chain a fork point. The new branch is one block longer and starts a minute
 * later, so that all its blocks have other hashes.
 * @throws InjectedFaultError HDP-4901 without `evm_snapshot`
 */
export async function makeForkPoint(provider: Eip1193Provider): Promise<Reorganise> {
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    await provider.request({ method, params });
  const snapshot = await call("evm_snapshot").catch((error: unknown) => {
    const reason = errorMessage(error);
    throw new InjectedFaultError(`the chain cannot be reorganised: ${reason}`);
  });
  return async (depth) => {
    // The block of the finalization is the first of the `depth`; the others are mined on top of it.
    for (let mined = 1; mined < depth; mined += 1) await call("evm_mine");
    await call("evm_revert", snapshot);
    await call("evm_increaseTime", 60);
    for (let mined = 0; mined <= depth; mined += 1) await call("evm_mine");
  };
}
