import type { Hex } from "viem";

import { jsonText } from "../base/json.js";
import type { Row } from "../base/sqlite.js";
import { describeTask } from "../request/describe-task.js";
import { toTaskRequestJson } from "../request/task-json.js";
import { standardProgram } from "../request/standard-programs.js";
import type { SubmissionView } from "../request/views.js";
import { type ServerDatabase, textIn } from "./database.js";
import {
  DELIVERED_TITLE,
  currentPhase,
  moduleHashes,
  publishedFields,
  type StoredRunOutput,
  type ServerTask,
  storedTask,
  type TaskContent,
} from "./server-task.js";
import type { WebhookAttempt } from "./webhooks.js";

/** What a stored task waits for; null for one that has ended. */
type Awaits = "result" | "webhook" | null;

/** Selects a page of submissions. */
export interface Selection {
  /** Lower case: part of a title, an id, a hash, a program's name or a state. */
  readonly search: string;
  readonly phase: SubmissionView["phase"] | undefined;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** The tasks of the server as they are stored; of those that are not finished, as they are now. */
export class TaskRecords {
  readonly #database: ServerDatabase;
  readonly #live: ReadonlyMap<string, ServerTask>;

  public constructor(database: ServerDatabase, live: ReadonlyMap<string, ServerTask>) {
    this.#database = database;
    this.#live = live;
  }

  /** Returns the task of an id; undefined if the server has none. */
  public find(id: string): ServerTask | undefined {
    const live = this.#live.get(id);
    if (live !== undefined) return live;
    const row = this.#database.get("SELECT id, task FROM task WHERE id = ?", id);
    return row && this.#readTask(row);
  }

  /** Returns a page of the published list of the tasks whose id or hashes contain the text, and their number. */
  public list({
    search = "",
    page,
    perPage,
  }: {
    search?: string | undefined;
    page: number;
    perPage: number;
  }): {
    readonly tasks: readonly unknown[];
    readonly total: number;
  } {
    const database = this.#database;
    const [where, values] =
      search === "" ? ["", []] : ["WHERE instr(searched, ?) > 0", [search.toLowerCase()]];
    const total = Number(
      database.get(`SELECT count(*) AS total FROM task ${where}`, ...values)?.["total"],
    );
    const rows = database.all(
      `SELECT id, listed FROM task ${where} ORDER BY number DESC LIMIT ? OFFSET ?`,
      ...values,
      perPage,
      (page - 1) * perPage,
    );
    const tasks = rows.map((row): unknown => {
      const live = this.#live.get(textIn(row, "id"));
      return live === undefined ? JSON.parse(textIn(row, "listed")) : listed(live);
    });
    return { total, tasks };
  }

