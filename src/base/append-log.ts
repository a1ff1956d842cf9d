import { createHash, type Hash } from "node:crypto";
import { dirname } from "node:path";

import type { AppendHandle, DurableFs, ReadHandle } from "./durable-fs.js";
import { type FileLine, fileLines } from "./file-lines.js";
import { groupsOf, type LinePlace } from "./line-places.js";
import { LineDecoder, type LineFormat, type LogContents } from "./log-line.js";
import { PassedBytes } from "./passed-bytes.js";

export interface AppendLogOptions<T> {
  readonly path: string;
  readonly fs: DurableFs;
  readonly format: LineFormat<T>;
  /** Permissions of a new file. */
  readonly mode: number;
  /** No other process appends: the line of a writer that died is cut off, instead of being left in front of the next. */
  readonly alone?: boolean;
}

/** How far a log has been read: give it back to read only what was appended since. */
export interface LogPosition {
  /** Bytes of whole lines in front of it. */
  readonly offset: number;
  readonly lines: number;
  /** The last bytes in front of it: other ones there mean that the file was rewritten. */
  readonly before: Uint8Array;
  /** SHA-256 of all bytes in front of it, to be copied; missing where they could not be kept until they were certain. */
  readonly hash: Hash | undefined;
}

/** A position as another process can write it down. */
export type RememberedPosition = Pick<LogPosition, "offset" | "lines"> & { readonly digest: string };

export const LOG_START: LogPosition = { offset: 0, lines: 0, before: new Uint8Array(), hash: createHash("sha256") };

/** What was read from a position on. */
export interface LogPart<T> extends LogContents<T> {
  /** False where the file was rewritten since the position: it was read from its start, and what was known is void. */
  readonly continues: boolean;
  /** Behind the last good line of the part. */
  readonly position: LogPosition;
  /** What follows it: lines being written or left by writers that died. It is read again from the position. */
  readonly end: LogContents<T>;
}

/** Enough that no other line ends alike: checksums and times differ. */
const REMEMBERED = 256;
const LINE_FEED = Buffer.from("\n");

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A file of JSON documents, one a line, that only grows. Several processes may append at the same time. Lines that are
 * appended while a write is under way go together into the next one, so that waiting for the disk does not bound how
 * many there are in a second. Lines whose writer died do no harm; other damage is reported.
 */
export class AppendLog<T> {
  public readonly path: string;
  readonly #options: AppendLogOptions<T>;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #directoryReady = false;

  public constructor(options: AppendLogOptions<T>) {
    this.path = options.path;
    this.#options = options;
  }

