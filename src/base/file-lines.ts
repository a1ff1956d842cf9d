import type { ReadHandle } from "./durable-fs.js";

/** A line of a file, without its line feed. */
export interface FileLine {
  /** Missing for a line longer than 64 MiB. */
  readonly bytes: Buffer | undefined;
  /** False for what follows the last line feed. */
  readonly isWhole: boolean;
  readonly start: number;
  /** Where the next line begins. */
  readonly end: number;
}

const PIECE = 128 * 1024;
const LONGEST_LINE = 64 * 1024 * 1024;
const LINE_FEED = 10;

/**
 * The lines from a byte on, those of one piece of the file together: a file may be longer than memory is. Lines share
 * the memory of their piece: copy what is kept.
 */
export async function* fileLines(file: ReadHandle, from: number): AsyncGenerator<FileLine[]> {
  /** Of a line that began in an earlier piece. */
  let begun: Uint8Array[] = [];
  let length = 0;
  let start = from;
  let offset = from;
  const finish = (last: Uint8Array, isWhole: boolean, end: number): FileLine => {
    const size = length + last.length;
    const line = { bytes: size > LONGEST_LINE ? undefined : joined(begun, last), isWhole, start, end };
    begun = [];
    length = 0;
    start = end;
    return line;
  };
  for (;;) {
    const piece = await file.readAt(offset, PIECE);
    if (piece.length === 0) break;
    const lines: FileLine[] = [];
    let at = 0;
    for (let feed = piece.indexOf(LINE_FEED); feed !== -1; feed = piece.indexOf(LINE_FEED, at)) {
      lines.push(finish(piece.subarray(at, feed), true, offset + feed + 1));
      at = feed + 1;
    }
    if (at < piece.length) {
      length += piece.length - at;
      if (length <= LONGEST_LINE) begun.push(piece.subarray(at));
      else begun = [];
    }
    offset += piece.length;
    yield lines;
  }
  if (length > 0) yield [finish(NO_BYTES, false, offset)];
}

const NO_BYTES = new Uint8Array();

function joined(begun: readonly Uint8Array[], last: Uint8Array): Buffer {
  if (begun.length > 0) return Buffer.concat([...begun, last]);
  return Buffer.from(last.buffer, last.byteOffset, last.length);
}
