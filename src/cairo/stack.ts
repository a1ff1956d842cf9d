import { ReleasedCellError } from "./vm-error.js";
import type { FrameCells } from "./frame-cells.js";
import { isStackPointer, isUnset, offsetOf, REACH, STACK_BASE, type Word } from "./words.js";
import { WaitingFrames } from "./waiting-frames.js";

const CELL_BYTES = 8;
/** Cells by which an array grows. */
const STEP = 1 << 17;
/** Cells of the array before any are released: what a processor's cache holds. */
const WINDOW = 1 << 20;
/** Where fp points while the running function's frame was brought back, and the cells round it. */
const HOME = REACH;
const HOME_CELLS = 2 * REACH;
const NO_CELLS = new Int32Array(0);

/**
 * The stack of a run: cells from a moving lower end on, and, below it, what can still be looked at.
 *
 * The stack's segment only grows: a loop is a function that calls itself, and returns at its end. What lies more than
 * an instruction's reach below ap is touched only by functions that wait for one they called, through their frames,
 * and which cells that can be is read from their code (`FrameCells`). So when the array is full, frames of waiting
 * functions move to a store (`WaitingFrames`) with those cells alone, and the array starts again higher up. A return to
 * such a frame brings it back to a place at the array's start, its home.
 *
 * A program that has pointers into its stack could look at it otherwise. That is found where it happens, and throws
 * `ReleasedCellError`: the run is then made again with a stack that keeps all cells.
 */
export class Stack {
  /** Cells by index; an index and `shift` make an offset in the segment. */
  public cells: Float64Array<ArrayBuffer>;
  public shift = 0;
  /** The lowest index of a frame in the array, apart from the one at home. */
  public floor = STACK_BASE;
  readonly #claim: (cells: number) => void;
  readonly #waiting = new WaitingFrames();
  #window: number;
  #released = false;
  /** Offset of the frame at home, NaN for none, and the offsets of its cells. */
  #home = NaN;
  #homeCells: Int32Array = NO_CELLS;
  /** ap, as an offset, when cells were last released: it may not go below. */
  #lowestAp = 0;
  #writtenBelow = false;
  /** While cells are released: the frames from the running function's down, and where each goes on. */
  #fps = new Float64Array(0);
  #pcs = new Float64Array(0);

  /**
   * @param claim called with the cells the stack is about to take, throws above the run's limit
   * @param window cells of the array before any are released
   */
  public constructor(claim: (cells: number) => void, window = WINDOW, buffer = new ArrayBuffer(0)) {
    this.#claim = claim;
    this.#window = window;
    this.cells = new Float64Array(buffer, 0, 0);
  }

  /** Cells in use. */
  public get size(): number {
    return this.cells.length + this.#waiting.length;
  }

  /** Whether a cell below the stack's first was written, which no program may do. */
  public get writtenBelow(): boolean {
    return this.#writtenBelow || (!this.#released && !this.cells.subarray(0, STACK_BASE).every(isUnset));
  }

