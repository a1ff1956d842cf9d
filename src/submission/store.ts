import { statSync } from "node:fs";

import type { Address, Hex } from "viem";

import { systemErrorCode } from "../base/files.js";
import { jsonText, parseJsonText } from "../base/json.js";
import { Database, type DatabaseOptions, type Row } from "../base/sqlite.js";
import { messageOf } from "../base/text.js";
import { type HdpError, hdpError } from "../errors/hdp-error.js";
import { CHAIN_IDENTIFIERS } from "../request/chains.js";
import type { TaskStatus } from "../request/data-processor.js";
import type { ModuleInput, Task, TaskRequest } from "../request/task.js";
import type { TaskResult } from "../request/task-result.js";
import { parseTaskRequest, toTaskRequestJson } from "../request/parse.js";
import {
  KINDS,
  type PartRecord,
  STATES,
  type SubmissionRecord,
  type SubmissionState,
  type Target,
} from "./model.js";
import type { WorkItem } from "./plan.js";
import { explain, type Recovery } from "./recovery.js";

const SCHEMA = `
CREATE TABLE submission (
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  network TEXT NOT NULL, processor TEXT NOT NULL, host TEXT, endpoint TEXT, destination TEXT, genesis TEXT,
  service_id TEXT, label TEXT, forced INTEGER NOT NULL, reason TEXT, sender TEXT, request TEXT,
  seen_name TEXT, seen_phase TEXT, seen_detail TEXT, seen_at INTEGER, parts INTEGER NOT NULL, checksum INTEGER
) STRICT;
CREATE INDEX submission_service_id ON submission (service_id);
CREATE INDEX submission_open ON submission (created) WHERE state IN ('claimed', 'sending', 'unknown', 'accepted', 'finalized');
CREATE TABLE part (
  submission TEXT NOT NULL REFERENCES submission, position INTEGER NOT NULL,
  hash TEXT NOT NULL, identity TEXT NOT NULL, live INTEGER NOT NULL, service_hash TEXT,
  word TEXT, store TEXT, transaction_hash TEXT, block TEXT, computed TEXT, checksum INTEGER,
  PRIMARY KEY (submission, position)
) STRICT;
CREATE INDEX part_hash ON part (hash);
CREATE INDEX part_service_hash ON part (service_hash) WHERE service_hash IS NOT NULL;
CREATE INDEX part_identity ON part (identity, word);
CREATE UNIQUE INDEX part_live ON part (identity) WHERE live = 1;
CREATE TABLE event (
  submission TEXT NOT NULL REFERENCES submission, at INTEGER NOT NULL, what TEXT NOT NULL, detail TEXT, checksum INTEGER
) STRICT;
CREATE INDEX event_submission ON event (submission);
CREATE TABLE mock (
  genesis TEXT PRIMARY KEY, address TEXT, code_hash TEXT, deployer TEXT, since INTEGER NOT NULL, checksum INTEGER
) STRICT;
`;

const VERSION = 4;

/** A submission with fewer parts than were recorded, or parts without their submission. */
const INCOMPLETE = `
SELECT id FROM submission WHERE parts <> (SELECT count(*) FROM part WHERE part.submission = submission.id)
UNION ALL SELECT submission FROM part WHERE submission NOT IN (SELECT id FROM submission) LIMIT 1`;

export interface NewSubmission extends Omit<
  SubmissionRecord,
  "createdAt" | "updatedAt" | "reason" | "seen" | "parts"
> {
  readonly parts: readonly (WorkItem & { readonly live: boolean })[];
}

/** A submission with its state and the possible next steps, in sentences. */
export interface StoredSubmission extends SubmissionRecord {
  readonly explanation: Recovery;
  /** Events of the submission, oldest first: states, reports of the service, results that were read. */
  readonly history: readonly SubmissionEvent[];
}

export interface SubmissionEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A state, a state name of the service, or `result`. */
  readonly what: string;
  readonly detail?: string | undefined;
}

