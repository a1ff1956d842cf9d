import { forgetPeak, peakMemory } from "../support/peak-memory.js";
import { cases } from "./cases.js";

/** What reading or refusing an input cost. */
export interface Cost {
  /** Seconds of processor time. */
  readonly seconds: number;
  /** The process's memory at its most, in MiB: all that Node takes is in it. */
  readonly mebibytes: number;
  readonly outcome: string;
}

async function measured(name: string): Promise<Cost> {
  const prepare = cases[name];
  if (prepare === undefined) throw new Error(`no input is called "${name}"`);
  const work = await prepare();
  // What the inputs before it left behind is not its own.
  forgetPeak();
  const cpu = process.cpuUsage();
  let outcome = "answered";
  try {
    const answer = await work();
    if (typeof answer === "string") outcome = answer;
  } catch (error) {
    outcome = error instanceof Error ? error.message : String(error);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (user + system) / 1e6,
    mebibytes: peakMemory(),
    outcome: outcome.replace(/\s+/g, " ").slice(0, 160),
  };
}

// Run by `limits.tools.test.ts`: answers each name with what that input costs.
process.on("message", (name: string) => {
  void measured(name).then((cost) => process.send?.(cost));
});
