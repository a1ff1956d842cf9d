/**
 * `npm run simulate -- --seconds 600`: random histories for so long, from seed `--from` on.
 * `npm run simulate -- --enumerate`: every named schedule, crash, pair of crashes, and order up to three switches; of the
 * development server every crash and pair of crashes.
 * `npm run simulate -- --seed 82` or `--plan '{…}'`: one history with its trace.
 */
import { parseArgs } from "node:util";

import { described, type Plan, randomPlan } from "./plan.js";
import { seedOfTheDay, simulateFor } from "./random-histories.js";
import { simulate } from "./simulate.js";
import { FULL, serverHistories, simulateEnumerated } from "./suite.js";

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
  const plan =
    values.plan === undefined ? randomPlan(Number(values.seed)) : (JSON.parse(values.plan) as Plan);
  const { violations, trace } = await simulate(plan);
  console.log([...described(plan), "", ...trace(), "", ...violations].join("\n"));
  process.exitCode = violations.length === 0 ? 0 : 1;
} else {
  const from = values.from === undefined ? seedOfTheDay() : Number(values.from);
  const began = process.cpuUsage();
  const { count, failure } = values.enumerate
    ? await simulateEnumerated(FULL)
    : await simulateFor(Number(values.seconds), from);
  const { user, system } = process.cpuUsage(began);
  const which = values.enumerate ? "enumerated histories" : `histories from seed ${from} on`;
  const server = values.enumerate ? await serverHistories({ pairs: true }) : { count: 0 };
  if (values.enumerate) console.log(`${server.count} histories of the development server.`);
  console.log(
    `${count} ${which}, ${Math.round((count * 1e6) / (user + system))} in a second of one core.`,
  );
  const failures = [failure, server.failure].filter((one) => one !== undefined);
  for (const one of failures) console.log(one);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
