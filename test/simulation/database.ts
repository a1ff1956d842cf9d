import { Database, type DatabaseOptions, type Row } from "../../src/base/sqlite.js";
import { hdpError } from "../../src/errors/hdp-error.js";
import type { StoredSubmission } from "../../src/submission/stored-submission.js";
import { SubmissionStore } from "../../src/submission/submission-store.js";
import type { Process } from "./process.js";

/** What a connection belongs to while a process uses it. */
interface User {
  readonly process: Process;
  /** Called as a transaction begins. @returns whether the disk takes nothing of it */
  readonly isDiskFull: () => boolean;
}

type SQLValues = Parameters<Database["run"]> extends [string, ...infer ValuesT] ? ValuesT : never;

/**
 * A connection to the real SQLite. Its process takes a step before and after each commit: a process that dies before one
 * leaves nothing of the transaction, one that dies after it leaves all.
 */
class Connection extends Database {
  public user: User | undefined;
  #inTransaction = false;

  public override begin(): void {
    const { process, isDiskFull } = this.#used();
    process.step("begins a transaction");
    if (isDiskFull())
      throw hdpError(
        "HDP-5101",
        { reason: "database or disk is full" },
        { path: "submissions.db" },
      );
    super.begin();
    this.#inTransaction = true;
  }

  public override commit(): void {
    super.commit();
    this.#inTransaction = false;
    this.#used().process.step("has committed");
  }

  public override rollback(): void {
    this.#inTransaction = false;
    super.rollback();
  }

  public override run(sql: string, ...values: SQLValues): number {
    const { process } = this.#used();
    if (!this.#inTransaction) process.step("writes");
    return super.run(sql, ...values);
  }

  #used(): User {
    if (this.user === undefined) throw new TypeError("nobody uses this connection");
    return this.user;
  }
}

const TABLES = ["event", "part", "submission", "mock"];

type Copy = readonly { readonly table: string; readonly rows: readonly Row[] }[];

/** The column that is filled by triggers, and compared in each row that is read: half of what a statement takes. */
const CHECKSUM = ", checksum INTEGER";

/** The database of a project: one in memory, a connection for each process. Histories use it one after another. */
export class ProjectDatabase {
  readonly #memory: string;
  readonly #hasChecksums: boolean;
  readonly #connections: Connection[] = [];
  /** Makes the tables, and keeps what is in memory while nobody else is connected. */
  #keeper: Database | undefined;
  #given = 0;

  public constructor(memory: string, { hasChecksums }: { readonly hasChecksums: boolean }) {
    this.#memory = memory;
    this.#hasChecksums = hasChecksums;
  }

  /** The submission store of a process. */
  public open(user: User): SubmissionStore {
    const index = this.#given;
    this.#given += 1;
    return new SubmissionStore({
      now: () => user.process.clock.now(),
      open: (options) => {
        const connection = this.#connections[index] ?? this.#connect(options);
        this.#connections[index] = connection;
        connection.user = user;
        return connection;
      },
    });
  }

  /** All that is recorded. */
  public records(): readonly StoredSubmission[] {
    return new SubmissionStore({ now: () => 0, open: (options) => this.#kept(options) }).list();
  }

  /** Deletes what a history left. */
  public clear(): void {
    this.#given = 0;
    this.replace([]);
  }

  /** Returns what is in the file now. */
  public copy(): Copy {
    return TABLES.map((table) => ({
      table,
      rows: this.#keeper?.all(`SELECT * FROM ${table}`) ?? [],
    }));
  }

  /** Deletes the first part of each submission. @returns how many there were */
  public deleteRows(): number {
    return this.#keeper?.run("DELETE FROM part WHERE position = 0") ?? 0;
  }

  /** Puts a copy in the place of the file; without tables it is deleted. */
  public replace(copy: Copy): void {
    this.#keeper?.transaction(() => {
      for (const table of TABLES) this.#keeper?.run(`DELETE FROM ${table}`);
      for (const { table, rows } of copy.toReversed())
        for (const row of rows) this.#keeper?.insert(table, row as Record<string, SQLValues[0]>);
    });
  }

  public close(): void {
    for (const connection of [...this.#connections, this.#keeper]) connection?.close();
  }

  #connect(options: DatabaseOptions): Connection {
    this.#kept(options);
    return new Connection(this.#inMemory(options));
  }

  #kept(options: DatabaseOptions): Database {
    return (this.#keeper ??= new Database(this.#inMemory(options)));
  }

  #inMemory({ schema, version }: DatabaseOptions): DatabaseOptions {
    return {
      memory: this.#memory,
      schema: this.#hasChecksums ? schema : schema.replaceAll(CHECKSUM, ""),
      version,
    };
  }
}
