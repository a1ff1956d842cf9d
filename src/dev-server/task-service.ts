import type { Clock } from "../base/clock.js";
import { grouped, errorMessage } from "../base/text.js";
import { inWords } from "../errors/hdp-error.js";
import type { SubmissionPart, TaskStatus } from "../request/data-processor.js";
import type { TaskRequest } from "../request/task.js";
import type { TaskResult, TaskWord } from "../request/task-result.js";
import { taskHash } from "../request/task-hash.js";
import type { WireEditionName } from "../service/data-processor/edition.js";
import type {
  InProcessProcessor,
  LocalDataProcessor,
} from "../submission/backend/local-data-processor.js";
import { faultEffect } from "../submission/backend/faults/fault.js";
import { faultText } from "../submission/backend/faults/fault-text.js";
import type { FaultQueue } from "../submission/backend/faults/fault-queue.js";
import type { DevServerLimits } from "./body.js";
import type { ServerDatabase } from "./database.js";
import { badRequest, HttpRefusal, tooBusy } from "./refusals.js";
import {
  failureIn,
  hasEnded,
  isFailure,
  countParts,
  publishedStates,
  type Result,
  currentState,
  storedResult,
  type ServerTask,
  type TaskContent,
  updatedAt,
} from "./server-task.js";
import { asHex, TaskRecords } from "./task-records.js";
import type { WebhookSender } from "./webhooks.js";
import type { Effects } from "./route.js";

/** Computes and finalizes accepted tasks, such as `LocalDataProcessor`. */
export interface DevServerProcessor {
  readonly submit: InProcessProcessor["submit"];
  readonly wait: InProcessProcessor["wait"];
  readonly results: InProcessProcessor["results"];
  readonly deliver?: LocalDataProcessor["deliver"];
  readonly computed?: LocalDataProcessor["computed"];
  readonly forget?: LocalDataProcessor["forget"];
}

/** A submission as its body says it, before it is accepted. */
export interface IncomingTask {
  readonly edition: WireEditionName;
  readonly request: TaskRequest;
  readonly webhookUrl?: string | undefined;
  readonly delivery?: ServerTask["delivery"];
  readonly schedule?: ServerTask["schedule"];
}

/** What the parts of the server share. */
export interface ServerContext {
  readonly database: ServerDatabase;
  readonly limits: DevServerLimits;
  readonly clock: Clock;
  /** Returns the time in ISO 8601, UTC. */
  readonly timestamp: () => string;
  readonly newId: () => string;
  /** Identifies the chain and the store in which results are finalized: undefined if that is not known. */
  readonly chain: string | undefined;
  /** Milliseconds from one state of a batch to the next. */
  readonly latency: number;
  readonly faults: FaultQueue | undefined;
  readonly onFailure: (error: unknown) => void;
}

interface TasksOptions extends ServerContext {
  readonly processor: DevServerProcessor;
  readonly webhooks: WebhookSender;
}

/** Maximum number of unfinished requests, and of their tasks and inputs in total. */
const [MAX_LIVE, MAX_LIVE_PARTS] = [10_000, 100_000];

/** Passes tasks to the data processor and reports their states. Finished tasks are read from the database. */
export class TaskService {
  /** The stored tasks. */
  public readonly records: TaskRecords;
  readonly #options: TasksOptions;
  /** Unfinished tasks. Their states are written when they end. */
  readonly #live = new Map<string, ServerTask>();
  /** States set by faults for the next polls of a task. */
  readonly #playedPolls = new Map<string, { readonly state: string; left: number }>();
  readonly #closing = new AbortController();
  /** Number of tasks and inputs of unfinished requests. */
  #parts = 0;
  readonly #work = new Set<Promise<void>>();

