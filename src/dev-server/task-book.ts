import type { DataProcessor, SubmissionPart, TaskStatus } from "../request/lifecycle.js";
import { taskHash } from "../request/task-hash.js";
import type { TaskRequest } from "../request/task.js";
import type { WireEditionName } from "../service/data-processor/edition.js";
import { keep, type FrontLog, type LogLine } from "./front-log.js";
import { TaskIndex } from "./task-index.js";
import { acceptedEntry, acceptedOf, endedEntry, type TaskEntry, taskLineHead } from "./task-log.js";
import { storedResult, TaskRecord, type AcceptedTask, type Idempotency } from "./task-record.js";
import { isFailure, publishedStates } from "./task-states.js";

export interface TaskBookOptions {
  readonly processor: Pick<Required<DataProcessor>, "submit" | "wait" | "results">;
  readonly log: FrontLog;
  /** How many tasks can still be asked about; the oldest that ended are forgotten first. */
  readonly remembered?: number | undefined;
  /** ISO 8601, UTC. */
  readonly timestamp: () => string;
  readonly newId: () => string;
  /** Told of what cannot be kept; it is tried again. */
  readonly onFailure: (error: unknown) => void;
  /** Called when a task ended that carries a webhook. Resolves when nothing is left to do for it. */
  readonly notify: (record: TaskRecord, signal: AbortSignal) => Promise<void>;
}

export interface IncomingTask {
  readonly edition: WireEditionName;
  readonly request: TaskRequest;
  readonly webhookUrl?: string | undefined;
  readonly idempotency?: Idempotency | undefined;
}

/** All tasks of a front: hands them to the data processor, and knows how each stands. */
export class TaskBook {
  readonly #options: TaskBookOptions;
  readonly #index: TaskIndex;
  readonly #closing = new AbortController();
  readonly #following = new Set<Promise<void>>();

  public constructor(options: TaskBookOptions) {
    this.#options = options;
    this.#index = new TaskIndex(options.log, options.remembered);
  }

  public get index(): Omit<TaskIndex, "add" | "shelve"> {
    return this.#index;
  }

  /**
   * Accepts a request: it is being worked on, and will not be lost, when the promise resolves.
   *
   * @throws what the data processor refuses it with; what kept the log from being written.
   */
  public async accept({ edition, request, webhookUrl, idempotency }: IncomingTask): Promise<TaskRecord> {
    const { processor, newId, timestamp, log } = this.#options;
    const submission = await processor.submit(request);
    const { taskHashes } = submission;
    const accepted: AcceptedTask = {
      ...{ id: newId(), edition, request, taskHashes, createdAt: timestamp() },
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      ...(idempotency === undefined ? {} : { idempotency }),
    };
    await log.append(acceptedEntry(accepted));
    const record = this.#add(accepted);
    this.#follow(record, submission);
    return record;
  }

  /** Accepts a request that nothing is done for; it stays as it is put. */
  public async withhold(input: IncomingTask, state: string, error: string | undefined): Promise<TaskRecord> {
    const { newId, timestamp, log } = this.#options;
    const { request, ...others } = input;
    const hashes = request.tasks.map((task) => taskHash(task));
    const accepted = { ...others, request, id: newId(), taskHashes: hashes, createdAt: timestamp() };
    await log.append(acceptedEntry(accepted));
    const record = this.#add(accepted);
    record.move(state, accepted.createdAt, newId());
    record.finished([], error);
    await log.append(endedEntry(record));
    return record;
  }

  /** Whether the record is of a task that failed and can be begun anew. */
  public isRetryable(record: TaskRecord): boolean {
    return isFailure(record.state);
  }

  /** Begins a failed task anew. @throws as `accept`; then nothing is changed. */
  public async retry(record: TaskRecord): Promise<void> {
    const { processor, timestamp, newId, log } = this.#options;
    const submission = await processor.submit(record.accepted.request);
    const at = timestamp();
    const entry: TaskEntry = { type: "task-retried", id: record.accepted.id, at };
    await log.append(entry);
    record.move("Received", at, newId());
    record.finished([], undefined);
    this.#follow(record, submission);
  }