  /** Appends a line of `sealLine`. When this resolves it survives a crash; lines keep the order of the calls. */
  public async append(line: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  /** Resolves when everything that was appended is on the disk, or was refused. */
  public async idle(): Promise<void> {
    await this.#writing;
  }

  /**
   * Puts on the disk what a process that ended may have left in the system's cache, so that what is read next cannot
   * be undone by a loss of power.
   */
  public async settle(): Promise<void> {
    // What is there already is all there is to sync.
    await this.#durably([]);
  }

  public async ensureDirectory(): Promise<void> {
    if (!this.#directoryReady) await this.#options.fs.makeDirectory(dirname(this.path));
  }

  /**
   * Reads from a position on, piece by piece. A file that does not exist is empty.
   *
   * @param onEntries takes the entries of each piece with their lines' places, and with `continues` of the result,
   * instead of all of them together
   */
  public async read(
    from: LogPosition = LOG_START,
    onEntries?: (entries: readonly T[], places: readonly LinePlace[], continues: boolean) => void,
  ): Promise<LogPart<T>> {
    const file = await this.#options.fs.openRead(this.path);
    if (file === undefined) return { ...NOTHING, continues: from.offset === 0 };
    try {
      const continues = await isContinued(file, from);
      const take = (entries: readonly T[], places: readonly LinePlace[]): void => {
        onEntries?.(entries, places, continues);
      };
      return { ...(await this.#readPart(file, continues ? from : LOG_START, onEntries && take)), continues };
    } finally {
      await file.close();
    }
  }

  /**
   * The position that was written down, where every byte in front of it is what it was then.
   *
   * @returns undefined where one is not
   */
  public async positionAt({ offset, lines, digest }: RememberedPosition): Promise<LogPosition | undefined> {
    const file = await this.#options.fs.openRead(this.path);
    if (file === undefined) return undefined;
    try {
      const hash = createHash("sha256");
      let before: Uint8Array = new Uint8Array();
      const room = new Uint8Array(Math.min(HASHED_PIECE, offset));
      for (let at = 0; at < offset;) {
        const piece = await file.readAt(at, Math.min(HASHED_PIECE, offset - at), room);
        if (piece.length === 0) return undefined;
        hash.update(piece);
        before = Buffer.concat([before, piece.subarray(-REMEMBERED)]).subarray(-REMEMBERED);
        at += piece.length;
      }
      return hash.copy().digest("hex") === digest ? { offset, lines, before, hash } : undefined;
    } finally {
      await file.close();
    }
  }

  /** What lines say, in the places' order; undefined for one that cannot be read. */
  public async entriesAt(places: readonly LinePlace[]): Promise<(T | undefined)[]> {
    const file = places.length === 0 ? undefined : await this.#options.fs.openRead(this.path);
    if (file === undefined) return places.map(() => undefined);
    try {
      const entries: (T | undefined)[] = [];
      for (const group of groupsOf(places)) {
        const { start, length } = group.whole;
        const bytes = Buffer.from(await file.readAt(start, length));
        for (const place of group.places) {
          const line = bytes.subarray(place.start - start, place.start - start + place.length);
          const decoder = new LineDecoder(this.#options.format);
          decoder.push(line.toString("utf8"));
          entries.push(decoder.entries[0]);
        }
      }
      return entries;
    } finally {
      await file.close();
    }
  }

  /** All lines of the file, those of one piece of it together. */
  public async *lines(): AsyncGenerator<readonly FileLine[]> {
    const file = await this.#options.fs.openRead(this.path);
    if (file === undefined) return;
    try {
      yield* fileLines(file, 0);
    } finally {
      await file.close();
    }
  }

  /**
   * Writes the file anew with those of its lines that are kept. It is the old or the new one, whole, whenever the
   * process ends. Only for who has the file alone.
   */
  public async rewrite(keeps: (line: Buffer) => boolean): Promise<void> {
    const { fs, mode } = this.#options;
    const draft = `${this.path}.new`;
    await fs.remove(draft);
    const handle = await fs.openAppend(draft, mode);
    try {
      for await (const lines of this.lines()) {
        const kept = lines.flatMap(({ bytes }) => (bytes !== undefined && keeps(bytes) ? [bytes, LINE_FEED] : []));
        await writeWhole(handle, Buffer.concat(kept));
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.replace(this.path, draft);
    await fs.syncDirectory(dirname(this.path));
  }

  /** The texts of lines, readable or not, by line number. */
  public async textsOf(numbers: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
    const texts = new Map<number, string>();
    const file = numbers.size === 0 ? undefined : await this.#options.fs.openRead(this.path);
    if (file === undefined) return texts;
    try {
      let number = 0;
      for await (const lines of fileLines(file, 0)) {
        for (const line of lines) {
          number += 1;
          if (numbers.has(number)) texts.set(number, textOf(line));
        }
      }
      return texts;
    } finally {
      await file.close();
    }
  }

  async #readPart(
    file: ReadHandle,
    from: LogPosition,
    take: ((entries: readonly T[], places: readonly LinePlace[]) => void) | undefined,
  ): Promise<Omit<LogPart<T>, "continues">> {
    const decoder = new LineDecoder(this.#options.format, from.lines);
    const passed = new PassedBytes(from);
    let { offset, lines } = from;
    let end: LogContents<T> | undefined;
    for await (const read of fileLines(passed.of(file), from.offset)) {
      const places: LinePlace[] = [];
      for (const line of read) {
        if (places.length === TAKEN) take?.(decoder.entries.splice(0), places.splice(0));
        const known = decoder.entries.length;
        if (!line.isWhole) end = decodeEnd(decoder, textOf(line));
        else if (decoder.push(textOf(line))) [offset, lines] = [line.end, decoder.line];
        if (decoder.entries.length > known) places.push({ start: line.start, length: line.bytes?.length ?? 0 });
      }
      passed.hashTo(offset);
      take?.(decoder.entries.splice(0), places);
    }
    const remembered = Math.min(offset, REMEMBERED);
    const isNew = offset !== from.offset;
    const before = isNew ? await file.readAt(offset - remembered, remembered) : from.before;
    const { entries, damage } = decoder;
    return {
      ...{ entries, damage, position: { offset, lines, before, hash: passed.hash } },
      end: end ?? { entries: [], damage: decoder.uncertain },
    };
  }

  async #drain(): Promise<void> {
    // What arrives in the same turn of the event loop goes into the first write.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#durably(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = undefined;
  }

  async #durably(batch: readonly Waiting[]): Promise<void> {
    const { fs, mode, alone = false } = this.#options;
    await this.ensureDirectory();
    const handle = await fs.openAppend(this.path, mode);
    try {
      await writeLines(handle, batch, alone);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (this.#directoryReady) return;
    await fs.syncDirectory(dirname(this.path));
    await fs.syncDirectory(dirname(dirname(this.path)));
    this.#directoryReady = true;
  }
}

const HASHED_PIECE = 1024 * 1024;

/** Entries that are taken at once: what lives no longer than that costs next to nothing to give back. */
const TAKEN = 32;

/** Stands for a line that is not kept: it is no JSON document. */
const TOO_LONG = "<too long>";
const textOf = ({ bytes }: FileLine): string => bytes?.toString("utf8") ?? TOO_LONG;
const NOTHING = { entries: [], damage: [], position: LOG_START, end: { entries: [], damage: [] } };

/** What follows the last line feed, with the damage in front of it: taken out again, because it is not certain yet. */
function decodeEnd<T>(decoder: LineDecoder<T>, text: string): LogContents<T> {
  const [entries, damage] = [decoder.entries.length, decoder.damage.length];
  decoder.pushEnd(text);
  return {
    entries: decoder.entries.splice(entries),
    damage: [...decoder.damage.splice(damage), ...decoder.uncertain],
  };
}

async function writeLines(handle: AppendHandle, batch: readonly Waiting[], alone: boolean): Promise<void> {
  if (batch.length === 0 && !alone) return;
  const unfinished = await handle.unfinished();
  const lacksLineFeed = unfinished.length > 0 && isDocument(unfinished);
  if (alone && unfinished.length > 0 && !lacksLineFeed) await handle.cut(unfinished.length);
  if (batch.length === 0) return;
  // A line that was never whole is left in front: in the same line it is known for what it is by everyone who reads.
  const bytes = Buffer.from(`${lacksLineFeed ? "\n" : ""}${batch.map(({ line }) => line).join("\n")}\n`);
  await (alone ? writeOrUndo : writeWhole)(handle, bytes);
}

/** Goes on after a write that took a part: the next one says why. None of the bytes stay where not all of them do. */
async function writeOrUndo(handle: AppendHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  try {
    while (written < bytes.length) {
      const taken = await handle.write(bytes.subarray(written));
      if (taken === 0) throw new Error(`${written} of ${bytes.length} bytes were written`);
      written += taken;
    }
  } catch (error) {
    // A line that was refused and is whole on the disk would come back with the next start.
    await handle.cut(written);
    throw error;
  }
}

async function writeWhole(handle: AppendHandle, bytes: Uint8Array): Promise<void> {
  const written = await handle.write(bytes);
  if (written < bytes.length) throw new Error(`${written} of ${bytes.length} bytes were written`);
}

function isDocument(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

async function isContinued(file: ReadHandle, from: LogPosition): Promise<boolean> {
  if (from.offset === 0) return true;
  const before = await file.readAt(from.offset - from.before.length, from.before.length);
  return Buffer.compare(before, from.before) === 0;
}
