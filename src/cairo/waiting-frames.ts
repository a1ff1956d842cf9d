import { EXECUTION_SEGMENT, isStackPointer, offsetOf, pointer, PROGRAM_SEGMENT, type Word } from "./words.js";

const CHUNK = 1 << 14;
/** A frame's distance to its caller's and the caller's address share a number. */
const PC_SPAN = 2 ** 24;
const MAX_DISTANCE = 2 ** 28;
/** A frame begins with two cells, in front of where fp points: the caller's fp, and where the caller goes on. */
const CALLER_FP = -2;
const CALLER_PC = -1;

/**
 * Frames of functions that wait, the last one called on top, each with those of its cells alone that are named: a turn
 * of a loop, which is a function that calls itself, takes one number here instead of all that it wrote.
 */
export class WaitingFrames {
  readonly #chunks: Float64Array[] = [];
  #length = 0;
  /** The top frame's offset in the stack, and where its function goes on; NaN while there is none. */
  public topFp = NaN;
  public topPc = NaN;

  /** Numbers that are kept, each of the size of a cell. */
  public get length(): number {
    return this.#chunks.length * CHUNK;
  }

  /** Whether a frame with this word for its caller's can be written down. */
  public static canHold(callerFp: Word, fp: number, pc: number): boolean {
    const distance = isStackPointer(callerFp) ? fp - offsetOf(callerFp) : 1;
    return distance > 0 && distance < MAX_DISTANCE && pc < PC_SPAN;
  }

  /** Puts a frame on top: the cells at `offsets` from `index`, which is where its fp points in `cells`. */
  public push(fp: number, pc: number, cells: Float64Array, index: number, offsets: Int32Array): void {
    for (const offset of offsets) {
      if (offset !== CALLER_FP && offset !== CALLER_PC) this.#write(cells[index + offset] ?? NaN);
    }
    const callerFp = cells[index + CALLER_FP] ?? NaN;
    const callerPc = cells[index + CALLER_PC] ?? NaN;
    if (isStackPointer(callerFp)) {
      this.#write((fp - offsetOf(callerFp)) * PC_SPAN + offsetOf(callerPc));
    } else {
      // The outermost function's frame leads nowhere in the stack.
      this.#write(callerFp);
      this.#write(callerPc);
      this.#write(0);
    }
    this.topFp = fp;
    this.topPc = pc;
  }

  /** Takes the top frame off and writes its cells round `index`. */
  public pop(cells: Float64Array, index: number, offsets: Int32Array): void {
    const packed = this.#read();
    if (packed === 0) {
      cells[index + CALLER_PC] = this.#read();
      cells[index + CALLER_FP] = this.#read();
      this.topFp = NaN;
      this.topPc = NaN;
    } else {
      const distance = Math.floor(packed / PC_SPAN);
      this.topFp -= distance;
      this.topPc = packed - distance * PC_SPAN;
      cells[index + CALLER_FP] = pointer(EXECUTION_SEGMENT, this.topFp);
      cells[index + CALLER_PC] = pointer(PROGRAM_SEGMENT, this.topPc);
    }
    for (let at = offsets.length - 1; at >= 0; at -= 1) {
      const offset = offsets[at] ?? 0;
      if (offset !== CALLER_FP && offset !== CALLER_PC) cells[index + offset] = this.#read();
    }
  }

  /** All numbers that are kept, for whoever looks for words. */
  public *parts(): Generator<Float64Array> {
    for (let start = 0; start < this.#length; start += CHUNK) {
      const chunk = this.#chunks[start / CHUNK];
      if (chunk !== undefined) yield chunk.subarray(0, this.#length - start);
    }
  }

  #write(word: Word): void {
    const place = this.#length % CHUNK;
    const number = (this.#length - place) / CHUNK;
    const chunk = (this.#chunks[number] ??= new Float64Array(CHUNK));
    chunk[place] = word;
    this.#length += 1;
  }

  #read(): Word {
    this.#length -= 1;
    const place = this.#length % CHUNK;
    const number = (this.#length - place) / CHUNK;
    const word = this.#chunks[number]?.[place] ?? NaN;
    // One empty chunk stays, for frames that come and go at its edge.
    if (place === 0 && this.#chunks.length > number + 2) this.#chunks.length = number + 2;
    return word;
  }
}
