import { keysOf } from "../../../base/collections.js";
import { type Dice, type Fault, FAULTS } from "./fault.js";

/** Returns a generator of numbers in [0, 1), the same for one seed: mulberry32 by Tommy Ettinger, public domain. */
export function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Options of `chaosFaults`. */
export interface ChaosOptions {
  /** Seed of the faults: the same seed gives the same faults. */
  readonly seed: number;
  readonly count: number;
  /** Kinds to choose from; default all. */
  readonly kinds?: readonly Fault["kind"][] | undefined;
  /** Names of states to get stuck or fail in, not empty. Default: the states of the local data processor. */
  readonly states?: readonly [string, ...string[]] | undefined;
}

const STATES = ["Received", "Sampled", "Computed"] as const;

/** Returns a sequence of faults, all kinds equally likely. */
export function chaosFaults({
  seed,
  count,
  kinds = keysOf(FAULTS),
  states = STATES,
}: ChaosOptions): Fault[] {
  const random = mulberry32(seed);
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[upTo(items.length) - 1] ?? items[0];
  const dice: Dice = { upTo, pick, state: () => pick(states), seed };
  const [first, ...rest] = kinds;
  if (first === undefined) return [];
  return Array.from({ length: count }, () => FAULTS[pick([first, ...rest])].random(dice));
}
