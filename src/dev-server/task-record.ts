import { z } from "zod";

import type { TaskResult } from "../request/lifecycle.js";
import type { TaskRequest } from "../request/task.js";
import type { WireEditionName } from "../service/data-processor/edition.js";

export const transitionSchema = z.object({
  id: z.string(),
  from_status: z.string().nullable(),
  to_status: z.string(),
  created_at: z.string(),
});
export type Transition = z.infer<typeof transitionSchema>;

/** What is kept of a finalized task. */
export const storedResultSchema = z.object({
  taskHash: z.string(),
  word: z.string(),
  transactionHash: z.string().optional(),
  /** Felts that a module returned. */
  output: z.array(z.string()).optional(),
});
export type StoredResult = z.infer<typeof storedResultSchema>;

/** What a client calls a submission, with a digest of what it submitted: SHA-256 over path and body. */
export const idempotencySchema = z.object({ key: z.string(), digest: z.string() });
export type Idempotency = Readonly<z.infer<typeof idempotencySchema>>;

/** What a client submitted. */
export interface AcceptedTask {
  readonly id: string;
  /** Shape in which it was submitted. */
  readonly edition: WireEditionName;
  readonly request: TaskRequest;
  readonly taskHashes: readonly string[];
  readonly createdAt: string;
  readonly webhookUrl?: string | undefined;
  readonly idempotency?: Idempotency | undefined;
}

/** A submission of one or several tasks, and how it stands. */
export class TaskRecord {
  readonly accepted: AcceptedTask;
  #transitions: Transition[];
  #error: string | undefined;
  #results: readonly StoredResult[] = [];

  public constructor(accepted: AcceptedTask, newId: () => string) {
    this.accepted = accepted;
    this.#transitions = [{ id: newId(), from_status: null, to_status: "Received", created_at: accepted.createdAt }];
  }

  public get state(): string {
    return this.#transitions.at(-1)?.to_status ?? "Received";
  }

  public get transitions(): readonly Transition[] {
    return this.#transitions;
  }

  /** States since it was received or retried last. */
  public get passed(): readonly string[] {
    const states = this.#transitions.map(({ to_status }) => to_status);
    return states.slice(states.lastIndexOf("Received"));
  }

  public get updatedAt(): string {
    return this.#transitions.at(-1)?.created_at ?? this.accepted.createdAt;
  }

  public get error(): string | undefined {
    return this.#error;
  }

  /** One for each task in request order, once finalized. */
  public get results(): readonly StoredResult[] {
    return this.#results;
  }

  public move(state: string, at: string, id: string): void {
    this.#transitions.push({ id, from_status: this.state, to_status: state, created_at: at });
  }

  public finished(results: readonly StoredResult[], error: string | undefined): void {
    this.#results = results;
    this.#error = error;
  }

  /** The same to go on with, without anybody seeing it. */
  public copy(): TaskRecord {
    const copy = new TaskRecord(this.accepted, () => "");
    copy.restore(this.#transitions, this.#results, this.#error);
    return copy;
  }

  /** Puts back what a log remembers. */
  public restore(
    transitions: readonly Transition[],
    results: readonly StoredResult[],
    error: string | undefined,
  ): void {
    this.#transitions = [...transitions];
    this.finished(results, error);
  }
}

export function storedResult(result: TaskResult): StoredResult {
  const { taskHash, word, transactionHash } = result;
  const output: unknown = "output" in result ? result.output : undefined;
  return {
    ...{ taskHash, word },
    ...(transactionHash === undefined ? {} : { transactionHash }),
    ...(Array.isArray(output) ? { output: output.map((felt: bigint) => `0x${felt.toString(16)}`) } : {}),
  };
}
