import { crashes, switches } from "./enumerate.js";
import { NAMED_SCHEDULES, planOf } from "./named.js";
import type { Plan } from "./plan.js";
import { explained, type Histories, simulateFor } from "./random-histories.js";
import { simulate } from "./simulate.js";

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
  let count = 0;
  for await (const plan of enumerated(reach)) {
    count += 1;
    const { violations } = await simulate(plan);
    if (violations.length > 0) return { count, failure: await explained(plan) };
  }
  return { count };
}

async function* enumerated(reach: Reach): AsyncGenerator<Plan> {
  for (const schedule of NAMED_SCHEDULES) {
    for (let seed = 1; seed <= reach.seeds; seed += 1) yield planOf(schedule, seed);
  }
  yield* crashes({ pairs: reach.crashes === "double" });
  yield* switches(reach.switches);
}

/** The quick ones, then random ones for some seconds: how a planted mistake is looked for. */
export async function simulateAll(seconds: number, from: number): Promise<Histories> {
  const enumeratedOnes = await simulateEnumerated(QUICK);
  if (enumeratedOnes.failure !== undefined) return enumeratedOnes;
  const random = await simulateFor(seconds, from);
  return { ...random, count: enumeratedOnes.count + random.count };
}