export interface Change {
  readonly serviceId?: string | undefined;
  readonly serviceHashes?: readonly Hex[] | undefined;
  readonly sender?: string | undefined;
  readonly reason?: string | undefined;
}

/** Where submissions were made: at the service of an endpoint, or locally without one; for one chain or any. */
export type Sought = Pick<Target, "endpoint" | "destinationChainId">;

export interface RememberedMock {
  readonly address: Address;
  readonly codeHash: Hex;
}

export interface StoreOptions {
  /** The database file. Without it, submissions are kept in memory, with the values of private module inputs. */
  readonly path?: string | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  readonly open?: ((options: DatabaseOptions) => Database) | undefined;
}

interface Unrecorded {
  readonly record: () => void;
  readonly error?: HdpError;
}

/** Submissions as rows of a SQLite database. The first write creates the file; until then there are no submissions. */
export class SubmissionStore {
  /** Outcomes of this process that could not be recorded, by submission, with the error that said so. */
  public readonly unrecorded = new Map<string, Unrecorded>();
  readonly #options: StoreOptions;
  #database: Database | undefined;
  /** The file that is open. */
  #file: string | undefined;
  #isChecked = false;

  public constructor(options: StoreOptions) {
    this.#options = options;
  }

  public get path(): string | undefined {
    return this.#options.path;
  }

  /** Whether the recorded requests hold the values of private module inputs. */
  public get holdsPrivateInputs(): boolean {
    return this.path === undefined;
  }

