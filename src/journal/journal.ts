import { AppendLog, type LogPosition } from "../base/append-log.js";
import type { DurableFs } from "../base/durable-fs.js";
import { FileLock, type LockErrors, type LockOptions } from "../base/file-lock.js";
import { type DamagedLine, isOfBytes } from "../base/log-line.js";
import { systemErrorCode } from "../base/files.js";
import { addCallEntries, type CallRecord } from "./call-record.js";
import { encodeEntry, type JournalEntry, type NewEntry } from "./journal-entry.js";
import { JOURNAL_LINES, type JournalContents } from "./journal-lines.js";
import { JournalError } from "./journal-error.js";
import { type Indexed, readIndex, writeIndex } from "./index-file.js";
import { JournalIndex } from "./journal-index.js";
import { JournalLook } from "./journal-look.js";
import { addEntries, type JournalRecord } from "./journal-record.js";
import { ToldRecords } from "./told-records.js";

/** What a journal says. */
export interface JournalRecords {
  readonly records: ReadonlyMap<string, JournalRecord>;
  /** What was sent beside tasks. */
  readonly calls: ReadonlyMap<string, CallRecord>;
  readonly damage: readonly DamagedLine[];
}

export interface JournalOptions {
  /** The journal's file, by default `<project>/hdp/journal.jsonl`; `<path>.lock` is its lock. */
  readonly path: string;
  readonly fs: DurableFs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new identifier, unique in the journal: a UUID. */
  readonly newId: () => string;
  readonly lock: Omit<LockOptions, "fs" | "now" | "newToken" | "errors">;
  /** Bytes of a journal from which on an index is kept beside it, `<path>.index`. Default 1 MiB. */
  readonly indexedFrom?: number | undefined;
}

const HINTS = {
  "to-send":
    "Nothing is sent without it: free space on the disk or correct the permissions, and run the command again.",
  "to-remember":
    "What was sent before stands, and is seen again at the next look: free space on the disk or correct the permissions.",
};

/** Entries without which nothing is sent. */
type Purpose = "to-send" | "to-remember";

function systemError(
  code: "HDP-5001" | "HDP-5002",
  path: string,
  cause: unknown,
  purpose: Purpose = "to-send",
): JournalError {
  const verb = code === "HDP-5001" ? "written" : "read";
  return new JournalError({
    code,
    path,
    message: `the journal cannot be ${verb} (${systemErrorCode(cause) ?? "unknown reason"}).`,
    hints: [code === "HDP-5002" ? "Correct its permissions, or name another file as the journal." : HINTS[purpose]],
    cause,
  });
}

function changedMeanwhile(path: string): JournalError {
  return new JournalError({
    code: "HDP-5002",
    path,
    message: "the journal cannot be read (it was changed after it was first read). Nothing was sent.",
    hints: ["See what is lost and what is not: npx hardhat hdp journal --check", "Then run the command again."],
  });
}

/** Entries that are written before something is sent. */
const SENDING: ReadonlySet<JournalEntry["event"]> = new Set(["intent", "call"] as const);

const MODE = 0o644;

/** What was read so far. */
interface Known {
  readonly position: LogPosition;
  readonly index: JournalIndex;
  readonly damage: DamagedLine[];
  /** Damage that a person knows of. */
  readonly repaired: Set<string>;
  readonly told: ToldRecords;
  /** How far the index beside the journal goes, as far as this process knows. */
  readonly indexed: number;
}

/** What is known, with what follows the last whole line. */
interface KnownToEnd extends Known {
  readonly end: JournalContents;
}

type Reading = Omit<Known, "position">;

function nothingKnown(): Reading {
  return { index: new JournalIndex(), damage: [], repaired: new Set(), told: new ToldRecords(), indexed: 0 };
}

const INDEXED_FROM = 1024 * 1024;
/** An index is made anew when the journal has grown by a part of what it covers: not at every line. */
const GROWTH = 1 / 16;

const damageKey = ({ line, reason }: Pick<DamagedLine, "line" | "reason">): string => `${line} ${reason}`;

function* repairedBy(entries: readonly JournalEntry[]): Generator<string> {
  for (const entry of entries) if (entry.event === "repaired") yield* entry.damage.map(damageKey);
}

