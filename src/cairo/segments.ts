import { CairoVmError, inconsistent, ReleasedCellError } from "./vm-error.js";
import { grown, Stack } from "./stack.js";
import { EXECUTION_SEGMENT, MAX_SEGMENTS, type Word } from "./words.js";

/** Cells a segment gets with its first write: most hold a handful. */
const FIRST_CAPACITY = 8;
/** Cells from which on a segment at the arena's end grows by an eighth. */
const LARGE = 1 << 16;
const FIRST_ARENA = 1 << 12;
/** Cells of a segment that is only gone through, before any are released. */
const WINDOW = 1 << 16;
const CELL_BYTES = 8;
/** The tables of segments hold integers up to here. */
const MOST_OFFSET = 2 ** 31 - 2 ** 20;

/** How much of the memory a run keeps; what it returns is the same. */
export interface Windows {
  /** Cells of the stack before any are released; `Infinity` keeps all to the end. */
  readonly stack?: number | undefined;
  /** The same of segments that are gone through once: those of builtins and the accesses of squashed dictionaries. */
  readonly segment?: number | undefined;
}

/** A segment that a program goes through once. */
interface Passed {
  /** Only whole groups of so many cells are released. */
  readonly group: number;
  /** Looks at cells for the last time; throws where they cannot be released. */
  readonly leave: (from: number, to: number) => void;
}

/** Arrays of a finished run, up to this size, serve the next one: fresh memory costs more than clearing used. */
const SPARE_BYTES = 2 ** 26;
let spare: { readonly stack: ArrayBuffer; readonly arena: Float64Array<ArrayBuffer> } | undefined;

/**
 * Cells of all segments, NaN where nothing was written.
 *
 * A run makes tens of thousands of small segments, so they share one array, the arena, in which a segment is a start
 * and a capacity: nothing is allocated for a segment. One that outgrows its place moves to the arena's end. The stack
 * has an array of its own (`Stack`), which the machine's loop holds. Arrays and starts change when anything grows: read them
 * anew after whatever may write.
 */
export class Segments {
  public readonly stack: Stack;
  public arena: Float64Array<ArrayBuffer> = new Float64Array(FIRST_ARENA).fill(NaN);
  /** Where a segment's first cell is in the arena, or would be where that was released. */
  public starts = new Int32Array(64);
  /** Behind the last cell that a segment has in the arena; 0 for the stack, which is not in it. */
  public capacities = new Int32Array(64);
  /** The first cell of a segment that is kept: those before were released. */
  public floors = new Int32Array(64);
  readonly #window: number;
  readonly #passed: (Passed | undefined)[] = [];
  readonly #maxCells: number;
  /** Cells' worth of everything else the run keeps. */
  #charged = 0;
  /** Places in the arena that segments have moved out of, by the logarithm of their length. */
  readonly #free: number[][] = [];
  /** End of the arena's part that was handed out. */
  #top = 0;
  #count = 0;

  public constructor(maxCells: number, { stack: stackWindow, segment = WINDOW }: Windows = {}) {
    this.#maxCells = maxCells;
    this.#window = segment;
    const claim = (cells: number): void => {
      this.#checkLimit(cells + this.#top);
    };
    const { stack, arena } = spare ?? {};
    if (stack === undefined || arena === undefined || stack.byteLength + arena.byteLength > maxCells * CELL_BYTES) {
      this.stack = new Stack(claim, stackWindow);
      return;
    }
    this.stack = new Stack(claim, stackWindow, stack);
    this.arena = arena;
    spare = undefined;
  }

