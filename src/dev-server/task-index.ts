import type { LinePlace } from "../base/line-places.js";
import type { FrontLog } from "./front-log.js";
import { acceptedOf, type TaskLineHead, taskEntrySchema } from "./task-log.js";
import { TaskRecord } from "./task-record.js";
import { isTerminal } from "./task-states.js";

/** Ended tasks that can still be asked about; older ones are forgotten. */
const REMEMBERED = 100_000;

/** A task whose lines are in the log, and nothing more. */
class ShelvedTask {
  readonly accepted: LinePlace;
  readonly key: string | undefined;
  ended: LinePlace | undefined;
  #reading: Promise<TaskRecord> | undefined;

  public constructor(accepted: LinePlace, key: string | undefined) {
    this.accepted = accepted;
    this.key = key;
  }

  /** One record, whoever asks and how often. */
  public async read(log: FrontLog): Promise<TaskRecord> {
    return await (this.#reading ??= this.look(log));
  }

  /** A record that nobody else sees. */
  public async look(log: FrontLog): Promise<TaskRecord> {
    const accepted = taskEntrySchema.parse(await log.entryAt(this.accepted));
    if (accepted.type !== "task") throw new Error("the log was changed while it was in use");
    const record = new TaskRecord(acceptedOf(accepted), () => "");
    const ended = this.ended && taskEntrySchema.parse(await log.entryAt(this.ended));
    if (ended?.type === "task-ended") record.restore(ended.transitions, ended.results, ended.error);
    return record;
  }
}

/**
 * The tasks that a front remembers, oldest first. Those that ended before it started stay in its log until somebody
 * asks for them: a hundred thousand of them are as many places in a file.
 */
export class TaskIndex {
  readonly #log: FrontLog;
  readonly #remembered: number;
  readonly #tasks = new Map<string, TaskRecord | ShelvedTask>();
  readonly #byKey = new Map<string, string>();
  /** Bytes of lines in the log whose tasks are forgotten, as far as they were not read. */
  #forgottenBytes = 0;
  /** Goes round the tasks, so that each look for an old one begins where the last one ended. */
  #oldest = this.#tasks.entries();

  public constructor(log: FrontLog, remembered = REMEMBERED) {
    this.#log = log;
    this.#remembered = remembered;
  }

  public get forgottenBytes(): number {
    return this.#forgottenBytes;
  }

  public has(id: string): boolean {
    return this.#tasks.has(id);
  }

  public add(record: TaskRecord): void {
    const { id, idempotency } = record.accepted;
    this.#put(id, record, idempotency?.key);
  }

  /** Takes a line of the log without reading it. @returns false where it has to be read. */
  public shelve({ type, id, key }: TaskLineHead, { start, length }: LinePlace): boolean {
    if (type === "task") {
      this.#put(id, new ShelvedTask({ start, length }, key), key);
      return true;
    }
    const task = this.#tasks.get(id);
    // A task that was begun anew has a record.
    if (task instanceof TaskRecord) return false;
    if (task !== undefined) task.ended = { start, length };
    return true;
  }

  public async find(id: string): Promise<TaskRecord | undefined> {
    const task = this.#tasks.get(id);
    if (!(task instanceof ShelvedTask)) return task;
    const record = await task.read(this.#log);
    // From here on changes are seen by everyone who asks.
    if (this.#tasks.get(id) === task) this.#tasks.set(id, record);
    return record;
  }

  /** The task accepted under an `Idempotency-Key`; known at once when there is none. */
  public findByKey(key: string): Promise<TaskRecord | undefined> | undefined {
    const id = this.#byKey.get(key);
    return id === undefined ? undefined : this.find(id);
  }

  /** Newest first. */
  public ids(): string[] {
    return [...this.#tasks.keys()].reverse();
  }

  /** Those of a test's choice, newest first. Every task is read for it, and only the chosen ones are kept in memory. */
  public async idsWhere(isWanted: (record: TaskRecord) => boolean): Promise<string[]> {
    const wanted: string[] = [];
    for (const id of this.ids()) {
      const task = this.#tasks.get(id);
      const record = task instanceof ShelvedTask ? await task.look(this.#log) : task;
      if (record !== undefined && isWanted(record)) wanted.push(id);
    }
    return wanted;
  }

  public async all(ids: readonly string[]): Promise<TaskRecord[]> {
    const records = await Promise.all(ids.map(async (id) => await this.find(id)));
    return records.filter((record) => record !== undefined);
  }

  /** Those that had not ended. */
  public async open(): Promise<TaskRecord[]> {
    const open: TaskRecord[] = [];
    for (const [id, task] of this.#tasks) {
      if (task instanceof ShelvedTask && task.ended !== undefined) continue;
      const record = await this.find(id);
      if (record !== undefined && !isTerminal(record.state)) open.push(record);
    }
    return open;
  }

  #put(id: string, task: TaskRecord | ShelvedTask, key: string | undefined): void {
    this.#tasks.set(id, task);
    if (key !== undefined) this.#byKey.set(key, id);
    if (this.#tasks.size > this.#remembered) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (let looks = this.#tasks.size; looks > 0; looks -= 1) {
      const next = this.#oldest.next();
      if (next.done === true) {
        this.#oldest = this.#tasks.entries();
        continue;
      }
      const [id, task] = next.value;
      const isShelved = task instanceof ShelvedTask;
      if (isShelved ? task.ended === undefined : !isTerminal(task.state)) continue;
      this.#tasks.delete(id);
      const key = isShelved ? task.key : task.accepted.idempotency?.key;
      if (key !== undefined) this.#byKey.delete(key);
      if (isShelved) this.#forgottenBytes += task.accepted.length + (task.ended?.length ?? 0);
      return;
    }
  }
}
