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

/** Numbers by felt. */
export class FeltTable {
  /** All entries of a small table; of a large one those with felts far from zero. */
  readonly #map = new Map<FeltKey, number>();
  #count = 0;
  /** Open addressing: NaN where a place is free. */
  #keys = new Float64Array(0);
  #values = new Float64Array(0);

  public get size(): number {
    return this.#map.size + this.#count;
  }

  public get(key: FeltKey): number | undefined {
    if (typeof key === "bigint" || this.#keys.length === 0) return this.#map.get(key);
    const place = this.#place(key);
    return this.#keys[place] === key ? this.#values[place] : undefined;
  }

  public set(key: FeltKey, value: number): void {
    if (typeof key === "bigint") this.#map.set(key, value);
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
  public sorted(): Int32Array {
    const known = [...this.#map.keys()].filter((key) => (this.#map.get(key) ?? -1) >= 0);
    const large = known.filter((key) => typeof key === "bigint").sort((a, b) => (a < b ? -1 : 1));
    const words = this.#sortedWords(known.filter((key) => typeof key === "number"));
    // Felts far from zero are above those near it and below those near the prime.
    const negative = words.findIndex((word) => word >= NEGATIVE_BASE);
    const below = negative < 0 ? words.length : negative;
    const values = new Int32Array(words.length + large.length);
    for (let at = 0; at < values.length; at += 1) {
      const key = at < below ? words[at] : (large[at - below] ?? words[at - large.length]);
      values[at] = this.get(key ?? NaN) ?? -1;
    }
    freeAtOnce(words.buffer);
    return values;
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

  #sortedWords(known: readonly number[]): Float64Array<ArrayBuffer> {
    const words = new Float64Array(this.#count + known.length);
    words.set(known);
    let length = known.length;
    for (let place = 0; place < this.#keys.length; place += 1) {
      const key = this.#keys[place] ?? NaN;
      if (key !== key || (this.#values[place] ?? -1) < 0) continue;
      words[length] = key;
      length += 1;
    }
    return words.subarray(0, length).sort();
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
