import { mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

import { HdpError } from "../base/errors.js";
import { jsonText } from "./json-text.js";

/** Where a front keeps what it must not forget: one JSON value a line. */
export interface FrontLog {
  /** Resolves once the entry is on disk. Entries keep the order of the calls. */
  append(entry: unknown): Promise<void>;
  /** Waits for all entries, then lets go of the file. */
  close(): Promise<void>;
}

/** Keeps nothing: what a front without a data folder writes to. */
export const forgetfulLog: FrontLog = {
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Append-only file. Entries that arrive while a write is under way go together into the next one, with one fsync, so
 * that waiting for the disk does not bound how many tasks a second are accepted.
 */
export class FileLog implements FrontLog {
  readonly #file: FileHandle;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #broken: unknown;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Opens a log and reads what it holds. The unfinished last line of a process that was killed while writing is cut
   * off: nobody was told that it was accepted.
   *
   * @throws HdpError HDP-4502 where the file cannot be used, or is damaged before its last line.
   */
  public static async open(path: string): Promise<{ readonly log: FileLog; readonly entries: readonly unknown[] }> {
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, "a+", 0o600);
      const text = await file.readFile("utf8");
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      const entries = parseLines(whole, path);
      if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
      await file.sync();
      await syncFolder(dirname(path));
      return { log: new FileLog(file), entries };
    } catch (error) {
      if (error instanceof HdpError) throw error;
      throw unusable(path, error instanceof Error ? error.message : String(error), error);
    }
  }

  public append(entry: unknown): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(asError(this.#broken));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${jsonText(entry)}\n`, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  public async close(): Promise<void> {
    await this.#writing;
    this.#broken ??= new Error("the log is closed");
    await this.#file.close();
  }

  async #drain(): Promise<void> {
    // What arrives in the same turn of the event loop goes into the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#broken !== undefined) throw asError(this.#broken);
        await this.#file.appendFile(batch.map(({ line }) => line).join(""));
        await this.#file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // A line may be half written: nothing may be put behind it.
        this.#broken = error;
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = undefined;
  }
}

/** Makes the names in a folder last. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its file systems keep names by themselves.
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function logPath(dataDir: string): string {
  return join(dataDir, "front.jsonl");
}

function parseLines(text: string, path: string): unknown[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line, position): unknown => {
      try {
        return JSON.parse(line);
      } catch (error) {
        throw unusable(path, `line ${position + 1} is not JSON`, error);
      }
    });
}

function unusable(path: string, reason: string, cause: unknown): HdpError {
  return new HdpError({
    code: "HDP-4502",
    path,
    message: `the data folder's log cannot be used: ${reason}.`,
    hints: ["Give another folder as --data-dir, or move this one away to begin anew."],
    cause,
  });
}

function asError(value: unknown): Error {
  return value instanceof Error ? value : new Error(String(value));
}
