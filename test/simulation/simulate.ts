import { randomUUID } from "node:crypto";

import { checkHistory } from "./checks.js";
import { ProjectDatabase } from "./database.js";
import { History } from "./history.js";
import type { Plan } from "./plan.js";
import { followNextSteps, giveCommands } from "./user.js";

/** What became of a plan. */
export interface Report {
  readonly violations: readonly string[];
  readonly trace: () => readonly string[];
  /** Steps of each command, for those who enumerate them. */
  readonly steps: ReadonlyMap<number, number>;
}

const memory = `simulation-${randomUUID()}`;
const database = new ProjectDatabase(memory, { hasChecksums: true });
const fastDatabase = new ProjectDatabase(`${memory}-fast`, { hasChecksums: false });

/**
 * Carries out a plan: its commands among its faults, then the end of the story in a calm world. `isFast` leaves out the
 * checksums of rows: what is in memory is not damaged.
 */
export async function simulate(plan: Plan, { isFast = false } = {}): Promise<Report> {
  const { stackTraceLimit } = Error;
  // Most histories have failures, and nobody looks at where they were thrown.
  Error.stackTraceLimit = 0;
  try {
    return await simulated(plan, isFast ? fastDatabase : database);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function simulated(plan: Plan, database: ProjectDatabase): Promise<Report> {
  database.clear();
  const history = new History(plan, database);
  history.beginFaults();
  await giveCommands(history);
  checkHistory(history);
  if (history.violations.length === 0 && !history.isDamaged) {
    history.calm();
    await followNextSteps(history);
    checkHistory(history);
  }
  const steps = new Map(
    history.outcomes.map(({ command, process }) => [command.id, process.steps]),
  );
  return { violations: history.violations, trace: () => history.scheduler.trace, steps };
}
