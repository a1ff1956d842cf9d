import { setTimeout as sleep } from "node:timers/promises";

import type { Hex } from "viem";

import { isTaskHash, requireTaskHash } from "../../base/hex.js";
import { grouped, plural } from "../../base/text.js";
import { hdpError, isHdpError } from "../../errors/hdp-error.js";
import { suggested } from "../../errors/suggested.js";
import type { Task, TaskResult } from "../../request/task.js";
import { taskHash } from "../../request/task-hash.js";
import { command, type CommandContext, milliseconds, type Optional } from "../run-command.js";
import { readRequests } from "../requests/read-requests.js";
import { connectionOf, tasksNamed } from "../submissions/named.js";
import { spokenValue } from "../../request/describe-task.js";
import { elapsed, parseUnit, shortHex } from "../ui/format.js";
import { printResults, storedUnderText } from "../ui/results.js";
import { mark, printBlock, style } from "../ui/screen.js";

export const result = command(
  async (args: { taskHash: string } & Optional<"store" | "destination" | "unit">, { hre, screen }) => {
    const unit = parseUnit(args.unit);
    const tasks = tasksNamed(args.taskHash, hre);
    if (tasks.length === 0) requireTaskHash(args.taskHash, "taskHash");
    const { hdp, networkName } = await connectionOf(args.taskHash, hre);
    const results: TaskResult[] = [];
    for (const { hash, destination: sentTo } of tasks) {
      const destination = args.destination ?? sentTo;
      const read = hdp.readResult(hash, { store: args.store, destination });
      const [chain] = destination === undefined ? Object.keys(hre.config.hdp.starknet) : [];
      results.push(
        await read.catch((error: unknown) => {
          if (chain === undefined || !isHdpError(error, "HDP-3001")) throw error;
          error.message += `\n  A result that went to Starknet is read with --destination ${chain}.`;
          throw error;
        }),
      );
    }
    printResults(screen, results, {
      unit,
      tasks: tasks.map(({ task }) => task),
      next: (hash) => ["Compute it again", suggested("hdp verify", [hash], { network: networkName })],
    });
    return results.length === 1 ? results[0] : { results };
  },
);

export const watch = command(async (args: { tasks: string[]; interval: string } & Optional<"timeout">, context) => {
  const { hre, screen } = context;
  const timeout = milliseconds(args.timeout, "--timeout") ?? hre.config.hdp.timeouts.await;
  const interval = milliseconds(args.interval, "--interval") ?? 0;
  const watched = await watchedTasks(args.tasks, context);
  const { hdp, networkName } = await hre.network.getOrCreate();
  printBlock(
    screen,
    `  ${style.strong("Watching")}  ${plural(watched.length, "task")} on network "${networkName}", ` +
      `a look every ${elapsed(interval)}, timeout ${elapsed(timeout)}. Ctrl-C leaves; nothing is lost.`,
  );
  const start = Date.now();
  const found = new Map<Hex, TaskResult>();
  for (;;) {
    for (const { hash, task, destination } of watched) {
      if (found.has(hash)) continue;
      const one = await hdp.readResult(hash, { destination }).catch((error: unknown) => {
        if (!isHdpError(error, "HDP-3001")) throw error;
      });
      if (one === undefined) continue;
      found.set(hash, one);
      const spoken = spokenValue(one.value, task);
      const under = one.storedUnder === undefined ? "" : `  ${storedUnderText(hash, one.storedUnder)}`;
      if (under !== "") process.exitCode = 1;
      const value = `${spoken === undefined ? "" : `${style.strong(spoken)}  `}${grouped(one.value)}${under}`;
      screen.line(`  ${mark(under === "")} ${shortHex(hash)}  ${elapsed(Date.now() - start).padStart(8)}  ${value}`);
    }
    const open = watched.filter(({ hash }) => !found.has(hash));
    if (open.length === 0) return { networkName, results: watched.map(({ hash }) => found.get(hash)) };
    const left = start + timeout - Date.now();
    if (left <= 0) {
      const hints = open.slice(0, 10).map(({ hash }) => `Open: ${hash}`);
      const last = `${open.length} of them are not finalized`;
      const comeBack = "Watch longer with --timeout <seconds>, or look once: npx hardhat hdp:result <task hash>";
      const values = { what: plural(watched.length, "task"), timeout: timeout / 1_000, last, comeBack };
      throw hdpError("HDP-2081", values, { hints });
    }
    // The last poll is at the timeout.
    await sleep(Math.min(interval, left));
  }
});

type Watched = Readonly<{ hash: Hex; task?: Task; destination?: string }>;

async function watchedTasks(inputs: readonly string[], { hre, screen }: CommandContext): Promise<readonly Watched[]> {
  const named: Watched[] = [];
  for (const input of inputs) {
    if (isTaskHash(input)) named.push({ hash: input });
    else {
      for (const { request } of await readRequests([input], hre, screen)) {
        const { destinationChainId: destination, tasks } = request;
        named.push(...tasks.map((task) => ({ hash: taskHash(task), task, destination })));
      }
    }
  }
  return named.filter(({ hash }, at) => named.findIndex((one) => one.hash === hash) === at);
}
