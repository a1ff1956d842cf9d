import type { Hex } from "viem";

import type { CallOptions, DataProcessor, Submission, TaskStatus } from "../../request/lifecycle.js";
import type { Task, TaskRequest } from "../../request/task.js";
import type { FaultQueue } from "./fault-queue.js";
import { InjectedFaultError, type SubmissionFault } from "./fault.js";

export interface FaultyDataProcessorOptions {
  readonly processor: DataProcessor;
  readonly faults: FaultQueue;
  readonly taskHash: (task: Task) => Hex;
  /** An id for a submission that the data processor has not been given (yet). */
  readonly newId: () => string;
}

/** How a submission under a fault answers its next poll. */
type Behaviour = (options: CallOptions | undefined) => Promise<TaskStatus>;

/**
 * A data processor that misbehaves as its queue of faults says, and otherwise does what the one inside does. Each
 * fault of a submission happens to one submission.
 */
export class FaultyDataProcessor implements DataProcessor {
  public readonly name: string;
  readonly #options: FaultyDataProcessorOptions;
  readonly #behaviours = new Map<string, Behaviour>();
  /** What late submissions became when they were passed on. */
  readonly #passedOn = new Map<string, Submission>();

  public constructor(options: FaultyDataProcessorOptions) {
    this.name = options.processor.name;
    this.#options = options;
  }

  /** @throws InjectedFaultError HDP-4901 for a cut connection, HDP-4902 for a burst of statuses */
  public async submit(request: TaskRequest, options?: CallOptions): Promise<Submission> {
    this.#answerBurst();
    const fault = this.#options.faults.takeForSubmission();
    return fault === undefined
      ? await this.#options.processor.submit(request, options)
      : await this.#submitFaulty(request, fault, options);
  }

  /** @throws InjectedFaultError HDP-4902 for a burst of statuses */
  public async status(submission: Submission, options?: CallOptions): Promise<TaskStatus> {
    this.#answerBurst();
    const behaviour = this.#behaviours.get(submission.id);
    return behaviour === undefined
      ? await this.#options.processor.status(submission, options)
      : await behaviour(options);
  }

  /** Whether polls of a submission are not simply passed on. */
  public isOdd({ id }: Submission): boolean {
    return this.#behaviours.has(id);
  }

  /** The submission as the data processor inside knows it, if it does. */
  public inner(submission: Submission): Submission {
    return this.#passedOn.get(submission.id) ?? submission;
  }

  #answerBurst(): void {
    const status = this.#options.faults.takeForCall();
    if (status !== undefined) throw InjectedFaultError.burst(status);
  }

  async #submitFaulty(request: TaskRequest, fault: SubmissionFault, options?: CallOptions): Promise<Submission> {
    const { processor } = this.#options;
    switch (fault.kind) {
      case "stuck-at":
        return this.#withhold(request, { name: fault.state, phase: "pending" });
      case "fails-at":
        return this.#withhold(request, { name: fault.state, phase: "failed", detail: fault.message });
      case "late-finalization":
        return this.#postpone(request, fault.polls);
      case "cut-after-acceptance":
        await processor.submit(request, options);
        throw InjectedFaultError.cut();
      case "unknown-state": {
        const submission = await processor.submit(request, options);
        let left = fault.polls;
        this.#behaviours.set(submission.id, async (call) => {
          if (left === 0) return await processor.status(submission, call);
          left -= 1;
          return { name: fault.name, phase: "pending" };
        });
        return submission;
      }
    }
  }

  #accept(request: TaskRequest, behaviour: Behaviour): Submission {
    const { taskHash, newId } = this.#options;
    const { destinationChainId, tasks } = request;
    const submission = { id: newId(), processor: this.name, destinationChainId, taskHashes: tasks.map(taskHash) };
    this.#behaviours.set(submission.id, behaviour);
    return submission;
  }

  /** Accepts without passing on, so that no result can arrive. */
  #withhold(request: TaskRequest, status: TaskStatus): Submission {
    return this.#accept(request, async () => await Promise.resolve(status));
  }

  /** Passes the request on at the poll after the given number of them. */
  #postpone(request: TaskRequest, polls: number): Submission {
    const { processor } = this.#options;
    let left = polls;
    let passedOn: Promise<Submission> | undefined;
    const accepted = this.#accept(request, async (call) => {
      if (left > 0) {
        left -= 1;
        return { name: "Received", phase: "pending" };
      }
      passedOn ??= processor.submit(request);
      const submission = await passedOn;
      this.#passedOn.set(accepted.id, submission);
      return await processor.status(submission, call);
    });
    return accepted;
  }
}
