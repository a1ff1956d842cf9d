import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type * as Sqlite from "node:sqlite";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";

import { HdpError, hdpError } from "../errors/hdp-error.js";

/** Bytes of a page of a database in memory. */
const MEMORY_PAGE = 16_384;

/** Where a database is, and who may use it. */
export interface DatabaseOptions {
  /** The file, whose folder is created. Default: a database in memory. */
  readonly path?: string | undefined;
  /** Name of a database in memory that connections of this process share. Default: not shared. */
  readonly memory?: string | undefined;
  /**
   * Statements that create the tables of an empty file. A last column `checksum INTEGER` of a table is filled here, and
   * compared with each row that is read with `SELECT *`, or changed.
   */
  readonly schema: string;
  /** Version of the tables, from 1. A file of another version is refused. */
  readonly version: number;
  /** "one process": locks the file, and commits fast (a write-ahead log). Default "shared": other processes may use it. */
  readonly mode?: "shared" | "one process" | undefined;
  /** Milliseconds that a statement waits for another process that is writing. Default 5,000. */
  readonly busyTimeout?: number | undefined;
}

/** A row by its columns' names. */
export type Row = Readonly<Record<string, unknown>>;

/** A SQLite database: commits survive a loss of power (`synchronous=FULL`), and several processes may use one file. */
export class Database {
  readonly #path: string;
  readonly #busyTimeout: number;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #inTransaction = false;