  public constructor(options: TasksOptions) {
    this.#options = options;
    this.records = new TaskRecords(options.database, this.#live);
  }

  /** Passes a request to the data processor. @throws HttpRefusal HDP-4518 for its webhook; any error of the processor */
  public async accept(incoming: IncomingTask): Promise<Effects & { task: ServerTask }> {
    const { webhooks, faults } = this.#options;
    const { request } = incoming;
    const webhookUrl =
      incoming.webhookUrl === undefined ? undefined : webhooks.check(incoming.webhookUrl);
    const fault = faults?.takeForSubmission();
    const injected = fault && faultText(fault);
    const {
      work,
      seen,
      polls = Infinity,
      cut,
    } = fault === undefined ? { work: "now" as const } : faultEffect(fault);
    if (work === "never" && seen !== undefined) {
      const { delivery } = incoming;
      const hashes =
        delivery === undefined ? request.tasks.map((task) => taskHash(task)) : [delivery.taskHash];
      const received = this.#received({ ...incoming, webhookUrl }, hashes);
      const state = seen.phase === "failed" ? failureIn(request, seen.name) : seen.name;
      const task = { ...this.#moved(received, [state]), error: seen.detail, wasPlayed: true };
      return { task, write: () => this.records.store(task, null), injected };
    }
    const { size } = this.#live;
    if (size >= MAX_LIVE || this.#parts + countParts(request) > MAX_LIVE_PARTS) {
      const found = `${grouped(size)} requests are under way, with ${grouped(this.#parts)} tasks and inputs`;
      throw tooBusy("tasks", found, "Submit it again once some have ended.");
    }
    const { delivery } = incoming;
    const submission = await this.#submit({ request: () => request, delivery });
    const task = this.#received({ ...incoming, webhookUrl }, [...submission.taskHashes]);
    if (seen !== undefined) this.#playedPolls.set(task.id, { state: seen.name, left: polls });
    return {
      task,
      cut,
      injected,
      write: () => this.records.store(task, "result"),
      begin: () => this.#follow(task, submission),
    };
  }

  async #submit(task: TaskContent): Promise<SubmissionPart> {
    const { processor } = this.#options;
    const { request } = task;
    const words = deliveredWords(task);
    if (words === undefined) return await processor.submit(request());
    if (processor.deliver !== undefined)
      return await processor.deliver(words, request().destinationChainId);
    throw badRequest(
      "the data processor of this server delivers nothing that was computed elsewhere",
    );
  }

  /**
   * Restarts a failed task: after a failed decommitment that stage alone.
   * @throws HttpRefusal HDP-4524 for a task that has not failed, HDP-4533 where the results to deliver are missing; any error
   * of the processor
   */
  public async retry(task: ServerTask): Promise<void> {
    const { id, delivery, computed = [], wasPlayed = false } = task;
    const state = currentState(task);
    if (this.#live.has(id) || !isFailure(state))
      throw new HttpRefusal(inWords("HDP-4524", { id, state }));
    const decommitsOnly = state === "TaskDecommitmentFailed";
    if (decommitsOnly && delivery === undefined && computed.length === 0 && !wasPlayed) {
      const refused = inWords("HDP-4533", { id });
      const body = { error: "Cannot retry decommitment", details: refused.message };
      throw new HttpRefusal(refused, { body });
    }
    await this.#again({ ...task, decommitsOnly });
  }

  /** Ends the fault of a task: starts the task if the fault held it back. @throws as {@link retry} */
  public async release(task: ServerTask): Promise<void> {
    this.#playedPolls.delete(task.id);
    if (this.heldIn(task) !== undefined) await this.#again(task);
  }

  /** Returns the state that a fault reports to polls, or in which a fault holds the task; undefined without a fault. */
  public heldIn(task: ServerTask): string | undefined {
    const played = this.#playedPolls.get(task.id);
    if (played !== undefined && played.left > 0) return played.state;
    if (this.#live.has(task.id) || hasEnded(task)) return undefined;
    return this.records.hasSettled(task.id) ? currentState(task) : undefined;
  }

  async #again(task: ServerTask): Promise<void> {
    const again: ServerTask = { ...this.#moved(task, ["Received"]), results: [], error: undefined };
    this.#live.set(task.id, again);
    try {
      const submission = await this.#submit(again);
      await this.#options.database.write(() => this.records.store(again, "result"));
      this.#follow(again, submission);
    } catch (error) {
      this.#live.delete(task.id);
      throw error;
    }
  }

  /** Returns the state for a poll: the task's own unless a fault sets another. */
  public polledState(task: ServerTask): string {
    const played = this.#playedPolls.get(task.id);
    if (played === undefined || played.left === 0) return currentState(task);
    played.left -= 1;
    return played.state;
  }

  /** Restarts the tasks that an earlier server did not finish, and delivers the webhooks that are due. */
  public async resume(): Promise<void> {
    for (const task of this.records.awaiting("webhook")) this.#track(this.#notify(task));
    for (const task of this.records.awaiting("result")) {
      try {
        this.#follow(task, await this.#submit(task));
      } catch (error) {
        await this.#end(task, failed(error), []);
      }
    }
  }

  /** Stops following tasks. The next server with the data folder restarts the unfinished ones. */
  public async close(): Promise<void> {
    this.#closing.abort(new Error("the server is closing"));
    await Promise.all(this.#work);
  }

  /** Returns a task as it is when it was just received. */
  #received(
    { edition, request, webhookUrl, delivery, schedule }: IncomingTask,
    taskHashes: string[],
  ): ServerTask {
    const { newId, timestamp } = this.#options;
    const createdAt = timestamp();
    const received = {
      id: newId(),
      from_status: null,
      to_status: "Received",
      created_at: createdAt,
    };
    return {
      id: newId(),
      edition,
      request: () => request,
      taskHashes,
      createdAt,
      webhookUrl,
      delivery,
      schedule,
      programName: this.records.programName({ request: () => request, delivery }),
      transitions: [received],
      results: [],
      error: undefined,
    };
  }

  #moved(task: ServerTask, states: readonly string[]): ServerTask {
    const { newId, timestamp } = this.#options;
    const transitions = [...task.transitions];
    for (const to_status of states) {
      const from_status = transitions.at(-1)?.to_status ?? null;
      transitions.push({ id: newId(), from_status, to_status, created_at: timestamp() });
    }
    return { ...task, transitions };
  }

  #observed(task: ServerTask, status: TaskStatus): ServerTask {
    const states = task.transitions.map(({ to_status }) => to_status);
    // The states since the task was last received or retried.
    const passed = states.slice(states.lastIndexOf("Received"));
    const reached = publishedStates(task, status, passed).filter(
      (state) => !passed.includes(state),
    );
    return this.#moved(task, reached);
  }

  #follow(task: ServerTask, submission: SubmissionPart): void {
    this.#live.set(task.id, task);
    const parts = countParts(task.request());
    this.#parts += parts;
    this.#track(this.#watch(task.id, submission).finally(() => (this.#parts -= parts)));
  }