  /**
   * Checks that no row of a submission was deleted, and the file once: a damaged index may hide submissions.
   * @throws HdpError HDP-5102
   */
  public check(): void {
    const database = this.#writable();
    const incomplete = database.get(INCOMPLETE)?.["id"];
    if (incomplete !== undefined) throw rowsDeleted(String(incomplete));
    if (this.#isChecked) return;
    this.#isChecked = true;
    try {
      database.check();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #now(): number {
    return Math.round(this.#options.now());
  }

  /** Runs `action` as one transaction: other processes cannot write during it, and an error undoes it. */
  public transaction<T>(action: () => T): T {
    return this.#writable().transaction(action);
  }

  /** Records a new submission. At most one part of an identity is live: inserting a second one violates the index. */
  public insert(submission: NewSubmission): void {
    const { id, kind, state, network, processor, host, endpoint, destinationChainId, genesis } =
      submission;
    const { serviceId, label, forced, sender, request, parts } = submission;
    const database = this.#writable();
    const now = this.#now();
    database.transaction(() => {
      database.insert("submission", {
        ...{
          id,
          kind,
          state,
          created: now,
          updated: now,
          network,
          processor,
          host,
          endpoint,
          genesis,
          label,
          sender,
        },
        ...{ destination: destinationChainId, service_id: serviceId, forced: forced ? 1 : 0 },
        parts: parts.length,
        request: request && this.#requestText(request),
      });
      parts.forEach(({ hash, identity, live }, position) => {
        database.insert("part", { submission: id, position, hash, identity, live: live ? 1 : 0 });
      });
      this.#event(id, state, label);
    });
  }

  /** Moves a submission to another state. Returns false, changing nothing, if it was in none of the states `from`. */
  public move(
    id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change: Change = {},
  ): boolean {
    const { serviceId, serviceHashes, sender, reason } = change;
    return this.transaction(() => {
      const database = this.#writable();
      const known = database.get("SELECT service_id FROM submission WHERE id = ?", id)?.[
        "service_id"
      ];
      // The state that was observed under another id is observed again, and then ends the submission.
      const unseen =
        serviceId === undefined ? "" : ", seen_name = NULL, seen_phase = NULL, seen_detail = NULL";
      const changed = database.run(
        `UPDATE submission SET state = ?, updated = ?, service_id = coalesce(?, service_id),
         sender = coalesce(?, sender), reason = ?${unseen}
         WHERE id = ? AND state IN (${from.map((state) => `'${state}'`).join(", ")})`,
        ...[to, this.#now(), serviceId ?? null, sender ?? null, reason ?? null, id],
      );
      if (changed === 0) return false;
      if (serviceId !== undefined && serviceId !== known)
        void database.run(
          "UPDATE part SET service_hash = NULL WHERE submission = ? AND service_hash IS NOT NULL",
          id,
        );
      if (to === "refused" || to === "lost" || to === "failed") this.release(id);
      serviceHashes?.forEach((hash, position) => {
        void database.run(
          "UPDATE part SET service_hash = ? WHERE submission = ? AND position = ?",
          hash,
          id,
          position,
        );
      });
      this.#event(id, to, reason ?? serviceId);
      return true;
    });
  }

  /** Records the service's own hash of a submission's one task. */
  public recordServiceHash(id: string, hash: Hex): void {
    void this.#writable().run("UPDATE part SET service_hash = ? WHERE submission = ?", hash, id);
  }

  /** Forgets the service's own hashes of a submission's tasks. */
  public forgetServiceHashes(id: string): void {
    void this.#writable().run("UPDATE part SET service_hash = NULL WHERE submission = ?", id);
  }

  /** Returns whether a hash is that of another task, by this project or a service. */
  public isHashOfOther(hash: Hex, taskHash: string): boolean {
    const other = this.#readable()?.get(
      "SELECT 1 FROM part WHERE (hash = ? OR service_hash = ?) AND hash <> ?",
      ...[hash, hash, taskHash.toLowerCase()],
    );
    return other !== undefined;
  }

  /** Lets the work of a submission, or its item of one hash, be sent again. The record stays. */
  public release(id: string, hash?: string): void {
    const statement = "UPDATE part SET live = 0 WHERE submission = ? AND hash = coalesce(?, hash)";
    void this.#writable().run(statement, id, hash ?? null);
  }

  /** Records an observed state if it changed. A finalized submission stays finalized. */
  public observe(id: string, { name, phase, detail }: TaskStatus): void {
    const now = this.#now();
    this.transaction(() => {
      const changed = this.#writable().run(
        `UPDATE submission SET seen_name = ?, seen_phase = ?, seen_detail = ?, seen_at = ?, updated = ?
         WHERE id = ? AND (seen_name IS NOT ? OR seen_phase IS NOT ?)`,
        ...[name, phase, detail ?? null, now, now, id, name, phase],
      );
      if (changed === 0) return;
      this.#event(id, name, detail);
      // A service may work on a failed task again: it is then open and must not be sent.
      if (phase === "pending") void this.move(id, ["failed"], "accepted");
      else void this.move(id, phase === "finalized" ? ["accepted", "failed"] : ["accepted"], phase);
    });
  }

  /** Records results that were read from the execution store. A submission with all results is finalized. */
  public recordResults(id: string, results: readonly TaskResult[]): void {
    this.transaction(() => {
      const database = this.#writable();
      let changed = 0;
      for (const { taskHash, word, store, transactionHash, blockNumber } of results) {
        changed += database.run(
          `UPDATE part SET word = ?, store = ?, transaction_hash = coalesce(?, transaction_hash), block = coalesce(?, block)
           WHERE submission = ? AND hash = ? AND (word IS NOT ? OR store IS NOT ?)`,
          ...[
            word,
            store,
            transactionHash ?? null,
            blockNumber === undefined ? null : String(blockNumber),
          ],
          ...[id, taskHash.toLowerCase(), word, store],
        );
      }
      if (changed === 0) return;
      this.#event(id, "result", undefined);
      const unread = database.get("SELECT 1 FROM part WHERE submission = ? AND word IS NULL", id);
      if (unread === undefined)
        void this.move(id, ["claimed", "sending", "unknown", "accepted", "failed"], "finalized");
    });
  }

  /** Records a local run's data about its results, in the order of its parts. */
  public recordComputed(id: string, computed: readonly TaskResult[]): void {
    computed.forEach((part, position) => {
      void this.#writable().run(
        "UPDATE part SET computed = ?, transaction_hash = ? WHERE submission = ? AND position = ?",
        ...[computedText(part), part.transactionHash ?? null, id, position],
      );
    });
  }

  public byId(id: string): StoredSubmission | undefined {
    return this.#select("WHERE id = ?", id)[0];
  }

  /** Returns the submissions with an id of a service, oldest first. */
  public withServiceId(serviceId: string): StoredSubmission[] {
    return this.#select("WHERE service_id = ? ORDER BY rowid", serviceId);
  }

  /** Returns the submissions with a part of one of the hashes, oldest first. */
  public withHashes(hashes: readonly string[]): StoredSubmission[] {
    const has =
      "WHERE id IN (SELECT submission FROM part WHERE hash IN (SELECT value FROM json_each(?)))";
    return this.#select(
      `${has} ORDER BY rowid`,
      JSON.stringify(hashes.map((hash) => hash.toLowerCase())),
    );
  }

