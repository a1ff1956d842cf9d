import type { Hex } from "viem";

import { type HdpError, hdpError } from "../errors/hdp-error.js";
import type { TaskStatus } from "../request/data-processor.js";
import type { TaskResult } from "../request/task-result.js";
import { type DatabaseFacts, DatabaseFile, type DatabaseFileOptions } from "./database-file.js";
import { MockStores } from "./mock-stores.js";
import { isUnfinished, type WorkItem, type Sought } from "./model.js";
import type { BegunSubmission, SubmissionState } from "./model.js";
import { alikeQuery, searchClause, type SubmissionFilter } from "./submission-search.js";
import {
  computedText,
  hex,
  parsePart,
  parseSubmission,
  requestText,
  type StoredSubmission,
  type SubmissionEvent,
} from "./stored-submission.js";

/** A submission to insert. */
export interface NewSubmission extends BegunSubmission {
  readonly parts: readonly (WorkItem & { readonly live: boolean })[];
}

/** What changes in a row beside its state. */
export interface Change {
  readonly serviceId?: string | undefined;
  readonly serviceHashes?: readonly Hex[] | undefined;
  readonly processor?: string | undefined;
  readonly sender?: string | undefined;
  readonly reason?: string | undefined;
}

/** Where the submission store is kept, and its clock. */
export interface StoreOptions extends DatabaseFileOptions {
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** A submission with fewer parts than were recorded, or parts without their submission. */
const INCOMPLETE = `
SELECT id FROM submission WHERE parts <> (SELECT count(*) FROM part WHERE part.submission = submission.id)
UNION ALL SELECT submission FROM part WHERE submission NOT IN (SELECT id FROM submission) LIMIT 1`;

/** An outcome that could not be recorded. */
interface Unrecorded {
  readonly record: () => void;
  readonly error?: HdpError;
}

/** Submissions as rows of a SQLite database. The first write creates the file; until then there are no submissions. */
export class SubmissionStore {
  /** Outcomes of this process that could not be recorded, by submission, with the error that said so. */
  public readonly unrecorded = new Map<string, Unrecorded>();
  /**
   * Submissions of this process that it no longer waits for. Where one is recorded as being sent, an older copy of the
   * file was put in its place.
   */
  public readonly answered = new Set<string>();
  /** The mock execution stores of the project. */
  public readonly mocks: MockStores;
  readonly #file: DatabaseFile;
  readonly #clock: () => number;

