import { randomUUID } from "node:crypto";

import { checkHistory } from "./checks.js";
import { ProjectDatabase } from "./database.js";
import { History } from "./history.js";
import type { Plan } from "./plan.js";
import { followNextSteps, giveCommands } from "./user.js";

/** What became of a plan. */
export interface Report {
  readonly violations: readonly string[];
  readonly trace: readonly string[];
  /** Steps of each command, for those who enumerate them. */
  readonly steps: ReadonlyMap<number, number>;
}

const database = new ProjectDatabase(`simulation-${randomUUID()}`);

/** Carries out a plan: its commands among its faults, then the end of the story in a calm world. */
export async function simulate(plan: Plan): Promise<Report> {
  const { stackTraceLimit } = Error;
  // Most histories have failures, and nobody looks at where they were thrown.
  Error.stackTraceLimit = 0;
  try {
    return await simulated(plan);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function simulated(plan: Plan): Promise<Report> {
  database.clear();
  const history = new History(plan, database);
  history.beginFaults();
  await giveCommands(history);
  checkHistory(history, database.records());
  if (history.violations.length === 0) {
    history.calm();
    await followNextSteps(history);
    checkHistory(history, database.records());
  }
  const steps = new Map(history.outcomes.map(({ command, process }) => [command.id, process.steps]));
  return { violations: history.violations, trace: history.scheduler.trace, steps };
}