  /** Returns each hash's newest accepted submission, else its newest of unknown outcome, and no other. Oldest first. */
  public newest(
    hashes: readonly string[],
    { endpoint, destinationChainId }: Sought,
  ): StoredSubmission[] {
    const sought = [endpoint ?? null, destinationChainId ?? null, destinationChainId ?? null];
    return this.#select(
      `WHERE rowid IN (SELECT coalesce((${newestWhere("service_id IS NOT NULL")}),
       (${newestWhere("service_id IS NULL AND state IN ('sending', 'unknown')")})) FROM json_each(?) AS wanted) ORDER BY rowid`,
      ...[...sought, ...sought, JSON.stringify(hashes.map((hash) => hash.toLowerCase()))],
    );
  }

  /**
   * Returns the service's own hashes by this project's in lower case: of each task the newest that is known at a place. A
   * hash of another task of this project counts for that task alone.
   */
  public serviceHashes(
    hashes: readonly string[],
    { endpoint, destinationChainId }: Sought,
  ): Map<string, Hex> {
    const isOwn =
      "NOT EXISTS (SELECT 1 FROM part AS other WHERE other.hash = lower(part.service_hash))";
    const rows = this.#readable()?.all(
      `SELECT part.* FROM json_each(?) AS wanted CROSS JOIN part
       ON part.rowid = (${newestWhere(`part.service_hash IS NOT NULL AND ${isOwn}`, "part")})`,
      JSON.stringify(hashes.map((hash) => hash.toLowerCase())),
      ...[endpoint ?? null, destinationChainId ?? null, destinationChainId ?? null],
    );
    return new Map((rows ?? []).map((row) => [String(row["hash"]), hex(row["service_hash"])]));
  }

  /** Returns the submissions of the same work without its result, oldest first. */
  public awaiting(
    results: readonly Pick<PartRecord, "hash" | "identity" | "word">[],
  ): StoredSubmission[] {
    return this.#select(
      `WHERE id IN (SELECT part.submission FROM json_each(?) AS result CROSS JOIN part
       ON part.identity = (result.value ->> 'identity') AND part.hash = (result.value ->> 'hash')
       WHERE part.word IS NOT (result.value ->> 'word')) ORDER BY rowid`,
      JSON.stringify(results, ["hash", "identity", "word"]),
    );
  }

  /** Returns all submissions, or the unfinished ones, oldest first. */
  public list({ unfinished = false }: { readonly unfinished?: boolean } = {}): StoredSubmission[] {
    const open = "WHERE state IN ('claimed', 'sending', 'unknown', 'accepted', 'finalized')";
    return this.#select(`${unfinished ? open : ""} ORDER BY rowid`);
  }

  /** Returns the submissions whose id, or service id, begins with a text. */
  public withPrefix(prefix: string): StoredSubmission[] {
    const end = `${prefix}\u{10ffff}`;
    const begins = "WHERE (id >= ? AND id < ?) OR (service_id >= ? AND service_id < ?)";
    return this.#select(`${begins} ORDER BY rowid`, prefix, end, prefix, end);
  }

  public mock(genesis: Hex): RememberedMock | undefined {
    const row = this.#readable()?.get("SELECT * FROM mock WHERE genesis = ?", genesis);
    if (row === undefined || typeof row["address"] !== "string") return undefined;
    return { address: hex(row["address"]), codeHash: hex(row["code_hash"]) };
  }

  public rememberMock(genesis: Hex, { address, codeHash }: RememberedMock): void {
    void this.#writable().run(
      `INSERT INTO mock (genesis, address, code_hash, since) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET address = excluded.address, code_hash = excluded.code_hash, deployer = NULL`,
      ...[genesis, address, codeHash, this.#now()],
    );
  }

  /** Claims the deployment of a chain's first mock for a process. @returns the process that is deploying it already */
  public claimDeployment(genesis: Hex, deployer: string): string | undefined {
    return this.transaction(() => {
      const other = text(
        this.#writable().get("SELECT * FROM mock WHERE genesis = ?", genesis)?.["deployer"],
      );
      if (other === undefined) this.setDeployer(genesis, deployer);
      return other;
    });
  }

  public setDeployer(genesis: Hex, deployer: string | undefined): void {
    void this.#writable().run(
      `INSERT INTO mock (genesis, deployer, since) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET deployer = excluded.deployer, since = excluded.since`,
      ...[genesis, deployer ?? null, this.#now()],
    );
  }

  public close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #select(where: string, ...values: (string | null)[]): StoredSubmission[] {
    const database = this.#readable();
    if (database === undefined) return [];
    const rows = database.all(`SELECT * FROM submission ${where}`, ...values);
    return rows.map((row) => {
      const id = String(row["id"]);
      const parts = database.all("SELECT * FROM part WHERE submission = ? ORDER BY position", id);
      if (parts.length !== row["parts"]) throw rowsDeleted(id);
      return recordOf(row, parts.map(partOf), () => this.#events(id));
    });
  }

  #events(id: string): SubmissionEvent[] {
    const rows = this.#readable()?.all(
      "SELECT * FROM event WHERE submission = ? ORDER BY rowid",
      id,
    );
    return (rows ?? []).map(({ at, what, detail }) => {
      return {
        at: Number(at),
        what: String(what),
        ...(typeof detail === "string" ? { detail } : {}),
      };
    });
  }

  #event(id: string, what: string, detail: string | undefined): void {
    this.#writable().insert("event", { submission: id, at: this.#now(), what, detail });
  }

  #requestText({ destinationChainId, tasks }: TaskRequest): string {
    const shown = this.holdsPrivateInputs ? tasks : tasks.map(withoutPrivateInputs);
    return jsonText(toTaskRequestJson({ destinationChainId, tasks: shown }));
  }

  #readable(): Database | undefined {
    const { path } = this.#options;
    if (path === undefined || fileAt(path) !== undefined) return this.#writable();
    return undefined;
  }

  #writable(): Database {
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

