import { createHash } from "node:crypto";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { systemClock } from "../base/clock.js";
import { Database, type Row } from "../base/sqlite.js";
import { inWords } from "../errors/hdp-error.js";
import { type Decided, type Headers, Refusal, type Reply, textReply } from "./route.js";

const SCHEMA = `
CREATE TABLE task (
  number INTEGER PRIMARY KEY, id TEXT UNIQUE, task TEXT, listed TEXT, awaits TEXT, request TEXT, searched TEXT
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
    ...{ rows: 20_000, length: "length(query) + length(actions)", characters: 2 ** 25 },
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

  /** @throws HdpError HDP-5103 if another server uses the folder, HDP-5101 to 5105 if the file is unusable */
  public static open(dataDir: string | undefined): ServerDatabase {
    const path = dataDir === undefined ? undefined : join(dataDir, "dev-server.db");
    return new this({ path, schema: SCHEMA, version: 2, mode: "one process", busyTimeout: 200 });
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

export interface Idempotency {
  readonly key: string;
  readonly digest: string;
}

const MAX_KEY_LENGTH = 255;

/** Returns the request's `Idempotency-Key`, if it has one, with a digest of `content`. @throws Refusal HDP-4526 (400) */
export function idempotencyOf(
  headers: Headers,
  pathname: string,
  content: readonly (string | Uint8Array)[],
): Idempotency | undefined {
  const key = headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return undefined;
  if (key.length > MAX_KEY_LENGTH) {
    const fault = `has ${key.length} characters, more than ${MAX_KEY_LENGTH}`;
    throw new Refusal(inWords("HDP-4526", { key: JSON.stringify(key.slice(0, 20)), fault }));
  }
  const hash = createHash("sha256").update(`${pathname}\n`);
  for (const part of content) hash.update(part);
  return { key, digest: hash.digest("hex") };
}

/** Commits a reply's writes before it is sent. Answers a repeated `Idempotency-Key` (IETF draft) by the first reply. */
export class Acceptance {
  readonly #database: ServerDatabase;
  readonly #pending = new Map<
    string,
    { readonly digest: string; readonly reply: Promise<Reply> }
  >();

  public constructor(database: ServerDatabase) {
    this.#database = database;
  }

  /** @throws Refusal HDP-4526 (422) if the key was used with another request; any error of `handle` */
  public async accept(
    given: Idempotency | undefined,
    handle: () => Promise<Decided>,
  ): Promise<Reply> {
    if (given === undefined) return await this.#written(handle, given);
    const known = this.#pending.get(given.key) ?? this.#stored(given.key);
    if (known !== undefined) {
      if (known.digest !== given.digest) {
        const values = {
          key: JSON.stringify(given.key),
          fault: "was sent before with another request",
        };
        throw new Refusal(inWords("HDP-4526", values), { status: 422 });
      }
      return { ...(await known.reply), cut: undefined };
    }
    const reply = this.#written(handle, given);
    this.#pending.set(given.key, { digest: given.digest, reply });
    try {
      return await reply;
    } finally {
      this.#pending.delete(given.key);
    }
  }

  async #written(handle: () => Promise<Decided>, given: Idempotency | undefined): Promise<Reply> {
    const decided = await handle();
    const reply = typeof decided === "function" ? decided() : decided;
    const { write, begin, body } = reply;
    if (write === undefined) {
      // The rows read may belong to a transaction that is not committed yet.
      await this.#database.settled();
      return reply;
    }
    await this.#database.write(() => {
      write();
      if (given === undefined || body === undefined) return;
      const { key, digest } = given;
      this.#database.insert("idempotency_key", {
        key,
        digest,
        type: body.type,
        text: body.text.toString(),
      });
      this.#database.forget("idempotency_key", body.text.length);
    });
    begin?.();
    return reply;
  }

  #stored(key: string): { readonly digest: string; readonly reply: Reply } | undefined {
    const row = this.#database.get(
      "SELECT digest, type, text FROM idempotency_key WHERE key = ?",
      key,
    );
    if (row === undefined) return undefined;
    return {
      digest: textIn(row, "digest"),
      reply: textReply(textIn(row, "text"), textIn(row, "type")),
    };
  }
}
