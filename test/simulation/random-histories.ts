import { described, type Plan, randomPlan } from "./plan.js";
import { shrunk } from "./shrink.js";
import { simulate } from "./simulate.js";

/** Every so many histories one runs again, with checksums: the same seed has to give the same trace to the byte. */
const TWICE_EVERY = 100;

export interface Histories {
  readonly count: number;
  /** What broke a promise, in words, with what replays it; undefined where nothing did. */
  readonly failure?: string;
}

/** Seeds that differ from day to day, so that in time many are seen. */
export function seedOfTheDay(): number {
  return Math.floor(Date.now() / 86_400_000) * 100_000;
}

/** Random histories of one seed after another, for some seconds or until a promise is broken. */
export async function simulateFor(seconds: number, from: number): Promise<Histories> {
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  for (let seed = from; performance.now() < end; seed += 1) {
    count += 1;
    const { violations, trace } = await simulate(randomPlan(seed), { isFast: true });
    if (violations.length > 0) return { count, failure: await explained(randomPlan(seed)) };
    if (count % TWICE_EVERY !== 0) continue;
    const again = await simulate(randomPlan(seed));
    const [first, second] = [trace(), again.trace()];
    const at = first.findIndex((line, index) => line !== second[index]);
    if (at !== -1 || first.length !== second.length)
      return {
        count,
        failure: `Seed ${seed} gives another trace with checksums, from line ${at} on.`,
      };
  }
  return { count };
}

/** The smallest plan that breaks the same promise: in words, with its trace and the command that replays it. */
export async function explained(plan: Plan): Promise<string> {
  const smallest = await shrunk(plan);
  const { violations, trace } = await simulate(smallest);
  return [
    `Seed ${plan.seed} breaks a promise: ${violations.join("; ")}`,
    "",
    ...described(smallest),
    "",
    ...trace().slice(-60),
    "",
    `Replay it: npm run simulate -- --plan '${JSON.stringify(smallest)}'`,
    `As it was found: npm run simulate -- --seed ${plan.seed}`,
  ].join("\n");
}
