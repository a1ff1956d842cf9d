import type { Memory } from "./memory.js";
import { freeAtOnce } from "./stack.js";
import { NEGATIVE_BASE, SMALL_LIMIT, type Word } from "./words.js";

/** A felt that can be compared: its word where equal felts have one word, else the felt itself. */
export type FeltKey = number | bigint;

/** The key of a word. */
export function feltKey(memory: Memory, word: Word, what: string): FeltKey {
  return (word >= 0 && word < SMALL_LIMIT) || word >= NEGATIVE_BASE ? word : memory.felt(word, what);
}

/** Entries from which on those with words for keys move to flat arrays: small tables are many, large ones are heavy. */
const MANY = 512;

const WORD_BITS = 256n;
const FACTOR = 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251f86c6a11d0c18e95n;
const INVERSE = inverseOf(FACTOR);

/** Of an odd number, modulo 2^256: each round of Newton's method doubles the bits that are right. */
function inverseOf(odd: bigint): bigint {
  let inverse = odd;
  for (let bits = 3n; bits < WORD_BITS; bits *= 2n) inverse = BigInt.asUintN(256, inverse * (2n - odd * inverse));
  return inverse;
}

/**
 * A felt as it is kept in maps and sets, each as another one: these tell integers apart by their lowest 64 bits, and felts
 * that are packed, with an address in the upper half, would all fall into one place, where looking for one of 20,000
 * takes a tenth of a millisecond.
 */
export function spreadFelt(felt: bigint): bigint {
  const mixed = BigInt.asUintN(256, felt * FACTOR);
  return mixed ^ (mixed >> 192n);
}

function gatheredFelt(spread: bigint): bigint {
  return BigInt.asUintN(256, (spread ^ (spread >> 192n)) * INVERSE);
}

/** Keys that are sorted, or merged, in one step. */
const RUN = 16_384;

interface Sequence<T> {
  readonly length: number;
  [at: number]: T;
}

/** Takes the memory of what was merged, where it is not left to be collected. */
function giveUp(merged: Sequence<number | bigint>): void {
  if (merged instanceof Float64Array && merged.buffer instanceof ArrayBuffer) freeAtOnce(merged.buffer);
}

/** One ascending sequence of several, which are given up. */
function* merged<T extends number | bigint>(
  runs: readonly Sequence<T>[],
  make: (length: number) => Sequence<T>,
): Generator<undefined, Sequence<T>> {
  let left = runs;
  while (left.length > 1) {
    const next: Sequence<T>[] = [];
    for (let at = 0; at < left.length; at += 2) {
      const [one, other] = [left[at] ?? make(0), left[at + 1] ?? make(0)];
      const both = make(one.length + other.length);
      let [fromOne, fromOther] = [0, 0];
      for (let place = 0; place < both.length; place += 1) {
        if (place % RUN === 0) yield;
        const [a, b]: readonly [T | undefined, T | undefined] = [one[fromOne], other[fromOther]];
        const isFirst = b === undefined || (a !== undefined && a < b);
        const least: T | undefined = isFirst ? a : b;
        if (least !== undefined) both[place] = least;
        if (isFirst) fromOne += 1;
        else fromOther += 1;
      }
      next.push(both);
      giveUp(one);
      giveUp(other);
    }
    left = next;
  }
  return left[0] ?? make(0);
}

/** Numbers by felt. */
export class FeltTable {
  /** All entries of a small table; of a large one those with felts far from zero, which are spread. */
  readonly #map = new Map<FeltKey, number>();
  #count = 0;
  /** Open addressing: NaN where a place is free. */
  #keys = new Float64Array(0);
  #values = new Float64Array(0);

  public get size(): number {
    return this.#map.size + this.#count;
  }