  /** The word of a cell by its offset, NaN while unset. */
  public get(offset: number): Word {
    const index = offset - this.shift;
    const word = this.cells[index] ?? NaN;
    // What is written stays; what is not may be written elsewhere, in the frame of a waiting function.
    if (this.#released && (index < HOME_CELLS || (index < this.floor && isUnset(word)))) throw new ReleasedCellError();
    return word;
  }

  /** Sets a cell by its offset, whatever it holds. */
  public set(offset: number, word: Word): void {
    const index = offset - this.shift;
    if (this.#released && index < this.floor) throw new ReleasedCellError();
    if (index >= this.cells.length) this.reserve(index + 1);
    this.cells[index] = word;
  }

  /** The index of a frame in the array, or at home, by its offset. */
  public frameIndex(fp: number): number {
    return fp === this.#home ? HOME : fp - this.shift;
  }

  /** The offset in the segment of a frame by its index. */
  public frameOffset(fp: number): number {
    return this.isHome(fp) ? this.#home : fp + this.shift;
  }

  /** Whether a frame was brought back. */
  public isHome(fp: number): boolean {
    return this.#released && fp < HOME_CELLS;
  }

  /** Makes room for `length` cells of the array. */
  public reserve(length: number): void {
    const used = this.cells.length;
    if (length <= used) return;
    this.#claim(length + this.#waiting.length);
    this.cells = grown(this.cells, length);
  }

  /**
   * Makes room above ap: by releasing what can't be looked at again when the array is full, else by growing.
   *
   * @returns by how much the indices of ap and of what is above the lower end have become less
   */
  public makeRoom(length: number, fp: number, ap: number, pc: number, frames: FrameCells): number {
    let moved = 0;
    if (length > this.#window) {
      moved = this.#release(fp, ap, pc, frames);
      // Little was to be had: next time, when there is twice as much.
      if (moved < this.#window / 4) this.#window *= 2;
    }
    this.reserve(length - moved);
    return moved;
  }

  /**
   * The index of a frame that is returned to and lies below the array's lower end.
   *
   * @returns undefined for a place that is no waiting frame's
   */
  public resume(fp: number, pc: number, frames: FrameCells): number | undefined {
    if (fp !== this.#home) {
      if (fp !== this.#waiting.topFp || pc !== this.#waiting.topPc) return undefined;
      this.#bringHome(fp, pc, frames);
    }
    return HOME;
  }

  /** ap goes down to an index: not to where cells were released. */
  public requireAp(ap: number): void {
    if (ap + this.shift < this.#lowestAp) throw new ReleasedCellError();
  }

  /** All words that are kept. */
  public *parts(): Generator<Float64Array> {
    yield this.cells;
    yield* this.#waiting.parts();
  }

  /** Moves frames of waiting functions to the store and the array's lower end up; returns by how much. */
  #release(fp: number, ap: number, pc: number, frames: FrameCells): number {
    const length = this.#findChain(this.frameOffset(fp), pc);
    for (let at = 0; at < length; at += 1) {
      if (!this.#hasArguments(at, frames)) return 0;
    }
    // From the outermost on, as far as no cell that is still to be written belongs to two of them.
    const highest = ap + this.shift - HOME_CELLS;
    let kept = length;
    while (kept > 1 && this.#isApart(kept - 1, highest, frames)) kept -= 1;
    const running = this.#fps[0] ?? NaN;
    const leaves = kept === 1 && !this.isHome(fp) && running <= highest && this.#canHold(0);
    const isEmpty = leaves || (kept === 1 && this.isHome(fp));
    const moved = (isEmpty ? ap + this.shift : (this.#fps[kept - 1] ?? NaN)) - REACH - HOME_CELLS - this.shift;
    if (!(moved > 0)) return 0;

    for (let at = length - 1; at >= (leaves ? 0 : kept); at -= 1) this.#store(at, frames);
    this.#moveUp(moved);
    this.#lowestAp = ap - moved + this.shift;
    this.#claim(this.size);
    if (leaves) this.#bringHome(running, pc, frames);
    return moved;
  }

  /** Notes the running function's frame and those that wait for it and are not in the store yet; returns how many. */
  #findChain(fp: number, pc: number): number {
    const { cells } = this;
    let length = 0;
    let frame = fp;
    let goesOn = pc;
    while (frame !== this.#waiting.topFp) {
      if (length === this.#fps.length) {
        this.#fps = lengthened(this.#fps);
        this.#pcs = lengthened(this.#pcs);
      }
      this.#fps[length] = frame;
      this.#pcs[length] = goesOn;
      length += 1;
      const index = this.frameIndex(frame);
      const callerFp = cells[index - 2] ?? NaN;
      if (!isStackPointer(callerFp)) break;
      frame = offsetOf(callerFp);
      goesOn = offsetOf(cells[index - 1] ?? NaN);
    }
    return length;
  }

  /** Whether all cells below a frame of the chain that it can touch are written: it will not write what others hold. */
  #hasArguments(at: number, frames: FrameCells): boolean {
    const offsets = frames.from(this.#pcs[at] ?? NaN);
    if (offsets === undefined) return false;
    const index = this.frameIndex(this.#fps[at] ?? NaN);
    for (const offset of offsets) {
      if (offset >= -2) break;
      if (isUnset(this.cells[index + offset] ?? NaN)) return false;
    }
    return true;
  }

  /** Whether a waiting frame is far enough below ap, and its cells that are still to be written below the next frame. */
  #isApart(at: number, highest: number, frames: FrameCells): boolean {
    const fp = this.#fps[at] ?? NaN;
    const end = (this.#fps[at - 1] ?? NaN) - 2 - fp;
    const offsets = frames.from(this.#pcs[at] ?? NaN);
    if (fp > highest || end < 0 || offsets === undefined || !this.#canHold(at)) return false;
    const index = this.frameIndex(fp);
    for (let place = offsets.length - 1; place >= 0; place -= 1) {
      const offset = offsets[place] ?? 0;
      if (offset < end) break;
      if (isUnset(this.cells[index + offset] ?? NaN)) return false;
    }
    return true;
  }

  #canHold(at: number): boolean {
    const fp = this.#fps[at] ?? NaN;
    return WaitingFrames.canHold(this.cells[this.frameIndex(fp) - 2] ?? NaN, fp, this.#pcs[at] ?? NaN);
  }

  #store(at: number, frames: FrameCells): void {
    const fp = this.#fps[at] ?? NaN;
    const pc = this.#pcs[at] ?? NaN;
    this.#waiting.push(fp, pc, this.cells, this.frameIndex(fp), frames.from(pc) ?? NO_CELLS);
    if (fp === this.#home) this.#leaveHome();
  }

  #moveUp(moved: number): void {
    const { cells } = this;
    if (!this.#released) this.#writtenBelow = this.writtenBelow;
    cells.copyWithin(HOME_CELLS, HOME_CELLS + moved);
    if (!this.#released) cells.fill(NaN, 0, HOME_CELLS);
    cells.fill(NaN, Math.max(cells.length - moved, HOME_CELLS));
    this.#released = true;
    this.floor = HOME_CELLS + REACH;
    this.shift += moved;
  }

  #bringHome(fp: number, pc: number, frames: FrameCells): void {
    const offsets = frames.from(pc);
    if (offsets === undefined) throw new ReleasedCellError();
    this.#leaveHome();
    this.#waiting.pop(this.cells, HOME, offsets);
    this.#home = fp;
    this.#homeCells = offsets;
  }

  #leaveHome(): void {
    for (const offset of this.#homeCells) this.cells[HOME + offset] = NaN;
    this.#home = NaN;
    this.#homeCells = NO_CELLS;
  }
}

/** An array with room for `length` cells, NaN where nothing was written. */
export function grown(cells: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const used = cells.length;
  let { buffer } = cells;
  if (length > buffer.byteLength / CELL_BYTES) {
    const old = buffer;
    buffer = new ArrayBuffer(Math.max(length, used * 4, STEP) * CELL_BYTES);
    new Float64Array(buffer).set(cells);
    freeAtOnce(old);
  }
  // What lies behind the part in use is not touched, so that it takes no memory yet.
  const usable = Math.min(Math.max(length, used + STEP), buffer.byteLength / CELL_BYTES);
  return new Float64Array(buffer, 0, usable).fill(NaN, used);
}

/** Takes the memory of a buffer that nothing looks at any more, without waiting for garbage to be collected. */
export function freeAtOnce(buffer: ArrayBuffer): void {
  buffer.transfer(0);
}

function lengthened(list: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(Math.max(list.length * 2, 1024));
  longer.set(list);
  return longer;
}