  /** Takes a line of the log that need not be read. @returns false where it is to be replayed. */
  public shelve(line: LogLine): boolean {
    const head = line.isSealed ? taskLineHead(line.bytes) : undefined;
    return head !== undefined && this.#index.shelve(head, line);
  }

  /** Puts back what a log remembers; then `resume` goes on with what was under way. */
  public async replay(entry: TaskEntry): Promise<void> {
    if (entry.type === "task") {
      this.#add(acceptedOf(entry));
      return;
    }
    const record = await this.#index.find(entry.id);
    if (record === undefined) return;
    switch (entry.type) {
      case "task-ended":
        record.restore(entry.transitions, entry.results, entry.error);
        if (record.accepted.webhookUrl !== undefined) this.#unnotified.add(record);
        return;
      case "task-retried":
        record.move("Received", entry.at, this.#options.newId());
        record.finished([], undefined);
        return;
      case "task-notified":
        this.#unnotified.delete(record);
    }
  }

  readonly #unnotified = new Set<TaskRecord>();

  /** Begins all tasks again that were accepted and had not ended, and delivers the webhooks that are due. */
  public async resume(): Promise<void> {
    for (const record of this.#unnotified) this.#track(this.#notify(record));
    this.#unnotified.clear();
    const open = await this.#index.open();
    for (const record of open.filter(({ state }) => state === "Received")) {
      try {
        this.#follow(record, await this.#options.processor.submit(record.accepted.request));
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        await this.#end(record, { name: "Failed", phase: "failed", detail }, []);
      }
    }
  }

  /** Stops watching tasks; those that had not ended go on when the log is opened again. */
  public async close(): Promise<void> {
    this.#closing.abort(new Error("the server is closing"));
    await Promise.all(this.#following);
  }

  #add(accepted: AcceptedTask): TaskRecord {
    const record = new TaskRecord(accepted, this.#options.newId);
    this.#index.add(record);
    return record;
  }

  #follow(record: TaskRecord, submission: SubmissionPart): void {
    this.#track(this.#watch(record, submission));
  }

  #track(work: Promise<void>): void {
    const settled = work
      // Only a log that cannot be written fails here: every later submission then says so.
      .catch(() => undefined)
      .finally(() => this.#following.delete(settled));
    this.#following.add(settled);
  }

  async #watch(record: TaskRecord, submission: SubmissionPart): Promise<void> {
    const { processor } = this.#options;
    const { signal } = this.#closing;
    let last: TaskStatus;
    try {
      last = await processor.wait(submission, {
        signal,
        onStatus: (status) => {
          if (status.phase === "pending") this.#observe(record, status);
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      last = { name: "Failed", phase: "failed", detail: error instanceof Error ? error.message : String(error) };
    }
    const results = last.phase === "finalized" ? (await processor.results(submission)).map(storedResult) : [];
    await this.#end(record, last, results);
  }

  /** An end is shown once it is kept: what a client has seen end has ended for a process that starts after a crash. */
  async #end(record: TaskRecord, last: TaskStatus, results: TaskRecord["results"]): Promise<void> {
    const { log, onFailure } = this.#options;
    const ended = record.copy();
    this.#observe(ended, last);
    ended.finished(results, last.phase === "failed" ? (last.detail ?? last.name) : undefined);
    await keep(log, endedEntry(ended), { signal: this.#closing.signal, onFailure });
    record.restore(ended.transitions, ended.results, ended.error);
    await this.#notify(record);
  }

  async #notify(record: TaskRecord): Promise<void> {
    if (record.accepted.webhookUrl === undefined) return;
    await this.#options.notify(record, this.#closing.signal);
    if (this.#closing.signal.aborted) return;
    const entry: TaskEntry = { type: "task-notified", id: record.accepted.id };
    await this.#options.log.append(entry);
  }

  #observe(record: TaskRecord, status: TaskStatus): void {
    const { timestamp, newId } = this.#options;
    const passed = record.passed;
    for (const state of publishedStates(record.accepted.request, status, passed)) {
      if (!passed.includes(state)) record.move(state, timestamp(), newId());
    }
  }
}
