import type { Constants, Word } from "./words.js";
import {
  BIG_BASE,
  CONSTANT_BASE,
  EXECUTION_SEGMENT,
  inconsistent,
  isPointer,
  isUnset,
  MAX_SEGMENTS,
  NEGATIVE_BASE,
  pointerOffset,
  pointer,
  PRIME,
  PROGRAM_SEGMENT,
  quotient,
  SEGMENT_SPAN,
  pointerSegment,
  signedInteger,
  signedWord,
  SMALL_LIMIT,
  smallSigned,
} from "./words.js";

/**
 * Memory of a felt that does not fit a word, in cells: the engine's integer of up to 128 or 252 bits, and its place in a
 * list.
 */
const HALF_CELLS = 5;
const FELT_CELLS = 7;
const HALF = 1n << 128n;
/** Cells that are charged together: the limit need not be exact. */
const CHARGE = 1 << 15;

/** Maximum number of felts read from memory at a time. */
const MAX_FELTS = 1 << 17;

/** A program's segment: read-only, decoded as it is read. */
interface ProgramText {
  readonly constants: Constants;
  /** Returns the word at an offset; NaN behind the end. */
  word(offset: number): Word;
}

/** Memory of a run: cells in segments, and the felts that do not fit a cell. Each cell is written once. */
export class Memory {
  public readonly segments: Segments;
  public readonly constants: Constants;
  /** Felts that do not fit a small word. */
  readonly #bigs: bigint[] = [];
  #uncharged = 0;
  readonly #program: ProgramText;

  public constructor(maxCells: number, program: ProgramText) {
    this.segments = new Segments(maxCells);
    this.constants = program.constants;
    this.#program = program;
  }

  /** Counts felts outside of memory (printed, read, in dictionaries) towards its limit. */
  public chargeFelts(count: number): void {
    this.segments.charge(count * FELT_CELLS);
  }

