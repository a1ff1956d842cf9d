import { crashes, fates, interruptions, replacements, switches } from "./enumerate.js";
import { NAMED_SCHEDULES, planOf } from "./named.js";
import type { Plan } from "./plan.js";
import { explained, type Histories } from "./random-histories.js";
import { simulate } from "./simulate.js";

export { serverHistories } from "./server-schedules.js";

/** How far schedules are enumerated. */
export interface Reach {
  /** Timings of each named schedule. */
  readonly seeds: number;
  /** Crashes after each step, or also a second one after each step that follows. */
  readonly crashes: "single" | "double";
  /** Switches from one of two processes to the other. */
  readonly switches: number;
}

/** What `npm test` enumerates, and what the night does. */
export const QUICK: Reach = { seeds: 8, crashes: "single", switches: 1 };
export const FULL: Reach = { seeds: 100, crashes: "double", switches: 3 };

/** All named schedules, crashes and orders, until a promise is broken. */
export async function simulateEnumerated(reach: Reach): Promise<Histories> {
  const { count, broken } = await firstBroken(reach);
  return broken === undefined ? { count } : { count, failure: await explained(broken) };
}

/** How many of them keep every promise, and the first one that does not. */
export async function firstBroken(
  reach: Reach,
): Promise<{ readonly count: number; readonly broken?: Plan }> {
  let count = 0;
  for await (const plan of enumerated(reach)) {
    const { violations } = await simulate(plan);
    if (violations.length > 0) return { count, broken: plan };
    count += 1;
  }
  return { count };
}

async function* enumerated(reach: Reach): AsyncGenerator<Plan> {
  for (const schedule of NAMED_SCHEDULES) {
    for (let seed = 1; seed <= reach.seeds; seed += 1) yield planOf(schedule, seed);
  }
  yield* fates();
  yield* interruptions();
  yield* replacements();
  yield* crashes({ pairs: reach.crashes === "double" });
  yield* switches(reach.switches);
}
