import type { Hex } from "viem";

import type { DataProcessor, Submission, SubmitOptions, TaskStatus } from "../../../src/request/lifecycle.js";
import type { TaskRequest } from "../../../src/request/task.js";
import { taskHash } from "./fixtures.js";
import { Lifetime } from "../../support/memory-disk.js";

export type Answer = "accept" | "refuse" | "cut-before" | "cut-after";

export class Refusal extends Error {}

export interface Arrival {
  readonly answer: Answer;
  readonly hashes: readonly Hex[];
  /** The id under which it was accepted. */
  readonly id?: string;
}

/** A service that remembers what reached it, independent of what its caller believes. */
export class TestService implements DataProcessor {
  public readonly name = "tasks";
  public readonly arrivals: Arrival[] = [];
  /** Under which idempotency keys it was asked. */
  public readonly keys: (string | undefined)[] = [];
  public readonly states = new Map<string, TaskStatus>();
  public answer: Answer = "accept";
  public life = new Lifetime();
  /** Called as a request leaves the process. */
  public onSend: (hashes: readonly Hex[]) => void = () => undefined;
  /** Ids that are given before the usual ones. */
  public readonly nextIds: string[] = [];
  public serviceTaskHashes: readonly Hex[] | undefined;
  readonly #asked: string[] = [];

  public get asked(): readonly string[] {
    return this.#asked;
  }

  public async submit(request: TaskRequest, options?: SubmitOptions): Promise<Submission> {
    this.keys.push(options?.idempotencyKey);
    const hashes = request.tasks.map(taskHash);
    this.life.step();
    this.onSend(hashes);
    const isAccepted = this.answer === "accept" || this.answer === "cut-after";
    const id = this.nextIds.shift() ?? `task-${this.arrivals.length + 1}`;
    this.arrivals.push({ answer: this.answer, hashes, ...(isAccepted ? { id } : {}) });
    if (isAccepted) this.states.set(id, { name: "RECEIVED", phase: "pending" });
    await Promise.resolve();
    this.life.step();
    if (this.answer === "refuse") throw new Refusal("the service said no");
    if (this.answer !== "accept") throw new Error("socket hang up https://key@host/?apiKey=s3cret");
    return {
      ...{ id, processor: "tasks", destinationChainId: request.destinationChainId, taskHashes: hashes },
      ...(this.serviceTaskHashes === undefined ? {} : { serviceTaskHashes: this.serviceTaskHashes }),
    };
  }

  public async status(submission: Submission): Promise<TaskStatus> {
    await Promise.resolve();
    this.life.step();
    this.#asked.push(submission.id);
    return this.states.get(submission.id) ?? { name: "UNHEARD_OF", phase: "pending" };
  }
}

export const outcomeOf = (error: unknown): "refused" | "unknown" => (error instanceof Refusal ? "refused" : "unknown");
