import { dirname } from "node:path";

import { type DamagedLine, decodeJournal, encodeEntry, type JournalContents, type NewEntry } from "./entry.js";
import { JournalError } from "./errors.js";
import { type AppendHandle, type JournalFs, systemErrorCode } from "./journal-fs.js";
import { FileLock, type LockOptions } from "./lock.js";
import { type JournalRecord, reduce } from "./record.js";

export interface JournalOptions {
  /** The journal's file, by default `<project>/hdp/journal.jsonl`; `<path>.lock` is its lock. */
  readonly path: string;
  readonly fs: JournalFs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new identifier, unique in the journal: a UUID. */
  readonly newId: () => string;
  readonly lock: Omit<LockOptions, "fs" | "now" | "newToken">;
}

const LINE_FEED = 10;

interface KnownLines extends JournalContents {
  readonly text: string;
  readonly lines: number;
}
const NOTHING_KNOWN: KnownLines = { text: "", lines: 0, entries: [], damage: [] };

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

/** The file system as the lock uses it, with the journal's errors for the system's. */
function reporting(fs: JournalFs): LockOptions["fs"] {
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
  #directoryReady = false;
  /** What the last reading found in the file's whole lines. */
  #known = NOTHING_KNOWN;

  public constructor(options: JournalOptions) {
    this.path = options.path;
    this.#options = options;
    this.#lock = new FileLock(`${options.path}.lock`, {
      ...options.lock,
      fs: reporting(options.fs),
      now: options.now,
      newToken: options.newId,
    });
  }

  /** An identifier for a new submission. */
  public newId(): string {
    return this.#options.newId();
  }

  /**
   * Appends one entry; when this returns, it survives a crash. A torn last line is left as it is and the entry starts
   * on a new one.
   *
   * @throws JournalError HDP-5001
   */
  public async append(entry: NewEntry): Promise<void> {
    const line = encodeEntry(entry, new Date(this.#options.now()));
    await this.#durably(async (handle) => {
      const last = await handle.lastByte();
      const bytes = Buffer.from(`${last === undefined || last === LINE_FEED ? "" : "\n"}${line}\n`);
      const written = await handle.write(bytes);
      if (written < bytes.length) throw new Error(`${written} of ${bytes.length} bytes were written`);
    });
  }

  /**
   * Puts on the disk what a process that ended may have left in the system's cache, so that what is read next cannot
   * be undone by a loss of power.
   *
   * @throws JournalError HDP-5001
   */
  public async settle(): Promise<void> {
    await this.#durably(async () => {
      // What is there already is all there is to sync.
    });
  }

  /**
   * Everything that can be read, oldest first. A journal that does not exist yet is empty.
   *
   * @throws JournalError HDP-5002
   */
  public async read(): Promise<JournalContents> {
    try {
      return this.#decode((await this.#options.fs.read(this.path)) ?? "");
    } catch (cause) {
      throw systemError("HDP-5002", this.path, cause);
    }
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
    await this.#ensureDirectory().catch((cause: unknown) => {
      throw systemError("HDP-5001", this.path, cause);
    });
    return await this.#lock.hold(action, signal);
  }

  /** Only what was appended since the last call is parsed, unless the file was rewritten: polling reads it often. */
  #decode(text: string): JournalContents {
    const known = text.startsWith(this.#known.text) ? this.#known : NOTHING_KNOWN;
    const end = text.lastIndexOf("\n") + 1;
    const added = decodeJournal(text.slice(known.text.length, end), known.lines);
    const lines = known.lines + text.slice(known.text.length, end).split("\n").length - 1;
    const entries = [...known.entries, ...added.entries];
    const damage = [...known.damage, ...added.damage];
    this.#known = { text: text.slice(0, end), lines, entries, damage };
    const last = decodeJournal(text.slice(end), lines);
    return { entries: [...entries, ...last.entries], damage: [...damage, ...last.damage] };
  }

  async #durably(write: (handle: AppendHandle) => Promise<void>): Promise<void> {
    try {
      await this.#ensureDirectory();
      const handle = await this.#options.fs.openAppend(this.path);
      try {
        await write(handle);
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (this.#directoryReady) return;
      await this.#options.fs.syncDirectory(dirname(this.path));
      await this.#options.fs.syncDirectory(dirname(dirname(this.path)));
      this.#directoryReady = true;
    } catch (cause) {
      throw systemError("HDP-5001", this.path, cause);
    }
  }

  async #ensureDirectory(): Promise<void> {
    if (!this.#directoryReady) await this.#options.fs.makeDirectory(dirname(this.path));
  }
}