  public constructor({ now, ...file }: StoreOptions) {
    this.#file = new DatabaseFile(file);
    this.#clock = now;
    this.mocks = new MockStores(this.#file, now);
  }

  public get path(): string | undefined {
    return this.#file.path;
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
    const incomplete = this.#file.writable().get(INCOMPLETE)?.["id"];
    if (typeof incomplete === "string") throw rowsDeleted(incomplete);
    this.#file.check();
  }

  /** Checks the file and returns what it is; undefined where there is none. @throws HdpError HDP-51xx */
  public facts(): DatabaseFacts | undefined {
    return this.#file.facts();
  }

  #now(): number {
    return Math.round(this.#clock());
  }

  /** Runs `action` as one transaction: other processes cannot write during it, and an error undoes it. */
  public transaction<T>(action: () => T): T {
    return this.#file.writable().transaction(action);
  }

  /** Records a new submission. At most one part of an identity is live: inserting a second one violates the index. */
  public insert(submission: NewSubmission): void {
    const { id, kind, state, network, processor, host, endpoint, destinationChainId, genesis } =
      submission;
    const { serviceId, label, forced, sender, request, parts } = submission;
    const database = this.#file.writable();
    const now = this.#now();
    database.transaction(() => {
      database.insert("submission", {
        id,
        kind,
        state,
        created: now,
        updated: now,
        network,
        processor,
        host,
        endpoint,
        destination: destinationChainId,
        genesis,
        service_id: serviceId,
        label,
        forced: forced ? 1 : 0,
        sender,
        parts: parts.length,
        request: request && requestText(request, this.holdsPrivateInputs),
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
    const { serviceId, serviceHashes, processor, sender, reason } = change;
    return this.transaction(() => {
      const database = this.#file.writable();
      const known = database.get("SELECT service_id FROM submission WHERE id = ?", id)?.[
        "service_id"
      ];
      // The state that was observed under another id is observed again, and then ends the submission.
      const unseen =
        serviceId === undefined ? "" : ", seen_name = NULL, seen_phase = NULL, seen_detail = NULL";
      const changed = database.run(
        `UPDATE submission SET state = ?, updated = ?, service_id = coalesce(?, service_id),
         processor = coalesce(?, processor), sender = coalesce(?, sender), reason = ?${unseen}
         WHERE id = ? AND state IN (${from.map((state) => `'${state}'`).join(", ")})`,
        ...[to, this.#now()],
        ...[serviceId, processor, sender, reason].map((one) => one ?? null),
        id,
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
    void this.#file
      .writable()
      .run("UPDATE part SET service_hash = ? WHERE submission = ?", hash, id);
  }

  /** Forgets the service's own hashes of a submission's tasks. */
  public forgetServiceHashes(id: string): void {
    void this.#file.writable().run("UPDATE part SET service_hash = NULL WHERE submission = ?", id);
  }

  /** Returns whether a hash is that of another task, by this project or a service. */
  public isHashOfOther(hash: Hex, taskHash: string): boolean {
    const other = this.#file
      .readable()
      ?.get(
        "SELECT 1 FROM part WHERE (hash = ? OR service_hash = ?) AND hash <> ?",
        ...[hash, hash, taskHash.toLowerCase()],
      );
    return other !== undefined;
  }

  /** Lets the work of a submission, or its item of one hash, be sent again. The record stays. */
  public release(id: string, hash?: string): void {
    const statement = "UPDATE part SET live = 0 WHERE submission = ? AND hash = coalesce(?, hash)";
    void this.#file.writable().run(statement, id, hash ?? null);
  }

  /** Records an observed state if it changed. A finalized submission stays finalized. */
  public observe(id: string, { name, phase, detail }: TaskStatus): void {
    const now = this.#now();
    this.transaction(() => {
      const changed = this.#file.writable().run(
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
      const database = this.#file.writable();
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

  /** Records a local run's data about results, in the order of the parts; of an undefined one it records nothing. */
  public recordComputed(id: string, computed: readonly (TaskResult | undefined)[]): void {
    computed.forEach((part, position) => {
      if (part === undefined) return;
      void this.#file
        .writable()
        .run(
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
    const rows = this.#file.readable()?.all(
      `SELECT part.* FROM json_each(?) AS wanted CROSS JOIN part
       ON part.rowid = (${newestWhere(`part.service_hash IS NOT NULL AND ${isOwn}`, "part")})`,
      JSON.stringify(hashes.map((hash) => hash.toLowerCase())),
      ...[endpoint ?? null, destinationChainId ?? null, destinationChainId ?? null],
    );
    return new Map((rows ?? []).map((row) => [String(row["hash"]), hex(row["service_hash"])]));
  }

  /** Returns the submissions of the same work without its result, oldest first. */
  public awaiting(
    results: readonly (WorkItem & { readonly word?: Hex | undefined })[],
  ): StoredSubmission[] {
    return this.#select(
      `WHERE id IN (SELECT part.submission FROM json_each(?) AS result CROSS JOIN part
       ON part.identity = (result.value ->> 'identity') AND part.hash = (result.value ->> 'hash')
       WHERE part.word IS NOT (result.value ->> 'word')) ORDER BY rowid`,
      JSON.stringify(results, ["hash", "identity", "word"]),
    );
  }

  /** Returns the submissions that a filter selects, all by default, oldest first. */
  public list(filter: SubmissionFilter = {}): StoredSubmission[] {
    const { sql, values } = searchClause(filter);
    const found = this.#select(sql, ...values);
    return filter.unfinished === true ? found.filter(isUnfinished) : found;
  }

  /** Returns how many ids, of this project and of services, begin with a text. */
  public alike(prefix: string): number {
    const { sql, values } = alikeQuery(prefix);
    return Number(this.#file.readable()?.get(sql, ...values)?.["alike"] ?? 0);
  }

  /** Returns the newest submissions, the newest first. */
  public latest(count: number): StoredSubmission[] {
    return this.#select(`ORDER BY rowid DESC LIMIT ${count}`);
  }

  /** Returns the submissions whose id, or service id, begins with a text. */
  public withPrefix(prefix: string): StoredSubmission[] {
    const end = `${prefix}\u{10ffff}`;
    const begins = "WHERE (id >= ? AND id < ?) OR (service_id >= ? AND service_id < ?)";
    return this.#select(`${begins} ORDER BY rowid`, prefix, end, prefix, end);
  }

  public close(): void {
    this.#file.close();
  }

  #select(where: string, ...values: (string | number | null)[]): StoredSubmission[] {
    const database = this.#file.readable();
    if (database === undefined) return [];
    const rows = database.all(`SELECT * FROM submission ${where}`, ...values);
    return rows.map((row) => {
      const id = String(row["id"]);
      const parts = database.all("SELECT * FROM part WHERE submission = ? ORDER BY position", id);
      if (parts.length !== row["parts"]) throw rowsDeleted(id);
      return parseSubmission(row, parts.map(parsePart), () => this.#events(id));
    });
  }

  #events(id: string): SubmissionEvent[] {
    const rows = this.#file
      .readable()
      ?.all("SELECT * FROM event WHERE submission = ? ORDER BY rowid", id);
    return (rows ?? []).map(({ at, what, detail }) => {
      return {
        at: Number(at),
        what: String(what),
        ...(typeof detail === "string" ? { detail } : {}),
      };
    });
  }

  #event(id: string, what: string, detail: string | undefined): void {
    this.#file.writable().insert("event", { submission: id, at: this.#now(), what, detail });
  }
}

/** Returns the query for the newest submission with a part of a hash (or the part) at a place, for one chain or any. */
function newestWhere(state: string, found: "one" | "part" = "one"): string {
  return `SELECT ${found}.rowid FROM part CROSS JOIN submission AS one ON one.id = part.submission
    WHERE part.hash = wanted.value AND one.endpoint IS ? AND (? IS NULL OR one.destination = ?) AND ${state} ORDER BY part.rowid DESC LIMIT 1`;
}

/** Returns HDP-5102: a submission of which another program has deleted rows. */
function rowsDeleted(id: string): HdpError {
  return hdpError("HDP-5102", { reason: `rows of submission ${id} were deleted` });
}
