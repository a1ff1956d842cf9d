import { type Clock, systemClock } from "../../src/base/clock.js";

export interface FakeClock extends Clock {
  /** Every pause that was asked for, in order. */
  readonly pauses: number[];
  advance(ms: number): void;
}

/** Time that passes only by sleeping, at once. What cuts off a call runs on the clock of the machine. */
export function fakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  const pauses: number[] = [];
  return {
    pauses,
    after: (ms, act) => systemClock.after(ms, act),
    now: () => now,
    monotonic: () => now - start,
    sleep: (ms, signal) => {
      if (signal?.aborted !== true) {
        pauses.push(ms);
        now += ms;
      }
      return Promise.resolve();
    },
    advance: (ms) => {
      now += ms;
    },
  };
}
