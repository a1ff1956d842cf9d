import type { Submission, TaskResult, TaskStatus } from "../request/lifecycle.js";

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
