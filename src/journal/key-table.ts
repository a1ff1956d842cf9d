import { crc32 } from "node:zlib";

import { Column } from "./column.js";

/** How many of one key are looked at before a value is taken for a new one. */
const LOOKS = 8;

/**
 * Numbers by key, several for one key. Of a key only a checksum is kept, so that a hundred thousand of them take a
 * megabyte: what is found may be another key's, and who asks has to look at it.
 */
export class KeyTable {
  readonly #sums: Column;
  readonly #values: Column;
  /** By slot, the newest of its row; by row, the one before it in its slot. Both count from 1. */
  #slots = new Uint32Array(64);
  #before: Column;

  /** @param columns what `columns` of an earlier one gave */
  public constructor(columns: readonly Uint8Array[] = []) {
    [this.#sums, this.#values] = [new Column("integers", columns[0]), new Column("integers", columns[1])];
    this.#before = new Column("integers");
    this.#link();
  }

  /** What it is made of: two columns. */
  public columns(): Uint8Array[] {
    return [this.#sums.bytes(), this.#values.bytes()];
  }

  /** @returns false where the value is noted under the key already */
  public note(key: string, value: number): boolean {
    const sum = crc32(key);
    let looks = 0;
    for (const row of this.#rows(sum)) {
      if (this.#values.get(row) === value) return false;
      looks += 1;
      if (looks === LOOKS) break;
    }
    this.#sums.push(sum);
    this.#values.push(value);
    if (this.#sums.length > this.#slots.length) this.#link();
    else this.#linkRow(this.#sums.length - 1);
    return true;
  }

  /** Whether a value was noted under a key, or one that looks like it. */
  public has(key: string, value: number): boolean {
    for (const row of this.#rows(crc32(key))) if (this.#values.get(row) === value) return true;
    return false;
  }

  /** What was noted under a key, oldest first, once each; and what was noted under keys that look like it. */
  public find(key: string): number[] {
    const rows = [...this.#rows(crc32(key))].reverse();
    return [...new Set(rows.map((row) => this.#values.get(row)))];
  }

  /** Newest first. */
  *#rows(sum: number): Generator<number> {
    for (let at = this.#slots[this.#slotOf(sum)] ?? 0; at !== 0; at = this.#before.get(at - 1)) {
      if (this.#sums.get(at - 1) === sum) yield at - 1;
    }
  }

  #slotOf(sum: number): number {
    return sum & (this.#slots.length - 1);
  }

  #link(): void {
    let slots = this.#slots.length;
    while (slots < this.#sums.length) slots *= 2;
    this.#slots = new Uint32Array(slots * 2);
    this.#before = new Column("integers");
    for (let row = 0; row < this.#sums.length; row += 1) this.#linkRow(row);
  }

  #linkRow(row: number): void {
    const slot = this.#slotOf(this.#sums.get(row));
    this.#before.push(this.#slots[slot] ?? 0);
    this.#slots[slot] = row + 1;
  }
}
