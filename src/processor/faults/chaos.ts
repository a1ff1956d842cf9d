import {
  type BurstStatus,
  cutAfterAcceptance,
  failsAt,
  type Fault,
  httpBurst,
  lateFinalization,
  reorg,
  stuckAt,
  unknownState,
  wrongResult,
} from "./fault.js";

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

const ALL_KINDS: readonly Fault["kind"][] = [
  "stuck-at",
  "fails-at",
  "unknown-state",
  "http-burst",
  "cut-after-acceptance",
  "wrong-result",
  "late-finalization",
  "reorg",
];
const STATES = ["Received", "Sampled", "Computed"] as const;
const STATUSES: readonly [BurstStatus, ...BurstStatus[]] = [429, 500, 502, 503, 504];

/** A sequence of faults, each kind as likely as the others. */
export function chaosFaults({ seed, count, kinds = ALL_KINDS, states = STATES }: ChaosOptions): Fault[] {
  const random = mulberry32(seed);
  const upTo = (limit: number): number => 1 + Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[upTo(items.length) - 1] ?? items[0];
  const make = (kind: Fault["kind"]): Fault => {
    switch (kind) {
      case "stuck-at":
        return stuckAt(pick(states));
      case "fails-at":
        return failsAt(pick(states), `chaos ${seed}`);
      case "unknown-state":
        return unknownState(`CHAOS_${upTo(1000)}`, upTo(3));
      case "http-burst":
        return httpBurst(pick(STATUSES), upTo(5));
      case "cut-after-acceptance":
        return cutAfterAcceptance();
      case "wrong-result":
        return wrongResult(
          `0x${upTo(2 ** 32)
            .toString(16)
            .padStart(64, "0")}`,
        );
      case "late-finalization":
        return lateFinalization(upTo(5));
      case "reorg":
        return reorg(upTo(3));
    }
  };
  const [first, ...rest] = kinds;
  if (first === undefined) return [];
  return Array.from({ length: count }, () => make(pick([first, ...rest])));
}