  #track(work: Promise<void>): void {
    const settled = work
      // Fails only where the database cannot be written: every later request reports that.
      .catch(() => undefined)
      .finally(() => this.#work.delete(settled));
    this.#work.add(settled);
  }

  /** Follows the work on a task to its end, and records the end. */
  async #watch(id: string, submission: SubmissionPart): Promise<void> {
    const { processor } = this.#options;
    const { signal } = this.#closing;
    const onStatus = (status: TaskStatus): void => {
      const task = this.#live.get(id);
      if (task !== undefined && status.phase === "pending")
        this.#live.set(id, this.#observed(task, status));
    };
    let last: TaskStatus;
    let results: readonly TaskResult[] = [];
    try {
      last = await processor.wait(submission, { signal, onStatus });
      if (last.phase === "finalized") results = await processor.results(submission);
    } catch (error) {
      if (signal.aborted) return;
      last = failed(error);
    }
    const task = this.#live.get(id);
    if (task === undefined) return;
    const { delivery, computed: before = [] } = task;
    const isUndelivered = last.phase === "failed" && delivery === undefined && before.length === 0;
    const computed = isUndelivered ? (processor.computed?.(submission) ?? []) : [];
    // It may have been computed before the wait for it began.
    const wasComputed = { name: "Computed", phase: "pending" } as const;
    const ending =
      computed.length === 0
        ? task
        : { ...this.#observed(task, wasComputed), computed: computed.map(storedResult) };
    await this.#end(ending, last, results.map(storedResult));
    // The database has it.
    processor.forget?.(submission);
  }

  /** Writes the end of a task before it is reported, so that a reported end survives a crash. */
  async #end(task: ServerTask, last: TaskStatus, results: Result[]): Promise<void> {
    const { database, onFailure, chain } = this.#options;
    const error = last.phase === "failed" ? (last.detail ?? last.name) : undefined;
    const known = [
      ...(task.computed ?? []),
      ...(task.delivery === undefined ? [] : [task.delivery]),
    ];
    const ended: ServerTask = {
      ...this.#observed(task, last),
      results: results.map((result) => ({
        ...result,
        output: result.output ?? known.find((one) => one.taskHash === result.taskHash)?.output,
      })),
      computed: error === undefined ? undefined : task.computed,
      chain: error === undefined ? chain : undefined,
      error,
    };
    const awaits = ended.webhookUrl === undefined ? null : "webhook";
    await database.keep(() => this.records.store(ended, awaits), {
      signal: this.#closing.signal,
      onFailure,
    });
    this.#live.delete(task.id);
    if (awaits !== null) await this.#notify(ended);
  }

  async #notify(task: ServerTask): Promise<void> {
    const { database, webhooks } = this.#options;
    const { signal } = this.#closing;
    const status = currentState(task);
    const error = isFailure(status) ? (task.error ?? status) : undefined;
    const transaction_hash = task.results[0]?.transactionHash;
    const body = { status, task_id: task.id, timestamp: updatedAt(task), error, transaction_hash };
    const attempts = await webhooks.notify(task.webhookUrl ?? "", JSON.stringify(body), signal);
    if (signal.aborted) return;
    await database.write(() => this.records.storeAttempts(task.id, attempts));
  }
}

/** Returns the words of a task that are delivered without being computed; undefined where it is computed. */
function deliveredWords({
  delivery,
  computed = [],
  decommitsOnly,
}: TaskContent): TaskWord[] | undefined {
  if (delivery !== undefined) return [delivery];
  if (decommitsOnly !== true || computed.length === 0) return undefined;
  return computed.map(({ taskHash: hash, word }) => ({ taskHash: asHex(hash), word: asHex(word) }));
}

function failed(error: unknown): TaskStatus {
  return { name: "Failed", phase: "failed", detail: errorMessage(error) };
}