  /** Returns at most `most` tasks, newest first. */
  public newest(most: number): readonly ServerTask[] {
    const rows = this.#database.all("SELECT id, task FROM task ORDER BY number DESC LIMIT ?", most);
    return rows.map((row) => this.#live.get(textIn(row, "id")) ?? this.#readTask(row));
  }

  /** Returns a page of the selected tasks, newest first, and their number. */
  public select({ search, phase, page, perPage }: Selection): {
    readonly tasks: readonly ServerTask[];
    readonly total: number;
  } {
    const where = `WHERE (? = '' OR instr(searched || ' ' || title || ' ' || lower(listed ->> 'status'), ?) > 0) AND (? IS NULL OR phase = ?)`;
    const values = [search, search, phase ?? null, phase ?? null];
    const counted = this.#database.get(`SELECT count(*) AS total FROM task ${where}`, ...values);
    const rows = this.#database.all(
      `SELECT id, task FROM task ${where} ORDER BY number DESC LIMIT ? OFFSET ?`,
      ...values,
      perPage,
      (page - 1) * perPage,
    );
    const tasks = rows.map((row) => this.#live.get(textIn(row, "id")) ?? this.#readTask(row));
    return { total: Number(counted?.["total"]), tasks };
  }

  /** Returns the output of a run by its id at the prover: of one delivered before, or of a task of this server. */
  public findOutput(queryId: string): StoredRunOutput | undefined {
    const database = this.#database;
    const rows = database.all(
      "SELECT id, task FROM task WHERE instr(searched, ?) > 0 ORDER BY number DESC",
      queryId.toLowerCase(),
    );
    const tasks = rows.map((row) => this.#readTask(row));
    const before = tasks.find(({ delivery }) => delivery?.queryId === queryId)?.delivery;
    if (before !== undefined) return before;
    const own = tasks.find(({ id }) => id === queryId);
    const [result, ...others] = own === undefined ? [] : [...own.results, ...(own.computed ?? [])];
    if (own === undefined || result === undefined || others.length > 0) return undefined;
    const { taskHash: hash, word, output } = result;
    const programHash = moduleHashes(own)[0];
    return { taskHash: asHex(hash), word: asHex(word), output, mmrs: [], programHash };
  }

  /** Returns the stored tasks that wait for something, oldest first. */
  public awaiting(what: Exclude<Awaits, null>): ServerTask[] {
    return this.#database
      .all("SELECT id, task FROM task WHERE awaits = ? ORDER BY number", what)
      .map((row) => this.#readTask(row));
  }

  /** Returns whether a stored task waits for nothing. */
  public hasSettled(id: string): boolean {
    return this.#database.get("SELECT awaits FROM task WHERE id = ?", id)?.["awaits"] === null;
  }

  /** Returns the name of the only program of a task: a standard program's, or the registry's. */
  public programName(task: TaskContent): string | undefined {
    const [hash, ...others] = moduleHashes(task);
    if (hash === undefined || others.length > 0) return undefined;
    const standard = standardProgram(asHex(hash));
    if (standard !== undefined) return standard.name;
    const row = this.#database.get(
      "SELECT name FROM module WHERE instr(body, ?) > 0 ORDER BY number DESC LIMIT 1",
      JSON.stringify(hash),
    );
    return row && textIn(row, "name");
  }

  /** Stores a task. Called within a write. */
  public store({ request, ...task }: ServerTask, awaits: Awaits): void {
    const database = this.#database;
    const { id, taskHashes } = task;
    const changing = {
      phase: currentPhase({ request, ...task }),
      task: jsonText(task),
      listed: jsonText(listed({ request, ...task })),
      awaits,
    };
    const update = "UPDATE task SET phase = ?, task = ?, listed = ?, awaits = ? WHERE id = ?";
    if (database.run(update, ...Object.values(changing), id) > 0) return;
    const { programName = "", delivery } = task;
    const programs = moduleHashes({ request, ...task });
    const searched = [id, ...taskHashes, ...programs, programName, delivery?.queryId ?? ""]
      .join(" ")
      .toLowerCase();
    const content = jsonText(toTaskRequestJson(request()));
    const title = joinTitles({ request, ...task });
    database.insert("task", { ...changing, id, request: content, searched, title });
    database.forget("task", content.length);
  }

  /** Stores the attempts to deliver the webhook of a task, which waits for nothing then. Called within a write. */
  public storeAttempts(id: string, attempts: readonly WebhookAttempt[]): void {
    this.#database.run(
      "UPDATE task SET awaits = NULL, task = json_set(task, '$.webhookAttempts', json(?)) WHERE id = ?",
      JSON.stringify(attempts),
      id,
    );
  }

  #readTask(row: Row): ServerTask {
    const database = this.#database;
    return storedTask(textIn(row, "task"), () => {
      const found = database.get("SELECT request FROM task WHERE id = ?", textIn(row, "id"));
      return textIn(found ?? {}, "request");
    });
  }
}

/** Maximum number of titles of a submission that are searched. */
const MAX_TITLES = 50;

function joinTitles({ request, delivery }: Pick<ServerTask, "request" | "delivery">): string {
  if (delivery !== undefined) return DELIVERED_TITLE;
  const titles = request()
    .tasks.slice(0, MAX_TITLES)
    .map((task) => describeTask(task).title);
  return [...new Set(titles)].join(" ").toLowerCase();
}

function listed(task: ServerTask): unknown {
  return { uuid: task.id, contractClassHash: null, ...publishedFields(task) };
}

/** Returns stored hex text as such. */
export function asHex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
