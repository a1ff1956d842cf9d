import { AppendLog, LOG_START, type LogPosition } from "../base/append-log.js";
import type { DurableFs } from "../base/durable-fs.js";
import { FileLock, type LockErrors, type LockOptions } from "../base/file-lock.js";
import type { DamagedLine } from "../base/log-line.js";
import { systemErrorCode } from "../base/system-error.js";
import { encodeEntry, JOURNAL_LINES, type JournalContents, type JournalEntry, type NewEntry } from "./entry.js";
import { JournalError } from "./errors.js";
import { type JournalRecord, reduce } from "./record.js";

export interface JournalOptions {
  /** The journal's file, by default `<project>/hdp/journal.jsonl`; `<path>.lock` is its lock. */
  readonly path: string;
  readonly fs: DurableFs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new identifier, unique in the journal: a UUID. */
  readonly newId: () => string;
  readonly lock: Omit<LockOptions, "fs" | "now" | "newToken" | "errors">;
}

function systemError(code: "HDP-5001" | "HDP-5002", path: string, cause: unknown): JournalError {
  const verb = code === "HDP-5001" ? "written" : "read";
  return new JournalError({
    code,
    path,
    message: `the journal cannot be ${verb} (${systemErrorCode(cause) ?? "unknown reason"}).`,
    hints: [
      code === "HDP-5001"
        ? "Nothing is sent without it: free space on the disk or correct the permissions, and run the command again."
        : "Correct its permissions, or name another file as the journal.",
    ],
    cause,
  });
}

const MODE = 0o644;

interface KnownLines extends JournalContents {
  readonly position: LogPosition;
}
const NOTHING_KNOWN: KnownLines = { position: LOG_START, entries: [], damage: [] };

const heldTooLong =
  (patience: number): LockErrors["held"] =>
  (path, holder) =>
    new JournalError({
      code: "HDP-5003",
      message: `process ${holder.pid} on ${holder.host} holds the journal's lock ${path} for longer than ${patience / 1000} s.`,
      hints: [
        "Wait until that process has submitted, or end it, and run the command again.",
        `A lock left by another machine or container is not taken over: when it is certain that nobody holds it, delete ${path}.`,
      ],
    });

const notALock: LockErrors["unreadable"] = (path, cause) =>
  new JournalError({
    code: "HDP-5004",
    message: `the lock file ${path} does not say who holds it.`,
    hints: [`Make sure that no other process is submitting, then delete ${path} and run the command again.`],
    cause,
  });

/** The file system as the lock uses it, with the journal's errors for the system's. */
function reporting(fs: DurableFs): LockOptions["fs"] {
  const report = (path: string) => (cause: unknown) => {
    throw systemError("HDP-5001", path, cause);
  };
  return {
    createExclusive: async (path, text, token) => await fs.createExclusive(path, text, token).catch(report(path)),
    read: async (path) => await fs.read(path).catch(report(path)),
    remove: async (path) => {
      await fs.remove(path).catch(report(path));
    },
  };
}

/**
 * The durable record of submissions: one JSON document a line, appended in a single write and on the disk before the
 * call returns. Several processes may append at the same time.
 */
export class Journal {
  public readonly path: string;
  readonly #options: JournalOptions;
  readonly #lock: FileLock;
  readonly #log: AppendLog<JournalEntry>;
  /** What was read so far: polling reads often, and only what was appended since is parsed. */
  #known = NOTHING_KNOWN;

  public constructor(options: JournalOptions) {
    this.path = options.path;
    this.#options = options;
    this.#log = new AppendLog({ path: options.path, fs: options.fs, format: JOURNAL_LINES, mode: MODE });
    this.#lock = new FileLock(`${options.path}.lock`, {
      ...options.lock,
      fs: reporting(options.fs),
      now: options.now,
      newToken: options.newId,
      errors: { held: heldTooLong(options.lock.patience), unreadable: notALock },
    });
  }

  /** An identifier for a new submission. */
  public newId(): string {
    return this.#options.newId();
  }

  /**
   * Appends one entry; when this returns, it survives a crash.
   *
   * @throws JournalError HDP-5001
   */
  public async append(entry: NewEntry): Promise<void> {
    const line = encodeEntry(entry, new Date(this.#options.now()));
    await this.#log.append(line).catch(this.#failedTo("HDP-5001"));
  }

  /**
   * Puts on the disk what a process that ended may have left in the system's cache, so that what is read next cannot
   * be undone by a loss of power.
   *
   * @throws JournalError HDP-5001
   */
  public async settle(): Promise<void> {
    await this.#log.settle().catch(this.#failedTo("HDP-5001"));
  }

  /**
   * Everything that can be read, oldest first. A journal that does not exist yet is empty.
   *
   * @throws JournalError HDP-5002
   */
  public async read(): Promise<JournalContents> {
    const part = await this.#log.read(this.#known.position).catch(this.#failedTo("HDP-5002"));
    const known = part.continues ? this.#known : NOTHING_KNOWN;
    const entries = [...known.entries, ...part.entries];
    const damage = [...known.damage, ...part.damage];
    this.#known = { position: part.position, entries, damage };
    return { entries: [...entries, ...part.end.entries], damage: [...damage, ...part.end.damage] };
  }

  /** The submissions by their journal id, oldest first, with the lines that could not be read. */
  public async records(): Promise<{
    readonly records: ReadonlyMap<string, JournalRecord>;
    readonly damage: readonly DamagedLine[];
  }> {
    const { entries, damage } = await this.read();
    return { records: reduce(entries), damage };
  }

  /**
   * Runs `action` while no other process is inside `exclusively` on this journal: for deciding on what the journal
   * says and writing the decision down. Plain appends do not need it.
   *
   * @throws JournalError HDP-5003, HDP-5004, HDP-5001
   */
  public async exclusively<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#log.ensureDirectory().catch(this.#failedTo("HDP-5001"));
    return await this.#lock.hold(action, signal);
  }

  #failedTo(code: "HDP-5001" | "HDP-5002"): (cause: unknown) => never {
    return (cause) => {
      throw systemError(code, this.path, cause);
    };
  }
}