  public get(key: FeltKey): number | undefined {
    if (typeof key === "bigint") return this.#map.get(spreadFelt(key));
    if (this.#keys.length === 0) return this.#map.get(key);
    const place = this.#place(key);
    return this.#keys[place] === key ? this.#values[place] : undefined;
  }

  public set(key: FeltKey, value: number): void {
    if (typeof key === "bigint") this.#map.set(spreadFelt(key), value);
    else if (this.#keys.length > 0) this.#put(key, value);
    else {
      this.#map.set(key, value);
      if (this.#map.size > MANY) this.#spread();
    }
  }

  /** Gives all keys one value. */
  public fill(value: number): void {
    this.#values.fill(value);
    for (const key of this.#map.keys()) this.#map.set(key, value);
  }

  /** The values that are not negative, as the felts of their keys ascend. Integers of 31 bits only. */
  public *sorted(): Generator<undefined, Int32Array> {
    const [words, large] = yield* this.#known();
    const sortedWords = yield* merged(words, (length) => new Float64Array(length));
    const sortedLarge = yield* merged(large, (length) => new Array<bigint>(length).fill(0n));
    // Felts far from zero are above those near it and below those near the prime.
    let below = sortedWords.length;
    while (below > 0 && (sortedWords[below - 1] ?? 0) >= NEGATIVE_BASE) below -= 1;
    const values = new Int32Array(sortedWords.length + sortedLarge.length);
    for (let at = 0; at < values.length; at += 1) {
      if (at % RUN === 0) yield;
      const key = at < below ? sortedWords[at] : (sortedLarge[at - below] ?? sortedWords[at - sortedLarge.length]);
      values[at] = this.get(key ?? NaN) ?? -1;
    }
    giveUp(sortedWords);
    return values;
  }

  /** The keys whose values are not negative, in sorted runs: those with words, and those far from zero. */
  *#known(): Generator<undefined, readonly [Float64Array[], bigint[][]]> {
    const words: Float64Array[] = [];
    const large: bigint[][] = [];
    const run = new Float64Array(Math.min(RUN, this.size));
    let length = 0;
    let bigs: bigint[] = [];
    const add = (key: FeltKey, value: number): void => {
      if (!(value >= 0)) return;
      if (typeof key === "bigint") bigs.push(gatheredFelt(key));
      else run[length++] = key;
    };
    const end = (): void => {
      if (length > 0) words.push(run.slice(0, length).sort());
      if (bigs.length > 0) large.push(bigs.sort((a, b) => (a < b ? -1 : 1)));
      length = 0;
      bigs = [];
    };
    let looked = 0;
    for (const [key, value] of this.#map) {
      add(key, value);
      looked += 1;
      if (looked % RUN !== 0) continue;
      end();
      yield;
    }
    end();
    for (let place = 0; place < this.#keys.length; place += 1) {
      const key = this.#keys[place] ?? NaN;
      if (key === key) add(key, this.#values[place] ?? NaN);
      if ((place + 1) % RUN !== 0) continue;
      end();
      yield;
    }
    end();
    return [words, large];
  }

  /** Gives up all entries, and their memory without waiting for garbage to be collected. */
  public free(): void {
    freeAtOnce(this.#keys.buffer);
    freeAtOnce(this.#values.buffer);
    this.#map.clear();
    this.#keys = new Float64Array(0);
    this.#values = new Float64Array(0);
    this.#count = 0;
  }

  /** All values, and NaN for free places. */
  public values(): Float64Array[] {
    return [this.#values, Float64Array.from(this.#map.values())];
  }

  #spread(): void {
    this.#makePlaces(4 * MANY);
    for (const [key, value] of this.#map) {
      if (typeof key === "bigint") continue;
      this.#put(key, value);
      this.#map.delete(key);
    }
  }

  #put(key: number, value: number): void {
    const place = this.#place(key);
    this.#values[place] = value;
    if (this.#keys[place] === key) return;
    this.#keys[place] = key;
    this.#count += 1;
    if (this.#count * 8 > this.#keys.length * 7) this.#lengthen();
  }

  #lengthen(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#makePlaces(keys.length * 2);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] ?? NaN;
      if (key !== key) continue;
      const place = this.#place(key);
      this.#keys[place] = key;
      this.#values[place] = values[at] ?? NaN;
    }
    freeAtOnce(keys.buffer);
    freeAtOnce(values.buffer);
  }

  #makePlaces(places: number): void {
    this.#keys = new Float64Array(places).fill(NaN);
    this.#values = new Float64Array(places).fill(NaN);
  }

  /** Where a key is, or would be. */
  #place(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let mixed = Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 2 ** 32) | 0, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0xc2b2ae35);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    for (let known = keys[place] ?? NaN; known === known && known !== key; known = keys[place] ?? NaN) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
