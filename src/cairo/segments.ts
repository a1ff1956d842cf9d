import { EXECUTION_SEGMENT, inconsistent, MAX_SEGMENTS, type Word } from "./words.js";

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
let spare: WeakRef<{ readonly stack: ArrayBuffer; readonly arena: Float64Array<ArrayBuffer> }> | undefined;

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
 *
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

  /** The word of a cell, NaN while unset. */
  public get(segment: number, offset: number): Word {
    if (segment === EXECUTION_SEGMENT) return this.stack[offset] ?? NaN;
    this.#requireKnown(segment);
    return offset < (this.capacities[segment] ?? 0) ? (this.arena[(this.starts[segment] ?? 0) + offset] ?? NaN) : NaN;
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

  /** How many cells of a segment in the arena are in use: the offset behind the last one written. */
  public usedLength(segment: number): number {
    let length = this.capacities[segment] ?? 0;
    while (length > 0 && Number.isNaN(this.get(segment, length - 1))) length -= 1;
    return length;
  }

  /** Cells in use, with what the run keeps outside of them. */
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

/** An array with room for `length` cells, NaN where nothing was written. */
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