/** Returns the query for the newest submission with a part of a hash (or the part) at a place, for one chain or any. */
function newestWhere(state: string, found: "one" | "part" = "one"): string {
  return `SELECT ${found}.rowid FROM part CROSS JOIN submission AS one ON one.id = part.submission
    WHERE part.hash = wanted.value AND one.endpoint IS ? AND (? IS NULL OR one.destination = ?) AND ${state} ORDER BY part.rowid DESC LIMIT 1`;
}

/** Returns a task without the values of its private inputs, which no hash covers. */
function withoutPrivateInputs(task: Task): Task {
  if (task.type !== "Module") return task;
  const inputs = task.inputs.map((input): ModuleInput =>
    input.visibility === "private" ? { ...input, value: "0x0" } : input,
  );
  return { ...task, inputs };
}

/** Returns HDP-5102: a submission of which another program has deleted rows. */
function rowsDeleted(id: string): HdpError {
  return hdpError("HDP-5102", { reason: `rows of submission ${id} were deleted` });
}

const PHASES = ["pending", "finalized", "failed"] as const;

function recordOf(
  row: Row,
  parts: readonly PartRecord[],
  events: () => readonly SubmissionEvent[],
): StoredSubmission {
  const { request } = row;
  let parsed: TaskRequest | undefined;
  let explanation: Recovery | undefined;
  const [name, detail] = [text(row["seen_name"]), text(row["seen_detail"])];
  return {
    id: String(row["id"]),
    kind: member(KINDS, row["kind"]),
    state: member(STATES, row["state"]),
    createdAt: Number(row["created"]),
    updatedAt: Number(row["updated"]),
    network: String(row["network"]),
    processor: String(row["processor"]),
    host: text(row["host"]),
    endpoint: text(row["endpoint"]),
    destinationChainId:
      row["destination"] === null ? undefined : member(CHAIN_IDENTIFIERS, row["destination"]),
    genesis: optionalHex(row["genesis"]),
    serviceId: text(row["service_id"]),
    label: text(row["label"]),
    forced: row["forced"] === 1,
    reason: text(row["reason"]),
    sender: text(row["sender"]),
    seen:
      name === undefined
        ? undefined
        : {
            name,
            phase: member(PHASES, row["seen_phase"]),
            at: Number(row["seen_at"]),
            ...(detail === undefined ? {} : { detail }),
          },
    // Parsed on first access: most requests are never read.
    get request() {
      if (typeof request !== "string") return undefined;
      return (parsed ??= stored(() =>
        parseTaskRequest(parseJsonText(request), { fields: "encodable" }),
      ));
    },
    get explanation() {
      return (explanation ??= stored(() => explain(this)));
    },
    get history() {
      return events();
    },
    parts,
  };
}

