import { mulberry32 } from "../../src/submission/backend/faults/chaos.js";

/** Choices that are the same for the same seed. */
export class Chance {
  readonly #next: () => number;

  public constructor(seed: number) {
    this.#next = mulberry32(seed);
  }

  /** A number in [0, 1). */
  public readonly fraction = (): number => this.#next();

  /** A whole number from 0 to below the limit. */
  public below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  /** A whole number from `low` to `high`. */
  public between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  public happens(probability: number): boolean {
    return this.#next() < probability;
  }

  public pick<const T extends readonly [unknown, ...unknown[]]>(from: T): T[number] {
    return from[this.below(from.length)];
  }
}

/** A seed made of several numbers: those of neighbours have nothing in common. */
export function mixed(...parts: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
