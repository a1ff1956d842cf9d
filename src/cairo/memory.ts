import {
  BIG_BASE,
  CONSTANT_BASE,
  type Constants,
  inconsistent,
  inverseFelt,
  isPointer,
  isUnset,
  NEGATIVE_BASE,
  offsetOf,
  pointer,
  PRIME,
  PROGRAM_SEGMENT,
  SEGMENT_SPAN,
  segmentOf,
  signedOf,
  signedWord,
  SMALL_LIMIT,
  smallSigned,
  type Word,
} from "./words.js";
import { MemoryLimit, Segments } from "./segments.js";

/** Memory of a felt that does not fit a word, in cells: the engine's integer of up to 128 or 252 bits, and its place in a list. */
const HALF_CELLS = 5;
const FELT_CELLS = 7;
const HALF = 1n << 128n;
/** Cells that are charged together: the limit need not be exact. */
const CHARGE = 1 << 15;

/** Maximum number of felts read from memory at a time. */
const MAX_FELTS = 1 << 17;

/** A program's segment: read-only, decoded as it is read. */
export interface ProgramText {
  readonly constants: Constants;
  /** The word at an offset; NaN behind the end. */
  word(offset: number): Word;
}

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

  public addSegment(): number {
    return this.segments.add();
  }

  /** Counts felts outside of memory (printed, read, in dictionaries) towards its limit. */
  public chargeFelts(count: number): void {
    this.segments.charge(count * FELT_CELLS);
  }

  /** The word of a felt in 0 … PRIME - 1. */
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

  /** The felt of a word; a pointer or an unset cell is an error named by `what`. */
  public felt(word: Word, what: string): bigint {
    const big = word >= BIG_BASE ? this.#big(word) : undefined;
    if (big !== undefined) return big;
    const small = signedOf(word);
    if (small < 0 && word >= 0) return PRIME + BigInt(small);
    if (small >= 0) return BigInt(small);
    throw inconsistent(isUnset(word) ? `${what} is not known` : `${what} is a pointer where a felt is needed`);
  }

  /** The word at a pointer, NaN while unset. */
  public load(at: Word): Word {
    if (!isPointer(at)) throw inconsistent("a value that is not a pointer was used as an address");
    const segment = segmentOf(at);
    return segment === PROGRAM_SEGMENT ? this.#program.word(offsetOf(at)) : this.segments.get(segment, offsetOf(at));
  }

  /** Writes a cell, or checks that it holds the same value already. */
  public store(at: Word, word: Word): void {
    const old = this.load(at);
    this.settle(old, word, () => at);
    if (!isUnset(old)) return;
    const [segment, offset] = [segmentOf(at), offsetOf(at)];
    if (segment === PROGRAM_SEGMENT) {
      throw inconsistent(`the program's own memory was to be extended at offset ${offset}`);
    }
    this.segments.set(segment, offset, word);
  }

  /** Throws if a word may not be written over `old`: a cell is written once. */
  public settle(old: Word, word: Word, at: () => Word): void {
    if (isUnset(word)) throw inconsistent("an unknown value was to be written");
    if (isUnset(old) || this.same(old, word)) return;
    throw inconsistent(
      `memory is written once: cell ${this.show(at())} holds ${this.show(old)}, not ${this.show(word)}`,
    );
  }

  /** Stores consecutive felts from a pointer on; returns the pointer behind the last. */
  public storeFelts(start: Word, felts: readonly bigint[]): Word {
    let at = start;
    for (const felt of felts) {
      this.store(at, this.word(felt));
      at -= 1;
    }
    return at;
  }

  /** The felts between two pointers of one segment, at most {@link MAX_FELTS} of them. */
  public feltsBetween(start: Word, end: Word, what: string): bigint[] {
    const length = start - end;
    if (!isPointer(start) || !isPointer(end) || segmentOf(start) !== segmentOf(end) || length < 0) {
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
      const signed = signedOf(left) + signedOf(right);
      if (Math.abs(signed) < SMALL_LIMIT) return signedWord(signed);
      const felts = this.felt(left, "operand") + this.felt(right, "operand");
      return this.word(felts >= PRIME ? felts - PRIME : felts);
    }
    if (left < 0 && right < 0) throw inconsistent("two pointers cannot be added");
    return left < 0 ? this.shift(left, this.#distance(right)) : this.shift(right, this.#distance(left));
  }

  public subtract(left: Word, right: Word): Word {
    if (left >= 0 && right >= 0) {
      const signed = signedOf(left) - signedOf(right);
      if (Math.abs(signed) < SMALL_LIMIT) return signedWord(signed);
      const felts = this.felt(left, "operand") - this.felt(right, "operand");
      return this.word(felts < 0n ? felts + PRIME : felts);
    }
    if (left < 0 && right < 0) {
      if (segmentOf(left) !== segmentOf(right))
        throw inconsistent("pointers to different segments cannot be subtracted");
      return right >= left ? right - left : this.word(PRIME + BigInt(right - left));
    }
    if (right < 0) throw inconsistent("a pointer cannot be subtracted from a felt");
    return this.shift(left, -this.#distance(right));
  }

  public multiply(left: Word, right: Word): Word {
    if (left >= 0 && right >= 0) {
      const signed = signedOf(left) * signedOf(right);
      if (Math.abs(signed) < SMALL_LIMIT) return signedWord(signed);
    }
    return this.word((this.felt(left, "factor") * this.felt(right, "factor")) % PRIME);
  }

  public divide(left: Word, right: Word): Word {
    const divisor = this.felt(right, "divisor");
    if (divisor === 0n) throw inconsistent("an operand cannot be found: its factor is zero");
    return this.word((this.felt(left, "dividend") * inverseFelt(divisor)) % PRIME);
  }

  /** Returns a word as text: decimal felt, `segment:offset`, or `unset`. */
  public show(word: Word): string {
    if (isUnset(word)) return "unset";
    return isPointer(word) ? `${segmentOf(word)}:${offsetOf(word)}` : this.felt(word, "cell").toString();
  }

  /** The pointer `distance` cells behind another of the same segment. */
  public shift(base: Word, distance: number): Word {
    if (!isPointer(base)) throw inconsistent("a felt was used as an address");
    const offset = offsetOf(base) + distance;
    if (!(offset >= 0 && offset < SEGMENT_SPAN)) throw inconsistent("a pointer left its segment");
    return pointer(segmentOf(base), offset);
  }

  #big(word: Word): bigint | undefined {
    if (word >= NEGATIVE_BASE) return undefined;
    return word >= CONSTANT_BASE ? this.constants.felts[word - CONSTANT_BASE] : this.#bigs[word - BIG_BASE];
  }

  #distance(word: Word): number {
    const signed = signedOf(word);
    if (!Number.isNaN(signed)) return signed;
    return smallSigned(this.felt(word, "offset")) ?? NaN;
  }
}
