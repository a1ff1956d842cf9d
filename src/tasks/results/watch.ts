import { setTimeout as sleep } from "node:timers/promises";

import type { Hex } from "viem";

import { HdpError, isHdpError } from "../../errors/hdp-error.js";
import { isTaskHash } from "../../plugin/parse-arguments.js";
import type { TaskResult } from "../../request/lifecycle.js";
import { taskHash } from "../../request/task-hash.js";
import type { Task } from "../../request/task.js";
import { optionalText, seconds, timeout, timeoutMilliseconds, words } from "../shared-options.js";
import { command } from "../command.js";
import { readRequests } from "../requests/read-requests.js";
import { elapsed, shortHex } from "../ui/format.js";
import { grouped, plural } from "../../base/text.js";
import { style } from "../ui/screen.js";
import { spokenValue } from "../ui/units.js";

/** Seconds between two looks at the store. */
const INTERVAL = 4;

interface Watched {
  readonly hash: Hex;
  readonly task: Task | undefined;
  readonly destination: string | undefined;
}

export default command({
  name: "watch",
  description: "Follow task hashes, or the tasks of files, until their results are finalized",
  positional: { tasks: words("Task hashes and task files (JSON)") },
  options: {
    interval: optionalText(`Seconds between two looks at the store; ${INTERVAL.toString()} when left out`),
    timeout,
  },
  run: async (args, { hre, screen }) => {
    const limit = timeoutMilliseconds(args.timeout) ?? hre.config.hdp.timeouts.await;
    const interval = seconds(args.interval, "--interval") ?? INTERVAL * 1000;
    const named: Watched[] = [];
    for (const input of args.tasks) {
      if (isTaskHash(input)) named.push({ hash: input, task: undefined, destination: undefined });
      else {
        for (const { request } of await readRequests([input], hre, undefined, screen)) {
          const { destinationChainId: destination, tasks } = request;
          named.push(...tasks.map((task) => ({ hash: taskHash(task), task, destination })));
        }
      }
    }
    const watched = named.filter(({ hash }, at) => named.findIndex((one) => one.hash === hash) === at);
    const { hdp, networkName } = await hre.network.getOrCreate();
    screen.line();
    screen.line(
      `  ${style.strong("Watching")}  ${plural(watched.length, "task")} on network "${networkName}", ` +
        `a look every ${elapsed(interval)}, limit ${elapsed(limit)}. Ctrl-C leaves; nothing is lost.`,
    );
    const start = Date.now();
    const found = new Map<Hex, TaskResult>();
    for (;;) {
      for (const { hash, task, destination } of watched.filter((one) => !found.has(one.hash))) {
        const result = await hdp.readResult(hash, { destination }).catch(undefinedIfNotFinalized);
        if (result === undefined) continue;
        found.set(hash, result);
        const spoken = spokenValue(result.value, task);
        const value = `${grouped(result.value)}${spoken === undefined ? "" : `  ${spoken}`}`;
        screen.line(`  ${style.good("✔")} ${shortHex(hash)}  ${elapsed(Date.now() - start).padStart(8)}  ${value}`);
      }
      const open = watched.filter(({ hash }) => !found.has(hash));
      if (open.length === 0) break;
      const left = start + limit - Date.now();
      if (left <= 0) throw notYet(open, watched.length, limit);
      // The last look is at the limit.
      await sleep(Math.min(interval, left));
    }
    screen.document({ networkName, results: watched.map(({ hash }) => found.get(hash)) });
  },
});

function undefinedIfNotFinalized(error: unknown): undefined {
  if (isHdpError(error, "HDP-3001")) return undefined;
  throw error;
}

function notYet(open: readonly Watched[], all: number, limit: number): HdpError {
  return new HdpError({
    code: "HDP-6082",
    message: `${String(open.length)} of ${plural(all, "task")} not finalized after ${elapsed(limit)}.`,
    hints: [
      ...open.slice(0, 10).map(({ hash }) => `Open: ${hash}`),
      "Watch longer with --timeout <seconds>, or look once: npx hardhat hdp:result <task hash>.",
    ],
  });
}
