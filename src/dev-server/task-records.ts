import type { Hex } from "viem";

import { jsonText } from "../base/json.js";
import type { Row } from "../base/sqlite.js";
import { toTaskRequestJson } from "../request/parse.js";
import { standardProgram } from "../request/standard-programs.js";
import { type ServerDatabase, textIn } from "./database.js";
import { programHashes, publishedFields, type ServerTask, storedTask } from "./server-task.js";

/** The output of a run, which is delivered where the run could not be. */
export type RunOutput = Omit<NonNullable<ServerTask["delivery"]>, "queryId" | "programHash"> & {
  readonly programHash?: string | undefined;
};

/** What a stored task waits for; null for one that has ended. */
type Awaits = "result" | "webhook" | null;

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
    return row && this.#taskOf(row);
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
    return rows.map((row) => this.#live.get(textIn(row, "id")) ?? this.#taskOf(row));
  }

  /** Returns the output of a run by its id at the prover: of one delivered before, or of a task of this server. */
  public outputOf(queryId: string): RunOutput | undefined {
    const database = this.#database;
    const rows = database.all(
      "SELECT id, task FROM task WHERE instr(searched, ?) > 0 ORDER BY number DESC",
      queryId.toLowerCase(),
    );
    const tasks = rows.map((row) => this.#taskOf(row));
    const before = tasks.find(({ delivery }) => delivery?.queryId === queryId)?.delivery;
    if (before !== undefined) return before;
    const own = tasks.find(({ id }) => id === queryId);
    const [result, ...others] = own === undefined ? [] : [...own.results, ...(own.computed ?? [])];
    if (own === undefined || result === undefined || others.length > 0) return undefined;
    const { taskHash: hash, word, output } = result;
    const programHash = programHashes(own)[0];
    return { taskHash: asHex(hash), word: asHex(word), output, mmrs: [], programHash };
  }

  /** Returns the stored tasks that wait for something, oldest first. */
  public awaiting(what: Exclude<Awaits, null>): ServerTask[] {
    return this.#database
      .all("SELECT id, task FROM task WHERE awaits = ? ORDER BY number", what)
      .map((row) => this.#taskOf(row));
  }

  /** Returns whether a stored task waits for nothing. */
  public hasSettled(id: string): boolean {
    return this.#database.get("SELECT awaits FROM task WHERE id = ?", id)?.["awaits"] === null;
  }

  /** Returns the name of the only program of a task: a standard program's, or the registry's. */
  public programName(task: Pick<ServerTask, "request" | "delivery">): string | undefined {
    const [hash, ...others] = programHashes(task);
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
      task: jsonText(task),
      listed: jsonText(listed({ request, ...task })),
      awaits,
    };
    const update = "UPDATE task SET task = ?, listed = ?, awaits = ? WHERE id = ?";
    if (database.run(update, ...Object.values(changing), id) > 0) return;
    const { programName = "", delivery } = task;
    const programs = programHashes({ request, ...task });
    const searched = [id, ...taskHashes, ...programs, programName, delivery?.queryId ?? ""]
      .join(" ")
      .toLowerCase();
    const content = jsonText(toTaskRequestJson(request()));
    database.insert("task", { ...changing, id, request: content, searched });
    database.forget("task", content.length);
  }

  #taskOf(row: Row): ServerTask {
    const database = this.#database;
    return storedTask(textIn(row, "task"), () => {
      const found = database.get("SELECT request FROM task WHERE id = ?", textIn(row, "id"));
      return textIn(found ?? {}, "request");
    });
  }
}

function listed(task: ServerTask): unknown {
  return { uuid: task.id, contractClassHash: null, ...publishedFields(task) };
}

/** Returns stored hex text as such. */
export function asHex(text: string): Hex {
  return `0x${text.slice(2)}`;
}
