import { chaosFaults, mulberry32 } from "../../../src/submission/backend/faults/chaos.js";
import type { Fault } from "../../../src/submission/backend/faults/fault.js";
import { ChaosUser } from "./user.js";
import { createWorld } from "./world.js";

export interface ChaosRun {
  readonly path: "in process" | "over HTTP";
  readonly seed: number;
  /** Faults in all. */
  readonly count: number;
}

export interface ChaosReport {
  readonly faults: ReadonlyMap<Fault["kind"], number>;
  readonly tasks: number;
  readonly sent: number;
  /** How often each error named what happened. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Tasks that share a journal; reading a long one takes most of the time. */
const TASKS_A_JOURNAL = 25;

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Lives through `count` faults, one to three a task. @throws what a user found wrong, with the seed and the faults */
export async function runChaos({ path, seed, count: total }: ChaosRun): Promise<ChaosReport> {
  const world = await createWorld(path);
  const faults = chaosFaults({ seed, count: total });
  const random = mulberry32(seed + 1);
  const kinds = new Map<Fault["kind"], number>();
  const errors = new Map<string, number>();
  let client = world.client();
  let tasks = 0;
  let sent = 0;
  try {
    for (let next = 0; next < faults.length; tasks += 1) {
      const some = faults.slice(next, next + 1 + Math.floor(random() * 3));
      next += some.length;
      if (tasks % TASKS_A_JOURNAL === 0) client = world.client();
      const outcome = await new ChaosUser(world, client, tasks)
        .live(some)
        .catch((cause: unknown) => {
          const what = cause instanceof Error ? cause.message : String(cause);
          throw new Error(`seed ${seed}, task ${tasks} under ${JSON.stringify(some)}: ${what}`, {
            cause,
          });
        });
      sent += outcome.sent;
      for (const code of outcome.errors) count(errors, code);
      for (const { kind } of some) count(kinds, kind);
    }
    return { faults: kinds, tasks, sent, errors };
  } finally {
    await world.close();
  }
}
