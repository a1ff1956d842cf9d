/**
 * `npm run simulate -- --seconds 600`: random histories for so long, from seed `--from` on.
 * `npm run simulate -- --enumerate`: every named schedule, crash, pair of crashes, and order up to three switches.
 * `npm run simulate -- --seed 82` or `--plan '{…}'`: one history with its trace.
 */
import { parseArgs } from "node:util";

import { described, type Plan, randomPlan } from "./plan.js";
import { seedOfTheDay, simulateFor } from "./random-histories.js";
import { simulate } from "./simulate.js";
import { FULL, simulateEnumerated } from "./suite.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    from: { type: "string" },
    enumerate: { type: "boolean", default: false },
    seed: { type: "string" },
    plan: { type: "string" },
  },
});

if (values.seed !== undefined || values.plan !== undefined) {
  const plan = values.plan === undefined ? randomPlan(Number(values.seed)) : (JSON.parse(values.plan) as Plan);
  const { violations, trace } = await simulate(plan);
  console.log([...described(plan), "", ...trace, "", ...violations].join("\n"));
  process.exitCode = violations.length === 0 ? 0 : 1;
} else {
  const from = values.from === undefined ? seedOfTheDay() : Number(values.from);
  const began = process.cpuUsage();
  const { count, failure } = values.enumerate
    ? await simulateEnumerated(FULL)
    : await simulateFor(Number(values.seconds), from);
  const { user, system } = process.cpuUsage(began);
  const which = values.enumerate ? "enumerated histories" : `histories from seed ${from} on`;
  console.log(`${count} ${which}, ${Math.round((count * 1e6) / (user + system))} in a second of one core.`);
  if (failure !== undefined) console.log(failure);
  process.exitCode = failure === undefined ? 0 : 1;
}
