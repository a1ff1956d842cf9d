import { statSync } from "node:fs";

import { systemErrorCode } from "../base/files.js";
import { Database, type DatabaseOptions } from "../base/sqlite.js";
import { hdpError } from "../errors/hdp-error.js";
import { SCHEMA, VERSION } from "./schema.js";

/** Where a database is kept, and how it is opened. */
export interface DatabaseFileOptions {
  /** The database file. Without it, rows are kept in memory. */
  readonly path?: string | undefined;
  readonly open?: ((options: DatabaseOptions) => Database) | undefined;
}

/** What a database of submissions is. */
export interface DatabaseFacts {
  /** Version of its tables. */
  readonly version: number;
  readonly submissions: number;
}

/** The database of a project's submissions. The first write creates the file; until then there are no rows. */
export class DatabaseFile {
  readonly #options: DatabaseFileOptions;
  #database: Database | undefined;
  /** The file that is open. */
  #file: string | undefined;
  #isChecked = false;

  public constructor(options: DatabaseFileOptions) {
    this.#options = options;
  }

  public get path(): string | undefined {
    return this.#options.path;
  }

  /** Checks the file once: a damaged index may hide submissions. @throws HdpError HDP-5102 */
  public check(): void {
    const database = this.writable();
    if (this.#isChecked) return;
    this.#isChecked = true;
    try {
      database.check();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Checks the file and returns what it is; undefined where there is none. @throws HdpError HDP-51xx */
  public facts(): DatabaseFacts | undefined {
    const database = this.readable();
    if (database === undefined) return undefined;
    this.check();
    const row = database.get("SELECT count(*) AS submissions FROM submission");
    return { version: VERSION, submissions: Number(row?.["submissions"]) };
  }

  /** Returns the database to read from; undefined where nothing was written yet. */
  public readable(): Database | undefined {
    const { path } = this.#options;
    if (path !== undefined && fileAt(path) === undefined) return undefined;
    return this.writable();
  }

  /** Returns the database, which is created where there is none. @throws HdpError HDP-51xx */
  public writable(): Database {
    const { path, open = (options: DatabaseOptions) => new Database(options) } = this.#options;
    // Another file may have replaced it: writes to the old one would be lost.
    if (path !== undefined && fileAt(path)?.id !== this.#file) this.close();
    if (this.#database !== undefined) return this.#database;
    this.#database = open({ path, schema: SCHEMA, version: VERSION });
    const file = path === undefined ? undefined : fileAt(path);
    this.#file = file?.id;
    this.#isChecked = file === undefined;
    if (file !== undefined && file.bytes <= CHECKED_AT_ONCE) this.check();
    return this.#database;
  }

  public close(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

/** Files up to this size are checked on opening, which takes 3 ms; larger ones before something is sent. */
const CHECKED_AT_ONCE = 2 ** 20;

function fileAt(path: string): { readonly id: string; readonly bytes: number } | undefined {
  try {
    const { dev, ino, size } = statSync(path, { bigint: true });
    return { id: `${dev}:${ino}`, bytes: Number(size) };
  } catch (cause) {
    const reason = systemErrorCode(cause) ?? "";
    if (["ENOENT", "ENOTDIR"].includes(reason)) return undefined;
    throw hdpError("HDP-5101", { reason }, { path, cause });
  }
}
