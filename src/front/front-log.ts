import { join } from "node:path";

import { AppendLog } from "../base/append-log.js";
import { nodeFs } from "../base/durable-fs.js";
import { systemClock } from "../base/clock.js";
import { HdpError } from "../base/errors.js";
import { type LogContents, sealLine } from "../base/log-line.js";
import { jsonText } from "../base/json-text.js";

/** Where a front keeps what it must not forget: one JSON value a line. */
export interface FrontLog {
  /** Resolves once the entry is on disk. Entries keep the order of the calls. */
  append(entry: unknown): Promise<void>;
  /** Waits for all entries; later ones are refused. */
  close(): Promise<void>;
}

/** Pause before what could not be kept is tried again, in milliseconds. */
const RETRY_MS = 1_000;

/** Appends what happened already and must not be refused: a full disk is waited for, and told of once. */
export async function keep(
  log: FrontLog,
  entry: unknown,
  { signal, onFailure }: { readonly signal: AbortSignal; readonly onFailure: (error: unknown) => void },
): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    try {
      await log.append(entry);
      return;
    } catch (error) {
      if (!isTold) onFailure(error);
      if (signal.aborted) throw error;
      await systemClock.sleep(RETRY_MS, signal);
    }
  }
}

/** Keeps nothing: what a front without a data folder writes to. */
export const forgetfulLog: FrontLog = {
  append: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** The log in a data folder that this process has for itself. */
export class FileLog implements FrontLog {
  readonly #log: AppendLog<unknown>;
  #isClosed = false;

  private constructor(log: AppendLog<unknown>) {
    this.#log = log;
  }

  /**
   * Opens a log and reads what it holds. The unfinished last line of a process that was killed while writing is cut
   * off: nobody was told that it was accepted.
   *
   * @throws HdpError HDP-4502 where the file cannot be used, or is damaged before its last line.
   */
  public static async open(path: string): Promise<{ readonly log: FileLog; readonly entries: readonly unknown[] }> {
    const format = { decode: (entry: unknown) => ({ entry }) };
    const log = new AppendLog({ path, fs: nodeFs, format, mode: 0o600, alone: true });
    try {
      await log.settle();
      return { log: new FileLog(log), entries: entriesOf(await log.read(), path) };
    } catch (error) {
      if (error instanceof HdpError) throw error;
      throw unusable(path, error instanceof Error ? error.message : String(error), error);
    }
  }

  public async append(entry: unknown): Promise<void> {
    if (this.#isClosed) throw new Error("the log is closed");
    await this.#log.append(sealLine(jsonText(entry)));
  }

  public async close(): Promise<void> {
    this.#isClosed = true;
    await this.#log.idle();
  }
}

export function logPath(dataDir: string): string {
  return join(dataDir, "front.jsonl");
}

function entriesOf(
  { entries, damage, end }: LogContents<unknown> & { readonly end: LogContents<unknown> },
  path: string,
): unknown[] {
  const damaged = [...damage, ...end.damage][0];
  if (damaged !== undefined) throw unusable(path, `line ${damaged.line} is damaged (${damaged.reason})`, undefined);
  return [...entries, ...end.entries];
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
