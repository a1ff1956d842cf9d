import { join } from "node:path";

import { AppendLog } from "../base/append-log.js";
import { systemClock } from "../base/clock.js";
import { type DurableFs, nodeFs, type ReadHandle } from "../base/durable-fs.js";
import type { FileLine } from "../base/file-lines.js";
import { jsonText } from "../base/json.js";
import type { LinePlace } from "../base/line-places.js";
import { isSealed, sealLine } from "../base/log-line.js";
import { HdpError } from "../errors/hdp-error.js";

/** A line as it was read when the log was opened. Its bytes are the reader's: copy what is kept. */
export interface LogLine extends LinePlace {
  readonly bytes: Buffer;
  /** Written by this package as it stands. Lines of 0.1.0 have no checksum, and are checked. */
  readonly isSealed: boolean;
  readonly number: number;
}

/** Where a front keeps what it must not forget: one JSON value a line. */
export interface FrontLog {
  /** Resolves once the entry is on disk. Entries keep the order of the calls. */
  append(entry: unknown): Promise<void>;
  /** The entry of a line that was there when the log was opened. */
  entryAt(place: LinePlace): Promise<unknown>;
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
  entryAt: () => Promise.reject(new Error("nothing is kept")),
  close: () => Promise.resolve(),
};

/** What could not be written is tried again each second; refusals further apart have nothing to do with each other. */
const REFUSED_IN_A_ROW_MS = 60_000;

/** The log in a data folder that this process has for itself. */
export class FileLog implements FrontLog {
  readonly #log: AppendLog<unknown>;
  readonly #fs: DurableFs;
  readonly #now: () => number;
  #reading: Promise<ReadHandle | undefined> | undefined;
  /** One for all that is refused in a row, so that it is told of once: on a full disk short lines fit where long do not. */
  #refusal: { readonly error: Error; readonly at: number } | undefined;
  #isClosed = false;

  private constructor(log: AppendLog<unknown>, fs: DurableFs, now: () => number) {
    this.#log = log;
    this.#fs = fs;
    this.#now = now;
  }

  /**
   * Opens a log. The unfinished last line of a process that was killed while writing is cut off: nobody was told that
   * it was accepted.
   *
   * @throws HdpError HDP-4502 where the file cannot be used
   */
  public static async open(
    path: string,
    fs: DurableFs = nodeFs,
    now: () => number = () => systemClock.now(),
  ): Promise<FileLog> {
    const format = { decode: (entry: unknown) => ({ entry }) };
    const log = new AppendLog({ path, fs, format, mode: 0o600, alone: true });
    await log.settle().catch(cannotBeUsed(path));
    return new FileLog(log, fs, now);
  }

  /**
   * Shows every line of the file, one after the other.
   *
   * @throws HdpError HDP-4502 where the file cannot be read, or is damaged
   */
  public async each(onLine: (line: LogLine) => Promise<void> | undefined): Promise<void> {
    await eachLine(this.#log, onLine).catch(cannotBeUsed(this.#log.path));
  }

  /** @throws one error for all that cannot be written in a row. */
  public async append(entry: unknown): Promise<void> {
    if (this.#isClosed) throw new Error("the log is closed");
    try {
      await this.#log.append(sealLine(jsonText(entry)));
    } catch (error) {
      throw this.#refused(error);
    }
  }

  #refused(cause: unknown): Error {
    const at = this.#now();
    const before = this.#refusal;
    const isSame = before !== undefined && at - before.at < REFUSED_IN_A_ROW_MS;
    const error = isSame ? before.error : unwritable(this.#log.path, cause);
    this.#refusal = { error, at };
    return error;
  }

  public async entryAt({ start, length }: LinePlace): Promise<unknown> {
    this.#reading ??= this.#fs.openRead(this.#log.path);
    const file = await this.#reading;
    if (file === undefined) throw new Error(`${this.#log.path} is gone`);
    return JSON.parse(Buffer.from(await file.readAt(start, length)).toString("utf8")) as unknown;
  }

  /** Leaves out lines for good; where the others stand is void then. */
  public async rewrite(keeps: (line: Buffer) => boolean): Promise<void> {
    await this.#log.rewrite(keeps).catch(cannotBeUsed(this.#log.path));
  }

  public async close(): Promise<void> {
    this.#isClosed = true;
    await this.#log.idle();
    await (await this.#reading)?.close();
  }
}

export function logPath(dataDir: string): string {
  return join(dataDir, "front.jsonl");
}

async function eachLine(log: AppendLog<unknown>, onLine: (line: LogLine) => Promise<void> | undefined): Promise<void> {
  let number = 0;
  for await (const lines of log.lines()) {
    for (const line of lines) {
      number += 1;
      const checked = checkedLine(line, number, log.path);
      // Nearly all lines are taken without waiting.
      const taking = checked === undefined ? undefined : onLine(checked);
      if (taking !== undefined) await taking;
    }
  }
}

/** A line's entry. @throws HdpError HDP-4502 where it is no JSON */
export function parsedLine({ bytes, number }: LogLine, path: string): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw unusable(path, `line ${number} is damaged (not a JSON document)`, error);
  }
}

const LAST_MEMBER = ',"sum":"';

/** @throws HdpError HDP-4502 for a damaged line */
function checkedLine({ bytes, start }: FileLine, number: number, path: string): LogLine | undefined {
  if (bytes === undefined) throw unusable(path, `line ${number} is too long`);
  const line = { bytes, start, length: bytes.length, number };
  if (isSealed(bytes)) return { ...line, isSealed: true };
  if (bytes.toString("utf8").trim() === "") return undefined;
  // A line that was sealed, or that says so.
  if (bytes.includes(LAST_MEMBER)) throw unusable(path, `line ${number} is damaged (its checksum is wrong)`);
  return { ...line, isSealed: false };
}

function cannotBeUsed(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof HdpError
      ? error
      : unusable(path, error instanceof Error ? error.message : String(error), error);
  };
}

/** No refusal of the request that it happens to: a failure of this server, of which its operator is told. */
function unwritable(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `${path} cannot be written: ${reason}. Nothing new is accepted until it can be; results are kept as soon as it can.`,
    { cause },
  );
}

export function unusable(path: string, reason: string, cause?: unknown): HdpError {
  return new HdpError({
    code: "HDP-4502",
    path,
    message: `the data folder's log cannot be used: ${reason}.`,
    hints: ["Give another folder as --data-dir, or move this one away to begin anew."],
    cause,
  });
}