  /** Returns the word of a felt in 0 … PRIME - 1, which a large felt gets here. */
  public word(felt: bigint): Word {
    const small = smallSigned(felt);
    if (small !== undefined) return signedWord(small);
    this.#uncharged += felt < HALF ? HALF_CELLS : FELT_CELLS;
    if (this.#uncharged >= CHARGE) {
      this.segments.charge(this.#uncharged);
      this.#uncharged = 0;
    }
    return BIG_BASE + this.#bigs.push(felt) - 1;
  }

  /** Returns the felt of a word. @param what names the value in the error for a pointer or an unset cell */
  public felt(word: Word, what: string): bigint {
    const big = word >= BIG_BASE ? this.#big(word) : undefined;
    if (big !== undefined) return big;
    const small = signedInteger(word);
    if (small < 0 && word >= 0) return PRIME + BigInt(small);
    if (small >= 0) return BigInt(small);
    throw inconsistent(
      isUnset(word) ? `${what} is not known` : `${what} is a pointer where a felt is needed`,
    );
  }

  /** Returns the word at a pointer, NaN while unset. */
  public load(at: Word): Word {
    if (!isPointer(at)) throw inconsistent("a value that is not a pointer was used as an address");
    const segment = pointerSegment(at);
    return segment === PROGRAM_SEGMENT
      ? this.#program.word(pointerOffset(at))
      : this.segments.get(segment, pointerOffset(at));
  }

  /** Writes a cell, or checks that it holds the same value already. */
  public store(at: Word, word: Word): void {
    const old = this.load(at);
    this.settle(old, word, () => at);
    if (!isUnset(old)) return;
    const [segment, offset] = [pointerSegment(at), pointerOffset(at)];
    if (segment === PROGRAM_SEGMENT) {
      throw inconsistent(`the program's own memory was to be extended at offset ${offset}`);
    }
    this.segments.set(segment, offset, word);
  }

  /** Throws if a word may not be written over `old`: a cell is written once. */
  public settle(old: Word, word: Word, at: () => Word): void {
    if (isUnset(word)) throw inconsistent("an unknown value was to be written");
    if (isUnset(old) || this.same(old, word)) return;
    const cell = `cell ${this.show(at())} holds ${this.show(old)}, not ${this.show(word)}`;
    throw inconsistent(`memory is written once: ${cell}`);
  }

  /** Stores consecutive felts from a pointer on. Returns the pointer behind the last. */
  public storeFelts(start: Word, felts: readonly bigint[]): Word {
    let at = start;
    for (const felt of felts) {
      this.store(at, this.word(felt));
      at -= 1;
    }
    return at;
  }

  /** Returns the felts between two pointers of one segment, at most {@link MAX_FELTS} of them. */
  public feltsBetween(start: Word, end: Word, what: string): bigint[] {
    const length = start - end;
    if (
      !isPointer(start) ||
      !isPointer(end) ||
      pointerSegment(start) !== pointerSegment(end) ||
      length < 0
    ) {
      throw inconsistent(`${what} is not a range of memory`);
    }
    if (length > MAX_FELTS) throw new MemoryLimit(`${MAX_FELTS} felts in ${what}`);
    const felts: bigint[] = [];
    for (let at = start; at > end; at -= 1) felts.push(this.felt(this.load(at), what));
    return felts;
  }

  public same(left: Word, right: Word): boolean {
    if (left === right) return true;
    if (!(left >= BIG_BASE && right >= BIG_BASE)) return false;
    const big = this.#big(left);
    return big !== undefined && big === this.#big(right);
  }

  public add(left: Word, right: Word): Word {
    if (left >= 0 && right >= 0) {
      const sum = left + right;
      if (sum < SMALL_LIMIT) return sum;
      const signed = signedInteger(left) + signedInteger(right);
      if (Math.abs(signed) < SMALL_LIMIT) return signedWord(signed);
      const felts = this.felt(left, "operand") + this.felt(right, "operand");
      return this.word(felts >= PRIME ? felts - PRIME : felts);
    }
    if (left < 0 && right < 0) throw inconsistent("two pointers cannot be added");
    return left < 0
      ? this.shift(left, this.#distance(right))
      : this.shift(right, this.#distance(left));
  }

  public subtract(left: Word, right: Word): Word {
    if (left >= 0 && right >= 0) {
      const signed = signedInteger(left) - signedInteger(right);
      if (Math.abs(signed) < SMALL_LIMIT) return signedWord(signed);
      const felts = this.felt(left, "operand") - this.felt(right, "operand");
      return this.word(felts < 0n ? felts + PRIME : felts);
    }
    if (left < 0 && right < 0) {
      if (pointerSegment(left) !== pointerSegment(right))
        throw inconsistent("pointers to different segments cannot be subtracted");
      return right >= left ? right - left : this.word(PRIME + BigInt(right - left));
    }
    if (right < 0) throw inconsistent("a pointer cannot be subtracted from a felt");
    return this.shift(left, -this.#distance(right));
  }

  public multiply(left: Word, right: Word): Word {
    if (left >= 0 && right >= 0) {
      const signed = signedInteger(left) * signedInteger(right);
      if (Math.abs(signed) < SMALL_LIMIT) return signedWord(signed);
    }
    return this.word((this.felt(left, "factor") * this.felt(right, "factor")) % PRIME);
  }

  public divide(left: Word, right: Word): Word {
    const divisor = this.felt(right, "divisor");
    if (divisor === 0n) throw inconsistent("an operand cannot be found: its factor is zero");
    return this.word(quotient(this.felt(left, "dividend"), divisor));
  }

  /** Returns a word as text: decimal felt, `segment:offset`, or `unset`. */
  public show(word: Word): string {
    if (isUnset(word)) return "unset";
    return isPointer(word)
      ? `${pointerSegment(word)}:${pointerOffset(word)}`
      : this.felt(word, "cell").toString();
  }

  /** Returns the pointer `distance` cells behind another, in the same segment. */
  public shift(base: Word, distance: number): Word {
    if (!isPointer(base)) throw inconsistent("a felt was used as an address");
    const offset = pointerOffset(base) + distance;
    if (!(offset >= 0 && offset < SEGMENT_SPAN)) throw inconsistent("a pointer left its segment");
    return pointer(pointerSegment(base), offset);
  }

  #big(word: Word): bigint | undefined {
    if (word >= NEGATIVE_BASE) return undefined;
    return word >= CONSTANT_BASE
      ? this.constants.felts[word - CONSTANT_BASE]
      : this.#bigs[word - BIG_BASE];
  }

  #distance(word: Word): number {
    const signed = signedInteger(word);
    if (!Number.isNaN(signed)) return signed;
    return smallSigned(this.felt(word, "offset")) ?? NaN;
  }
}

/** Cells a segment gets with its first write: most hold a handful. */
const FIRST_CAPACITY = 8;
/** From this size on, a segment at the arena's end grows by an eighth. */
const LARGE = 1 << 16;
const FIRST_ARENA = 1 << 12;
const CELL_BYTES = 8;
/** Cells by which the part of an array that is in use grows. */
const STEP = 1 << 17;
/** Cells of an array's first buffer, and the factor by which buffers grow: few copies, as only what is used takes memory. */
const FIRST_BUFFER = 1 << 19;
const GROWTH = 16;

/** Arrays of a finished run, up to so many cells, serve the next one: fresh memory costs more than clearing it. */
const MAX_SPARE_CELLS = 1 << 24;
let spare:
  WeakRef<{ readonly stack: ArrayBuffer; readonly arena: Float64Array<ArrayBuffer> }> | undefined;

/** Thrown if a run exceeds its memory limit; `runContract` converts it to HDP-7110. */
export class MemoryLimit extends Error {
  /** @param bound what the run needs more of, like "262144 memory segments"; `option` raises it, where one does */
  public constructor(
    public readonly bound: string,
    public readonly option?: string,
  ) {
    super(bound);
  }
}

/**
 * Cells of all segments, NaN where nothing was written.
 * The stack has an array of its own, whose indices are the offsets in its segment. All other segments share one array,
 * the arena, since a run makes tens of thousands of small ones: each is a start and a capacity there, and one that
 * outgrows its place moves to the arena's end. The arrays are replaced when they grow: read them anew after any write.
 */
export class Segments {
  public stack: Float64Array<ArrayBuffer>;
  public arena: Float64Array<ArrayBuffer>;
  /** By segment: where its first cell is in the arena. */
  public starts = new Int32Array(64);
  /** By segment: the cells that it has there; 0 for the stack. */
  public capacities = new Int32Array(64);
  readonly #maxCells: number;
  /** Memory of the run outside of cells, in cells. */
  #charged = 0;
  /** Places that segments have moved out of, by the logarithm of their length. */
  readonly #free: number[][] = [];
  /** End of the arena's part that was handed out. */
  #top = 0;
  /** The segments of the program and the stack are always there. */
  #count = EXECUTION_SEGMENT + 1;

  public constructor(maxCells: number) {
    this.#maxCells = maxCells;
    const arrays = spare?.deref();
    spare = undefined;
    this.stack = new Float64Array(arrays?.stack ?? new ArrayBuffer(0), 0, 0);
    this.arena = arrays?.arena ?? new Float64Array(FIRST_ARENA).fill(NaN);
  }

  /** Releases the arrays to the next run. Do not read them afterwards. */
  public release(): void {
    if (this.stack.length + this.#top > MAX_SPARE_CELLS) return;
    this.arena.fill(NaN, 0, this.#top);
    spare = new WeakRef({ stack: this.stack.buffer, arena: this.arena });
    this.stack = this.arena = new Float64Array(0);
  }

  public add(): number {
    const index = this.#count;
    if (index >= MAX_SEGMENTS) throw new MemoryLimit(`${MAX_SEGMENTS} memory segments`);
    if (index === this.starts.length) {
      this.starts = doubled(this.starts);
      this.capacities = doubled(this.capacities);
    }
    this.#count += 1;
    return index;
  }

  /** Returns the word of a cell, NaN while unset. */
  public get(segment: number, offset: number): Word {
    if (segment === EXECUTION_SEGMENT) return this.stack[offset] ?? NaN;
    this.#requireKnown(segment);
    return offset < (this.capacities[segment] ?? 0)
      ? (this.arena[(this.starts[segment] ?? 0) + offset] ?? NaN)
      : NaN;
  }

  /** Sets a cell, whatever it holds. */
  public set(segment: number, offset: number, word: Word): void {
    if (segment === EXECUTION_SEGMENT) {
      if (offset >= this.stack.length) this.reserveStack(offset + 1);
      this.stack[offset] = word;
      return;
    }
    this.#requireKnown(segment);
    if (offset >= (this.capacities[segment] ?? 0)) this.#grow(segment, offset + 1);
    this.arena[(this.starts[segment] ?? 0) + offset] = word;
  }

  public reserveStack(length: number): void {
    if (length <= this.stack.length) return;
    this.#checkLimit(length + this.#top);
    this.stack = grown(this.stack, length);
  }

  /** Returns how many cells of a segment in the arena are in use: the offset behind the last one written. */
  public usedLength(segment: number): number {
    let length = this.capacities[segment] ?? 0;
    while (length > 0 && Number.isNaN(this.get(segment, length - 1))) length -= 1;
    return length;
  }

  /** Number of cells in use, with what the run keeps outside of them. */
  public get size(): number {
    return this.#top + this.stack.length + this.#charged;
  }

  /** Counts memory outside of cells towards the run's limit. */
  public charge(cells: number): void {
    this.#charged += cells;
    this.#checkLimit(this.#top + this.stack.length);
  }

  #requireKnown(segment: number): void {
    if (segment >= this.#count) throw inconsistent(`there is no memory segment ${segment}`);
  }

  #grow(segment: number, length: number): void {
    const start = this.starts[segment] ?? 0;
    const old = this.capacities[segment] ?? 0;
    // The last segment of the arena grows where it is.
    const stays = old > 0 && start + old === this.#top;
    const fitting = Math.max(2 ** (32 - Math.clz32(length - 1)), FIRST_CAPACITY);
    const capacity = stays && old >= LARGE ? Math.max(length, old + (old >> 3)) : fitting;
    const moved = stays ? start : (this.#free[Math.log2(capacity)]?.pop() ?? this.#top);
    const top = Math.max(this.#top, moved + capacity);
    this.#checkLimit(top + this.stack.length);
    if (top > this.arena.length) this.arena = grown(this.arena, top);
    this.#top = top;
    if (old > 0 && moved !== start) {
      this.arena.copyWithin(moved, start, start + old);
      this.arena.fill(NaN, start, start + old);
      (this.#free[31 - Math.clz32(old)] ??= []).push(start);
    }
    this.starts[segment] = moved;
    this.capacities[segment] = capacity;
  }

  #checkLimit(cells: number): void {
    if (cells + this.#charged <= this.#maxCells) return;
    throw new MemoryLimit(`${this.#maxCells} memory cells`, "limits.maxMemoryCells");
  }
}

function doubled(table: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(table.length * 2);
  longer.set(table);
  return longer;
}

/** Returns an array with room for `length` cells, NaN where nothing was written. */
function grown(cells: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const used = cells.length;
  let { buffer } = cells;
  if (length > buffer.byteLength / CELL_BYTES) {
    const old = buffer;
    buffer = new ArrayBuffer(Math.max(length, used * GROWTH, FIRST_BUFFER) * CELL_BYTES);
    new Float64Array(buffer).set(cells);
    // Gives the memory back now: the garbage collector may take long to.
    old.transfer(0);
  }
  // Does not touch the rest of the buffer, so that it does not take memory yet.
  const usable = Math.min(Math.max(length, used + STEP), buffer.byteLength / CELL_BYTES);
  return new Float64Array(buffer, 0, usable).fill(NaN, used);
}
