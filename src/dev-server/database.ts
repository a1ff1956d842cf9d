import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { systemClock } from "../base/clock.js";
import { Database, type Row } from "../base/sqlite.js";
import { type Reply, textReply } from "./route.js";

const SCHEMA = `
CREATE TABLE task (
  number INTEGER PRIMARY KEY, id TEXT UNIQUE, task TEXT, listed TEXT, awaits TEXT, request TEXT, searched TEXT, title TEXT, phase TEXT
) STRICT;
CREATE INDEX task_awaits ON task (awaits) WHERE awaits IS NOT NULL;
CREATE TABLE program (number INTEGER PRIMARY KEY, hash TEXT UNIQUE, text TEXT, layout TEXT, version INTEGER) STRICT;
CREATE TABLE module (number INTEGER PRIMARY KEY, id TEXT UNIQUE, name TEXT UNIQUE, body TEXT) STRICT;
CREATE TABLE proof_query (
  number INTEGER PRIMARY KEY, id TEXT UNIQUE, request TEXT, query TEXT,
  status TEXT, created TEXT, completed TEXT, actions TEXT
) STRICT;
CREATE INDEX proof_query_request ON proof_query (request);
CREATE INDEX proof_query_open ON proof_query (status) WHERE status = 'PROCESSING';
CREATE TABLE grow_order (number INTEGER PRIMARY KEY, id TEXT UNIQUE, body TEXT) STRICT;
CREATE TABLE trie_node (hash TEXT PRIMARY KEY, left TEXT, right TEXT, length INTEGER) STRICT, WITHOUT ROWID;
CREATE TABLE trie_root (label TEXT, root TEXT, id INTEGER, PRIMARY KEY (label, root), UNIQUE (label, id)) STRICT;
CREATE TABLE idempotency_key (number INTEGER PRIMARY KEY, key TEXT UNIQUE, digest TEXT, type TEXT, text TEXT) STRICT;
`;

/** What is kept of a table: so many rows and characters, and all that is not finished. */
const KEPT = {
  task: {
    rows: 100_000,
    length: "length(request)",
    characters: 2 ** 25,
    isFinished: "awaits IS NULL",
  },
  program: { rows: 10_000, length: "length(text)", characters: 3 * 2 ** 24, isFinished: "TRUE" },
  proof_query: {
    rows: 20_000,
    length: "length(query) + length(actions)",
    characters: 2 ** 25,
    isFinished: "status <> 'PROCESSING'",
  },
  module: { rows: 1_000, length: "length(body)", characters: 2 ** 24, isFinished: "TRUE" },
  grow_order: { rows: 1_000, length: "length(body)", characters: 2 ** 24, isFinished: "TRUE" },
  idempotency_key: { rows: 1_000, length: "length(text)", characters: 2 ** 24, isFinished: "TRUE" },
} as const;

/** Writes that are committed together. */
interface Group {
  readonly committed: Promise<void>;
  failure?: { readonly error: unknown };
}

/** Pause before a failed write is retried, in milliseconds. */
const RETRY_PAUSE = 1_000;

/** The server's database: a file, or memory. Writes of one turn of the event loop share a transaction and a sync. */
export class ServerDatabase extends Database {
  #group: Group | undefined;
  /** Characters of a table at most, since they were last summed. */
  readonly #characters = new Map<keyof typeof KEPT, number>();

  /** Opens the database of a data folder; without one, in memory. @throws HdpError HDP-5103 if another server uses it, HDP-51xx if it is unusable */
  public static open(dataDir: string | undefined): ServerDatabase {
    const path = dataDir === undefined ? undefined : join(dataDir, "dev-server.db");
    return new this({ path, schema: SCHEMA, version: 3, mode: "one process", busyTimeout: 200 });
  }

  /** Resolves with the result of `action` once its writes are on disk. @throws the error that prevented the commit */
  public async write<T>(action: () => T): Promise<T> {
    const group = (this.#group ??= this.#begin());
    // A statement of a failed transaction would be committed by itself.
    if (group.failure !== undefined) throw group.failure.error;
    let result: T;
    try {
      result = action();
    } catch (error) {
      group.failure = { error };
      throw error;
    }
    await group.committed;
    return result;
  }

  /** Writes an event that must not be lost: retries while the disk is full, and reports the failure once. */
  public async keep(
    action: () => void,
    {
      signal,
      onFailure,
    }: { readonly signal: AbortSignal; readonly onFailure: (error: unknown) => void },
  ): Promise<void> {
    for (let isReported = false; ; isReported = true) {
      try {
        await this.write(action);
        return;
      } catch (error) {
        if (!isReported) onFailure(error);
        if (signal.aborted) throw error;
        await systemClock.sleep(RETRY_PAUSE, signal);
      }
    }
  }

  /** Deletes the oldest finished rows beyond a table's limits, after `added` characters were inserted in {@link write}. */
  public forget(table: keyof typeof KEPT, added: number): void {
    const { rows, length, characters, isFinished } = KEPT[table];
    this.run(
      `DELETE FROM ${table} WHERE number <= (SELECT max(number) FROM ${table}) - ? AND ${isFinished}`,
      rows,
    );
    const sum = (): number =>
      Number(this.get(`SELECT total(${length}) AS sum FROM ${table}`)?.["sum"]);
    const before = this.#characters.get(table);
    let kept = before === undefined ? sum() : before + added;
    if (kept > characters) {
      // Summing takes long: a quarter is made free at once.
      this.run(
        `DELETE FROM ${table} WHERE ${isFinished} AND number IN (SELECT number FROM (SELECT number, sum(${length}) OVER (ORDER BY number DESC) AS sum FROM ${table}) WHERE sum > ?)`,
        characters * 0.75,
      );
      kept = sum();
    }
    this.#characters.set(table, kept);
  }

  /** Resolves once all rows read so far are committed. @throws the error that prevented the commit */
  public async settled(): Promise<void> {
    await this.#group?.committed;
  }

  /** Closes the database once all writes are committed or have failed. */
  public async end(): Promise<void> {
    await this.settled().catch(() => undefined);
    this.close();
  }

  #begin(): Group {
    this.begin();
    const group: Group = { committed: setImmediate().then(() => this.#end(group)) };
    // Each writer handles the rejection of its own promise.
    group.committed.catch(() => undefined);
    return group;
  }

  #end({ failure }: Group): void {
    this.#group = undefined;
    try {
      if (failure !== undefined) throw failure.error;
      this.commit();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }
}

/** Returns a column of a row as text. */
export function textIn(row: Row, column: string): string {
  return String(row[column]);
}

/** Returns a reply of a list of JSON texts, selected as `item`: BLOBs, since strings take several times their memory. */
export function listReply(name: string, rows: readonly Row[]): Reply {
  const items = rows.flatMap(({ item }) =>
    item instanceof Uint8Array ? [Buffer.from(","), item] : [],
  );
  const json = Buffer.concat([Buffer.from(`{"${name}":[`), ...items.slice(1), Buffer.from("]}")]);
  return textReply(json, "application/json");
}