  /** Lets the next run have this one's arrays. Nothing may be read afterwards. */
  public release(): void {
    const { buffer } = this.stack.cells;
    if (buffer.byteLength + this.arena.byteLength > SPARE_BYTES) return;
    // Only what was in use: pages of a buffer that were never touched take no memory.
    this.arena.fill(NaN, 0, this.#top);
    spare = { stack: buffer, arena: this.arena };
    this.stack.cells = new Float64Array(0);
    this.arena = this.stack.cells;
  }

  /** Adds an empty segment and returns its index. */
  public add(): number {
    const index = this.#count;
    if (index >= MAX_SEGMENTS) {
      throw new CairoVmError({
        code: "HDP-7110",
        message: `the run needs more than ${MAX_SEGMENTS} memory segments`,
        hints: [
          "That is this machine's own bound, the data processor has none: let the module make fewer arrays and dictionaries.",
        ],
      });
    }
    if (index === this.starts.length) {
      this.starts = doubled(this.starts);
      this.capacities = doubled(this.capacities);
      this.floors = doubled(this.floors);
    }
    this.#count += 1;
    return index;
  }

  /**
   * Makes a segment one that is gone through once: when it is full, the older half of it is released.
   *
   * @param group only whole groups of so many cells are released
   * @param leave looks at cells for the last time; throws where they cannot be released
   */
  public passOnce(segment: number, group: number, leave: Passed["leave"]): void {
    this.#passed[segment] = { group, leave };
  }

  /** Whether what nothing can look at again is released before the end. */
  public get releases(): boolean {
    return this.#window !== Infinity;
  }

  /** Releases all cells of a segment. */
  public drop(segment: number): void {
    const floor = this.floors[segment] ?? 0;
    const end = this.capacities[segment] ?? 0;
    if (!this.releases || end === floor) return;
    const place = (this.starts[segment] ?? 0) + floor;
    this.#vacate(place, end - floor);
    this.floors[segment] = end;
  }

  /** The word of a cell, NaN while unset. */
  public get(segment: number, offset: number): Word {
    if (segment === EXECUTION_SEGMENT) return this.stack.get(offset);
    this.#requireKnown(segment);
    if (offset < (this.floors[segment] ?? 0)) throw new ReleasedCellError();
    if (offset >= (this.capacities[segment] ?? 0)) return NaN;
    return this.arena[(this.starts[segment] ?? 0) + offset] ?? NaN;
  }

  /** Sets a cell, whatever it holds. */
  public set(segment: number, offset: number, word: Word): void {
    if (segment === EXECUTION_SEGMENT) {
      this.stack.set(offset, word);
      return;
    }
    this.#requireKnown(segment);
    if (offset < (this.floors[segment] ?? 0)) throw new ReleasedCellError();
    if (offset >= (this.capacities[segment] ?? 0)) {
      this.#slide(segment, offset);
      if (offset >= (this.capacities[segment] ?? 0)) this.#grow(segment, offset + 1);
    }
    this.arena[(this.starts[segment] ?? 0) + offset] = word;
  }

  /** How many cells of a segment other than the stack's are in use: the offset behind the last one written. */
  public usedLength(segment: number): number {
    const floor = this.floors[segment] ?? 0;
    let length = this.capacities[segment] ?? 0;
    while (length > floor && Number.isNaN(this.get(segment, length - 1))) length -= 1;
    return length;
  }

  /** Cells of all segments. */
  public get size(): number {
    return this.#top + this.stack.size;
  }

  /** All words that are kept in cells. */
  public *parts(): Generator<Float64Array> {
    yield this.arena.subarray(0, this.#top);
    yield* this.stack.parts();
  }

  /** Counts what a run keeps outside of cells against its limit. */
  public charge(cells: number): void {
    this.#charged += cells;
    this.#checkLimit(this.size);
  }

  #requireKnown(segment: number): void {
    if (segment >= this.#count) throw inconsistent(`there is no memory segment ${segment}`);
  }

  /** Releases the older half of a segment that is gone through once and full. */
  #slide(segment: number, offset: number): void {
    const passed = this.#passed[segment];
    const floor = this.floors[segment] ?? 0;
    const end = this.capacities[segment] ?? 0;
    if (passed === undefined || offset - floor < this.#window || offset > MOST_OFFSET) return;
    const most = offset + 1 - (this.#window >> 1);
    const next = most - (most % passed.group);
    passed.leave(floor, Math.min(next, end));
    const place = (this.starts[segment] ?? 0) + floor;
    const kept = Math.max(end - next, 0);
    this.arena.copyWithin(place, place + end - floor - kept, place + end - floor);
    this.arena.fill(NaN, place + kept, place + end - floor);
    this.starts[segment] = place - next;
    this.floors[segment] = next;
    this.capacities[segment] = next + end - floor;
  }

  #grow(segment: number, length: number): void {
    const floor = this.floors[segment] ?? 0;
    const start = (this.starts[segment] ?? 0) + floor;
    const old = (this.capacities[segment] ?? 0) - floor;
    const needed = length - floor;
    // The last segment of the arena grows where it is.
    const stays = old > 0 && start + old === this.#top;
    const fitting = Math.max(2 ** (32 - Math.clz32(needed - 1)), FIRST_CAPACITY);
    const capacity = stays && old >= LARGE ? Math.max(needed, old + (old >> 3)) : fitting;
    const moved = stays ? start : (this.#free[Math.log2(capacity)]?.pop() ?? this.#top);
    const top = Math.max(this.#top, moved + capacity);
    this.#checkLimit(top + this.stack.size);
    if (top > this.arena.length) this.arena = grown(this.arena, top);
    if (old > 0 && moved !== start) {
      this.arena.copyWithin(moved, start, start + old);
      this.#vacate(start, old);
    }
    this.starts[segment] = moved - floor;
    this.capacities[segment] = floor + capacity;
    this.#top = top;
  }

  /** Lets other segments have a place in the arena. */
  #vacate(place: number, length: number): void {
    this.arena.fill(NaN, place, place + length);
    if (place + length === this.#top) this.#top = place;
    else (this.#free[31 - Math.clz32(length)] ??= []).push(place);
  }

  #checkLimit(cells: number): void {
    if (cells + this.#charged <= this.#maxCells) return;
    throw new CairoVmError({
      code: "HDP-7110",
      message: `the run needs more than ${this.#maxCells} memory cells`,
      hints: ["Raise limits.maxMemoryCells (8 bytes a cell), or let the module read fewer blocks at a time."],
    });
  }
}

function doubled(table: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(table.length * 2);
  grown.set(table);
  return grown;
}
