import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { CallOptions, Submission, TaskStatus } from "../../request/lifecycle.js";
import { taskHash } from "../../request/task-hash.js";
import type { TaskRequest } from "../../request/task.js";
import type { LocalDataProcessor, WaitForSubmissionOptions } from "../local-data-processor.js";
import type { LocalTaskResult } from "../submission-record.js";
import { FaultyDataProcessor } from "./faulty-data-processor.js";
import type { FaultQueue } from "./fault-queue.js";
import { InjectedFaultError } from "./fault.js";

/** Between two looks at a submission under a fault, in milliseconds. */
const PAUSE_MS = 10;

/** The local data processor with what its queue of faults says: without faults it waits without polling, as ever. */
export class FaultyLocalProcessor {
  readonly #processor: LocalDataProcessor;
  readonly #faulty: FaultyDataProcessor;
  readonly #faults: FaultQueue;

  public constructor(processor: LocalDataProcessor, faults: FaultQueue) {
    this.#processor = processor;
    this.#faults = faults;
    this.#faulty = new FaultyDataProcessor({ processor, faults, taskHash, newId: randomUUID });
  }

  /** @throws InjectedFaultError HDP-4901, HDP-4902 */
  public async submit(request: TaskRequest, options?: CallOptions): Promise<Submission> {
    return await this.#faulty.submit(request, options);
  }

  /** @throws InjectedFaultError HDP-4902 */
  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    return await this.#faulty.status(submission, options);
  }

  /** Waits for the end. A burst of statuses is lived through, as the wait for a service lives through it. */
  public async wait(submission: Submission, options: WaitForSubmissionOptions = {}): Promise<TaskStatus> {
    if (!this.#faulty.isOdd(submission) && !this.#faults.answersCalls) {
      return await this.#processor.wait(submission, options);
    }
    const { signal, onStatus } = options;
    for (let told: TaskStatus | undefined; ;) {
      signal?.throwIfAborted();
      const status = await this.#look(submission);
      if (status !== undefined && (status.name !== told?.name || status.detail !== told.detail)) onStatus?.(status);
      told = status ?? told;
      if (status !== undefined && status.phase !== "pending") return status;
      await sleep(PAUSE_MS, undefined, signal === undefined ? {} : { signal });
    }
  }

  /** The finalized results of a submission, in request order. */
  public async results(submission: Submission): Promise<readonly LocalTaskResult[]> {
    return await this.#processor.results(this.#faulty.inner(submission));
  }

  async #look(submission: Submission): Promise<TaskStatus | undefined> {
    try {
      return await this.#faulty.status(submission);
    } catch (error) {
      if (error instanceof InjectedFaultError) return undefined;
      throw error;
    }
  }
}
