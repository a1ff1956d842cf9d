import { crc32 } from "node:zlib";

/** What a line of a log is made of, as its owner knows it. */
export interface LineFormat<T> {
  /**
   * Reads a line's document. `newer` lines were written by a later version of this package. A sealed one ends with the
   * checksum of what stands in front of it, and is given without it.
   */
  readonly decode: (
    value: unknown,
    isSealed: boolean,
    text: string,
  ) => { readonly entry: T } | { readonly kind: "damaged" | "newer"; readonly reason: string };
  /**
   * What every line begins with and nothing inside of a line looks like. An entry behind one whose writer died shares
   * its line: from this on it is read.
   */
  readonly lineStart?: string | undefined;
}

/**
 * A line that could not be read.
 * - `torn`: its writer died before it was whole, so that nobody was told that it was written; it does no harm
 * - `damaged`: it was changed, or cut, after it was written: what it said is lost
 * - `newer`: written by a later version of this package
 */
export interface DamagedLine {
  readonly line: number;
  readonly kind: "torn" | "damaged" | "newer";
  /** What was found wrong; never the line's text. */
  readonly reason: string;
}

const NOT_JSON = "not a JSON document";
const WRONG_SUM = "its checksum is wrong";

/** Whether a line's bytes are damaged, whatever it says: later versions of this package find the same. */
export function isOfBytes({ reason }: DamagedLine): boolean {
  return reason === NOT_JSON || reason === WRONG_SUM;
}

const SEAL = /^,"sum":"[0-9a-f]{8}"\}$/;
const SEAL_INSIDE = /,"sum":"[0-9a-f]{8}"\}/;

/** Whether a line that cannot be read may hold one that was whole: its seal is there, or zeroes where a disk lost it. */
function holdsWholeLine(text: string): boolean {
  return SEAL_INSIDE.test(text) || text.includes("\0");
}

/** A JSON object's text as a line: with the CRC-32 of everything before as its last member. */
export function sealLine(json: string): string {
  const body = json.slice(0, -1);
  return `${body},"sum":"${checksum(body)}"}`;
}

/** The seal's length: `,"sum":"01234567"}`. */
const SEAL_LENGTH = 18;

/** Whether a line ends with the checksum of what stands in front of it: then it is as `sealLine` made it. */
export function isSealed(line: Buffer): boolean {
  const at = line.length - SEAL_LENGTH;
  return at > 0 && isSealOf(line.toString("latin1", at), line.subarray(0, at));
}

function isSealedText(line: string): boolean {
  return isSealOf(line.slice(-SEAL_LENGTH), line.slice(0, -SEAL_LENGTH));
}

function isSealOf(seal: string, body: string | Uint8Array): boolean {
  return SEAL.test(seal) && Number.parseInt(seal.slice(8, 16), 16) === crc32(body);
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, "0");
}

type Decoded<T> =
  { readonly entry: T; readonly isSealed: boolean } | { readonly kind: "damaged" | "newer"; readonly reason: string };

function decodeLine<T>(text: string, format: LineFormat<T>): Decoded<T> {
  const isGood = isSealedText(text);
  let value: unknown;
  try {
    value = JSON.parse(isGood ? `${text.slice(0, -SEAL_LENGTH)}}` : text);
  } catch {
    return { kind: "damaged", reason: NOT_JSON };
  }
  // Lines of 0.1.0 have no checksum.
  const hasSeal = isGood || (typeof value === "object" && value !== null && "sum" in value);
  const decoded = format.decode(value, isGood, text);
  if ("kind" in decoded && decoded.kind === "newer") return decoded;
  if (hasSeal && !isGood) return { kind: "damaged", reason: WRONG_SUM };
  return "kind" in decoded ? decoded : { ...decoded, isSealed: hasSeal };
}

/** Reads a log's lines one after the other. */
export class LineDecoder<T> {
  public readonly entries: T[] = [];
  public readonly damage: DamagedLine[] = [];
  /** Damage since the last good line: whether it is the file's end is known when another one follows. */
  public uncertain: DamagedLine[] = [];
  readonly #format: LineFormat<T>;
  #line: number;
  /** Whether the last damaged line looks like the beginning of one. */
  #isFragment = false;

  /** @param linesBefore how many lines of the file come before the first one pushed */
  public constructor(format: LineFormat<T>, linesBefore = 0) {
    this.#format = format;
    this.#line = linesBefore;
  }

  /** The number of the last line pushed. */
  public get line(): number {
    return this.#line;
  }

  /** Takes a whole line without its line feed. @returns true when nothing that follows can change what was read */
  public push(raw: string): boolean {
    this.#line += 1;
    const found = raw.trim();
    if (found === "") return this.uncertain.length === 0;
    const decoded = decodeLine(found, this.#format);
    if ("entry" in decoded) {
      if (!decoded.isSealed) this.#forgiveFragment();
      return this.#keep(decoded.entry);
    }
    const { lineStart } = this.#format;
    const start = decoded.kind === "newer" || lineStart === undefined ? 0 : found.lastIndexOf(lineStart);
    const saved = start > 0 ? decodeLine(found.slice(start), this.#format) : undefined;
    const isSaved = saved !== undefined && "entry" in saved;
    // What is in front of the saved line was never whole, unless a checksum ends there.
    const kind = isSaved && !holdsWholeLine(found.slice(0, start)) ? "torn" : decoded.kind;
    this.#isFragment = lineStart !== undefined && found.startsWith(lineStart) && decoded.reason === NOT_JSON;
    this.uncertain.push({ line: this.#line, kind, reason: decoded.reason });
    return isSaved && this.#keep(saved.entry);
  }

  /** Takes what follows the last line feed: a whole line all but for that, or one whose writer died. */
  public pushEnd(raw: string): void {
    this.push(raw);
    const last = this.uncertain.at(-1);
    if (last?.line !== this.#line || last.kind !== "damaged" || holdsWholeLine(raw)) return;
    this.uncertain.splice(-1, 1, { ...last, kind: "torn" });
  }

  /** 0.1.0 left the line of a writer that died for itself, and began a new one behind it. */
  #forgiveFragment(): void {
    const last = this.uncertain.at(-1);
    if (last?.line !== this.#line - 1 || last.kind !== "damaged" || !this.#isFragment) return;
    this.uncertain.splice(-1, 1, { ...last, kind: "torn" });
  }

  #keep(entry: T): true {
    // One by one: there may be more of them than a call takes arguments.
    for (const one of this.uncertain) this.damage.push(one);
    this.uncertain = [];
    this.entries.push(entry);
    return true;
  }
}

export interface LogContents<T> {
  readonly entries: readonly T[];
  readonly damage: readonly DamagedLine[];
}

/**
 * Reads a log's text. Lines that cannot be read are reported with their number and the others are still read.
 *
 * @param linesBefore how many lines of the file come before the text
 */
export function decodeLines<T>(text: string, format: LineFormat<T>, linesBefore = 0): LogContents<T> {
  const decoder = new LineDecoder(format, linesBefore);
  const lines = text.split("\n");
  const end = lines.pop() ?? "";
  for (const line of lines) decoder.push(line);
  decoder.pushEnd(end);
  return { entries: decoder.entries, damage: [...decoder.damage, ...decoder.uncertain] };
}