  public constructor({
    path,
    memory,
    schema,
    version,
    mode = "shared",
    busyTimeout = 5_000,
  }: DatabaseOptions) {
    this.#path =
      path ?? (memory === undefined ? ":memory:" : `file:${memory}?mode=memory&cache=shared`);
    this.#busyTimeout = busyTimeout;
    this.#database = this.#reporting(() => {
      if (path !== undefined) {
        mkdirSync(dirname(path), { recursive: true });
        // The file contains private inputs of tasks. Closing an existing file would drop this process's locks on it.
        if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
      }
      const { DatabaseSync } = sqlite();
      return new DatabaseSync(this.#path);
    });
    try {
      this.#reporting(() => {
        this.#database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA synchronous = FULL;`);
        // Rows of half a page, which grow after they are written, leave half of the usual pages empty.
        if (path === undefined) this.#database.exec(`PRAGMA page_size = ${MEMORY_PAGE};`);
        this.#database.function("checksum", { varargs: true }, (...values) =>
          computeChecksum(values),
        );
        // SQLite keeps the lock of the first write until the process ends.
        if (mode === "one process")
          this.#database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = wal;");
      });
      if (this.#version() !== version) this.#make(schema, version);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Returns the first row of a query; undefined without one. */
  public get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#undamaged(this.#reporting(() => this.#prepared(sql).get(...values)));
  }

  /** Returns all rows of a query. */
  public all(sql: string, ...values: SQLInputValue[]): Row[] {
    const rows: Row[] = this.#reporting(() => this.#prepared(sql).all(...values));
    for (const row of rows) this.#undamaged(row);
    return rows;
  }

  /** Inserts a row. Undefined values become NULL. */
  public insert(table: string, row: Readonly<Record<string, SQLInputValue | undefined>>): void {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    this.run(sql, ...Object.values(row).map((value) => value ?? null));
  }

  /** Runs a statement. Returns how many rows it changed. */
  public run(sql: string, ...values: SQLInputValue[]): number {
    return this.#reporting(() => Number(this.#prepared(sql).run(...values).changes));
  }

  /** Runs `action` in a transaction, or as a part of the open one. An error rolls it back. */
  public transaction<T>(action: () => T): T {
    if (this.#inTransaction) return action();
    this.begin();
    try {
      const result = action();
      this.commit();
      return result;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /** Begins a transaction and locks the database against other writers. */
  public begin(): void {
    this.#execute("BEGIN IMMEDIATE");
    this.#inTransaction = true;
  }

  /** Commits the open transaction. */
  public commit(): void {
    this.#execute("COMMIT");
    this.#inTransaction = false;
  }

  /** Rolls back the open transaction, unless SQLite has done so because of the error. */
  public rollback(): void {
    this.#inTransaction = false;
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // The transaction has already ended, which Node 22.13 cannot report.
    }
  }

  /** Reads all of the file and compares indexes with tables: 4 ms for 1,000 submissions. */
  public check(): void {
    const [{ integrity_check: found } = {}] = this.all("PRAGMA integrity_check(1)");
    if (found !== "ok") throw hdpError("HDP-5102", { reason: String(found) }, { path: this.#path });
  }

  /** Closes the file. */
  public close(): void {
    this.#database.close();
  }

  #version(): unknown {
    return this.get("PRAGMA user_version")?.["user_version"];
  }

  /** Creates the tables of a new file, unless another process just did. */
  #make(schema: string, version: number): void {
    this.transaction(() => {
      const found = this.#version();
      if (found === version) return;
      if (found !== 0)
        throw hdpError("HDP-5105", { found: String(found), version }, { path: this.#path });
      this.#execute(schema);
      const tables = this.all("SELECT name FROM sqlite_schema WHERE sql LIKE '%checksum INTEGER%'");
      for (const { name } of tables) this.#execute(this.#checksumTriggers(String(name)));
      this.#execute(`PRAGMA user_version = ${version}`);
    });
  }

  /** Returns the triggers that keep the checksums of a table's rows. They change no row that is damaged. */
  #checksumTriggers(table: string): string {
    const rows = this.all("SELECT name FROM pragma_table_info(?) WHERE name <> 'checksum'", table);
    const columns = rows.map(({ name }) => String(name));
    const of = (row: "OLD" | "NEW"): string =>
      `checksum(${columns.map((one) => `'${one}', ${row}.${one}`).join(", ")})`;
    const fill = `UPDATE ${table} SET checksum = ${of("NEW")} WHERE rowid = NEW.rowid;`;
    return `
      CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} BEGIN ${fill} END;
      CREATE TRIGGER ${table}_updated AFTER UPDATE OF ${columns.join(", ")} ON ${table} BEGIN
        SELECT RAISE(ABORT, '${WRONG_CHECKSUM}') WHERE OLD.checksum IS NOT ${of("OLD")};
        ${fill}
      END;`;
  }

  /** Returns a row. @throws HdpError HDP-5102 where its checksum is not that of its names and values */
  #undamaged(row: Row | undefined): Row | undefined {
    if (row === undefined || !("checksum" in row)) return row;
    const values: unknown[] = [];
    for (const name in row) if (name !== "checksum") values.push(name, row[name]);
    if (row["checksum"] === computeChecksum(values)) return row;
    throw hdpError("HDP-5102", { reason: WRONG_CHECKSUM }, { path: this.#path });
  }

  #execute(sql: string): void {
    this.#reporting(() => this.#database.exec(sql));
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #reporting<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw databaseError(error, this.#path, this.#busyTimeout);
    }
  }
}

const WRONG_CHECKSUM = "a row has another checksum";

function computeChecksum(values: readonly unknown[]): number {
  return crc32(JSON.stringify(values));
}

/** Loads Node's SQLite without the warning that Node 22 prints. */
function sqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process);
  try {
    process.emitWarning = () => undefined;
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Result codes of SQLite (https://sqlite.org/rescode.html): READONLY, IOERR, FULL, CANTOPEN. */
const UNWRITABLE = [8, 10, 13, 14];
/** CORRUPT, NOTADB, TOOBIG (a damaged length); also ERROR: our statements are fixed, so the file has foreign tables. */
const DAMAGED = [11, 26, 18, 1];
/** CONSTRAINT_TRIGGER: of a wrong checksum. */
const RAISED = 19 | (7 << 8);
/** BUSY, LOCKED. */
const HELD = [5, 6];
/** PROTOCOL, and the extended codes IOERR_UNLOCK, _RDLOCK, _CHECKRESERVEDLOCK, _LOCK, _SHMLOCK. */
const NOT_LOCKED = [15, ...[8, 9, 14, 15, 20].map((extension) => 10 | (extension << 8))];

function databaseError(error: unknown, path: string, busyTimeout: number): unknown {
  if (error instanceof HdpError || !(error instanceof Error)) return error;
  const context = { path, cause: error };
  const reason = error.message;
  // Creating the folder failed.
  if ("syscall" in error) return hdpError("HDP-5101", { reason }, context);
  if (!("errcode" in error) || typeof error.errcode !== "number") return error;
  const code = error.errcode & 0xff;
  if ([code, error.errcode].some((one) => NOT_LOCKED.includes(one)))
    return hdpError("HDP-5104", { reason }, context);
  if (HELD.includes(code)) return hdpError("HDP-5103", { seconds: busyTimeout / 1_000 }, context);
  if (DAMAGED.includes(code) || error.errcode === RAISED)
    return hdpError("HDP-5102", { reason }, context);
  return UNWRITABLE.includes(code) ? hdpError("HDP-5101", { reason }, context) : error;
}
