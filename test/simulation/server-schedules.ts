import type { Counts, ServerFault } from "./server-database.js";
import { type ServerCommand, type ServerPlan, simulateServer } from "./server.js";

/** What is asked of the development server, with what has to hold wherever it is killed. */
export const SERVER_SCHEDULES: Readonly<Record<string, readonly ServerCommand[]>> = {
  "two uploads of one class with different text at once leave one of the texts": [
    { turn: 0, do: "upload", spaces: 0 },
    { turn: 0, do: "upload", spaces: 2 },
    { turn: 2, do: "look" },
    { turn: 3, do: "upload", spaces: 4 },
  ],
  "a program that was shown is there after a crash": [
    { turn: 0, do: "upload", spaces: 0 },
    ...[0, 1, 2, 3].map((turn): ServerCommand => ({ turn, do: "look" })),
  ],
  "a refused trie does no harm to a write that shares its nodes": [
    { turn: 0, do: "trie", keys: [1, 2, 3, 9] },
    { turn: 1, do: "write", key: 1 },
    { turn: 2, do: "trie", keys: [1] },
  ],
  "ids of roots survive restarts": [
    { turn: 0, do: "write", key: 1 },
    { turn: 0, do: "trie", keys: [1, 2] },
    { turn: 1, do: "write", key: 3 },
  ],
  "tasks, proofs and orders that are accepted at once are accepted once": [
    { turn: 0, do: "task", task: 1 },
    { turn: 0, do: "order", number: 1 },
    { turn: 0, do: "prove" },
    { turn: 1, do: "task", task: 2 },
    { turn: 1, do: "order", number: 2 },
  ],
  "versions of one module that are uploaded at once are all there": [
    { turn: 0, do: "module", version: "1.0.0" },
    { turn: 0, do: "module", version: "1.1.0" },
    { turn: 1, do: "upload", spaces: 2 },
  ],
};

/**
 * Each schedule without faults, with each transaction that finds the disk full, each read that fails, and a crash at each
 * step; with `pairs` also a second crash at each step of the process after it.
 */
export async function* serverPlans({
  pairs,
}: {
  readonly pairs: boolean;
}): AsyncGenerator<ServerPlan> {
  for (const commands of Object.values(SERVER_SCHEDULES)) {
    const { full, unread, kill } = await countsOf({ commands, faults: [[]] }, 0);
    yield { commands, faults: [] };
    for (const [kind, count] of Object.entries({ full, unread, kill })) {
      for (let at = 1; at <= count; at += 1) {
        const first: ServerFault[] = [{ kind: kind as ServerFault["kind"], at }];
        yield { commands, faults: [first] };
        if (!pairs || kind !== "kill") continue;
        const { kill: later } = await countsOf({ commands, faults: [first, []] }, 1);
        for (let second = 1; second <= later; second += 1) {
          yield { commands, faults: [first, [{ kind: "kill", at: second }]] };
        }
      }
    }
  }
}

async function countsOf(plan: ServerPlan, life: number): Promise<Counts> {
  return (await simulateServer(plan)).counts[life] ?? { kill: 0, full: 0, unread: 0 };
}

/** How many of the schedules keep every promise, and the first one that does not, in words. */
export async function serverHistories(reach: {
  readonly pairs: boolean;
}): Promise<{ readonly count: number; readonly failure?: string }> {
  let count = 0;
  for await (const plan of serverPlans(reach)) {
    const { violations } = await simulateServer(plan);
    if (violations.length > 0)
      return { count, failure: [...violations, JSON.stringify(plan)].join("\n") };
    count += 1;
  }
  return { count };
}