function partOf(row: Row): PartRecord {
  const { block, computed } = row;
  return {
    hash: String(row["hash"]),
    identity: String(row["identity"]),
    serviceHash: optionalHex(row["service_hash"]),
    word: optionalHex(row["word"]),
    store: optionalHex(row["store"]),
    transactionHash: optionalHex(row["transaction_hash"]),
    blockNumber: typeof block === "string" ? stored(() => BigInt(block)) : undefined,
    computed: typeof computed === "string" ? stored(() => computedOf(computed)) : undefined,
  };
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;
const hex = (value: unknown): Hex => `0x${String(value).slice(2)}`;
const optionalHex = (value: unknown): Hex | undefined =>
  typeof value === "string" ? hex(value) : undefined;

/** Reads stored data. @throws HdpError HDP-5102 for data that another program has changed */
function stored<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw hdpError("HDP-5102", { reason: messageOf(cause) }, { cause });
  }
}

/** Returns a value of a column with a fixed set of values. @throws HdpError HDP-5102 for another value */
function member<T extends string>(members: readonly T[], value: unknown): T {
  const found = members.find((one) => one === value);
  if (found !== undefined) return found;
  throw hdpError("HDP-5102", {
    reason: `"${String(value)}" where one of ${members.join(", ")} belongs`,
  });
}

/** Returns JSON in which integers keep their type: `{"$": "12"}`. */
function computedText(computed: TaskResult): string {
  return JSON.stringify(computed, (_, value: unknown) =>
    typeof value === "bigint" ? { $: String(value) } : value,
  );
}

function computedOf(json: string): TaskResult | undefined {
  const value: unknown = JSON.parse(json, (_, one: unknown) =>
    typeof one === "object" && one !== null && "$" in one ? BigInt(String(one.$)) : one,
  );
  return isComputed(value) ? value : undefined;
}

/** Returns whether a value is a result. This package wrote it, so checking one member is enough. */
function isComputed(value: unknown): value is TaskResult {
  return typeof value === "object" && value !== null && "word" in value;
}