/** The damage that nobody knows of. */
function unknownDamage({ damage, repaired, end }: KnownToEnd): DamagedLine[] {
  const known = new Set([...repaired, ...repairedBy(end.entries)]);
  return [...damage, ...end.damage].filter((one) => !known.has(damageKey(one)));
}

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

const sendingTooLong =
  (id: string, patience: number): LockErrors["held"] =>
  (path, { pid, host }) =>
    new JournalError({
      code: "HDP-5003",
      message: `process ${pid} on ${host} is sending submission ${id} for longer than ${patience / 1000} s.`,
      hints: [
        "It holds tasks that are wanted here too: wait until it has its answer, or end it, and run the command again.",
        `When it is certain that no process is sending, delete ${path}.`,
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
  /** Polling reads often, and only what was appended since is parsed. */
  #known: Known | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  public constructor(options: JournalOptions) {
    this.path = options.path;
    this.#options = options;
    this.#log = new AppendLog({ path: options.path, fs: options.fs, format: JOURNAL_LINES, mode: MODE });
    this.#lock = this.#lockAt(`${options.path}.lock`, heldTooLong(options.lock.patience));
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
    await this.#log
      .append(line)
      .catch(this.#failedTo("HDP-5001", SENDING.has(entry.event) ? "to-send" : "to-remember"));
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
    const { entries, damage, end } = await this.#log.read().catch(this.#failedTo("HDP-5002"));
    return { entries: [...entries, ...end.entries], damage: [...damage, ...end.damage] };
  }

  /**
   * All submissions by their journal id, oldest first, with the lines that could not be read and that nobody knows of
   * yet. Every line is read for it: `look` finds single ones.
   *
   * @throws JournalError HDP-5002
   */
  public async records(): Promise<JournalRecords> {
    const records = new Map<string, JournalRecord>();
    const calls = new Map<string, CallRecord>();
    const add = (entries: readonly JournalEntry[]): void => {
      addEntries(records, entries);
      addCallEntries(calls, entries);
    };
    const known = await this.#alone(async () => {
      this.#known = undefined;
      return await this.#readFrom(undefined, add);
    });
    add(known.end.entries);
    return { records, calls, damage: unknownDamage(known) };
  }

  /**
   * What the journal says, to be asked. Only what was appended since the last look is read for it.
   *
   * @throws JournalError HDP-5002
   */
  public async look(): Promise<JournalLook> {
    const known = await this.#alone(async () => await this.#readFrom(this.#known ?? (await this.#indexed())));
    return new JournalLook({
      ...{ index: known.index, told: known.told, end: known.end.entries, damage: unknownDamage(known) },
      entriesAt: async (places) => await this.#log.entriesAt(places).catch(this.#failedTo("HDP-5002")),
      changed: () => {
        // What is wrong with it is found by reading all of it.
        this.#known = undefined;
        return changedMeanwhile(this.path);
      },
    });
  }

  /** One after the other: two at once would both add the same lines. */
  async #alone<T>(read: () => Promise<T>): Promise<T> {
    const reading = this.#reading.then(read);
    this.#reading = reading.catch(() => undefined);
    return await reading;
  }

  /** @param onEntries told of all entries in front of the end, where nothing is known `before` */
  async #readFrom(
    before: Known | undefined,
    onEntries?: (entries: readonly JournalEntry[]) => void,
  ): Promise<KnownToEnd> {
    let read: Reading | undefined;
    const readInto = (continues: boolean): Reading =>
      (read ??= continues && before !== undefined ? before : nothingKnown());
    // What could only be read in part is read anew.
    this.#known = undefined;
    const part = await this.#log
      .read(before?.position, (entries, places, continues) => {
        const { index, repaired } = readInto(continues);
        for (const [at, place] of places.entries()) {
          const entry = entries[at];
          if (entry !== undefined) index.add(entry, place);
        }
        for (const key of repairedBy(entries)) repaired.add(key);
        onEntries?.(entries);
      })
      .catch(this.#failedTo("HDP-5002"));
    const known = { ...readInto(part.continues), position: part.position };
    for (const one of part.damage) known.damage.push(one);
    this.#known = await this.#withIndexFile(known);
    return { ...known, end: part.end };
  }

  /** What the index beside the journal tells, where the journal is what it was then. */
  async #indexed(): Promise<Known | undefined> {
    // It only saves time: what is wrong with it is as good as none.
    const file = await readIndex(this.#options.fs, this.#indexPath).catch(() => undefined);
    if (file === undefined) return undefined;
    const position = await this.#log.positionAt(file.position).catch(this.#failedTo("HDP-5002"));
    if (position === undefined) return undefined;
    const { index, damage, repaired } = file;
    return {
      ...nothingKnown(),
      ...{ index, position, damage: [...damage], repaired: new Set(repaired), indexed: position.offset },
    };
  }

  get #indexPath(): string {
    return `${this.path}.index`;
  }

  /** Writes what is known beside the journal when that saves the next process enough. */
  async #withIndexFile(known: Known): Promise<Known> {
    const { fs, indexedFrom = INDEXED_FROM } = this.#options;
    const { position, indexed, damage } = known;
    const { offset, lines, hash } = position;
    if (offset - indexed < Math.max(indexedFrom, indexed * GROWTH, 1)) return known;
    // A later version may read what this one cannot.
    if (hash === undefined || !damage.every(isOfBytes)) return known;
    const written: Indexed = { ...known, position: { offset, lines, digest: hash.copy().digest("hex") } };
    const lock = this.#lockAt(`${this.path}.lock.index`, heldTooLong(0), 0);
    await lock
      .hold(async () => await writeIndex(fs, this.#indexPath, written))
      // Another process writes one, or there is no room for it: nothing depends on it.
      .catch(() => undefined);
    return { ...known, indexed: offset };
  }

  /**
   * The texts of lines, whatever they are, by line number.
   *
   * @throws JournalError HDP-5002
   */
  public async textsOf(lines: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return await this.#log.textsOf(new Set(lines)).catch(this.#failedTo("HDP-5002"));
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

  /**
   * Writes down what is about to be sent, and marks it as being sent until what is returned is called. The journal is
   * held meanwhile. Where it cannot be marked nothing is sent, and the journal says so.
   *
   * @throws JournalError HDP-5001
   */
  public async intend(entry: Extract<NewEntry, { event: "intent" | "call" }>): Promise<() => Promise<void>> {
    const { id } = entry;
    await this.append(entry);
    return await this.beginSending(id).catch(async (error: unknown) => {
      await this.append({ event: "refused", id, reason: "nothing was sent" }).catch(() => undefined);
      throw error;
    });
  }

  /**
   * Marks a submission as being sent by this process, until what is returned is called. Its intent is written, and the
   * journal is held, when this is called: who finds the intent and no answer waits for the mark to go.
   *
   * @throws JournalError HDP-5001
   */
  public async beginSending(id: string): Promise<() => Promise<void>> {
    const release = await this.#sending(id).acquire();
    return async () => {
      // A mark that stays is taken away when this process has ended.
      await release().catch(() => undefined);
    };
  }

  /**
   * Waits while a living process is sending a submission.
   *
   * @throws JournalError HDP-5003 when that takes longer than the patience for locks
   */
  public async whenSent(id: string, signal?: AbortSignal): Promise<void> {
    if (await this.#isMarked(id)) await (await this.#sending(id).acquire(signal))();
  }

  /** Those of the submissions that are marked as being sent. */
  public async beingSent(ids: readonly string[]): Promise<string[]> {
    const marks = await Promise.all(ids.map(async (id) => await this.#isMarked(id)));
    return ids.filter((_, index) => marks[index]);
  }

  async #isMarked(id: string): Promise<boolean> {
    return (await this.#options.fs.read(this.#sendingPath(id)).catch(() => undefined)) !== undefined;
  }

  #sendingPath(id: string): string {
    return `${this.path}.lock.${id}`;
  }

  #sending(id: string): FileLock {
    return this.#lockAt(this.#sendingPath(id), sendingTooLong(id, this.#options.lock.patience));
  }

  #lockAt(path: string, held: LockErrors["held"], patience = this.#options.lock.patience): FileLock {
    const { fs, lock, now, newId } = this.#options;
    const errors = { held, unreadable: notALock };
    return new FileLock(path, { ...lock, patience, fs: reporting(fs), now, newToken: newId, errors });
  }

  #failedTo(code: "HDP-5001" | "HDP-5002", purpose?: Purpose): (cause: unknown) => never {
    return (cause) => {
      throw systemError(code, this.path, cause, purpose);
    };
  }
}
