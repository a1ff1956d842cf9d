import { keysOf } from "../../base/tables.js";
import { type Dice, FAULTS } from "./fault-table.js";
import type { Fault } from "./fault.js";

/**
 * Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed: mulberry32 by Tommy Ettinger, public
 * domain. Not for secrets.
 */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface ChaosOptions {
  /** The same seed gives the same faults. */
  readonly seed: number;
  /** How many faults. */
  readonly count: number;
  /** Kinds to choose from; default all. */
  readonly kinds?: readonly Fault["kind"][] | undefined;
  /** Names of states to get stuck or fail in, not empty; default the local data processor's. */
  readonly states?: readonly [string, ...string[]] | undefined;
}

const STATES = ["Received", "Sampled", "Computed"] as const;

/** A sequence of faults, each kind as likely as the others. */
export function chaosFaults({ seed, count, kinds = keysOf(FAULTS), states = STATES }: ChaosOptions): Fault[] {
  const random = mulberry32(seed);
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[upTo(items.length) - 1] ?? items[0];
  const dice: Dice = { upTo, pick, state: () => pick(states), seed };
  const [first, ...rest] = kinds;
  if (first === undefined) return [];
  return Array.from({ length: count }, () => FAULTS[pick([first, ...rest])].random(dice));
}
