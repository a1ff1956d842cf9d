import { setTimeout as sleep } from "node:timers/promises";

import type { Hex } from "viem";

import { feltsText } from "../../base/felt.js";
import { isTaskHash, requireAddress, requireTaskHash } from "../../base/hex.js";
import { elapsed, grouped, plural } from "../../base/text.js";
import {
  type HdpError,
  hdpError,
  isHdpError,
  suggested,
  undefinedFor,
} from "../../errors/hdp-error.js";
import type { NamedTask } from "../../plugin/actions/submission-actions.js";
import type { Sample, TaskVerification } from "../../plugin/actions/inspection-actions.js";
import { provenText, spokenValue } from "../../request/describe-task.js";
import { valueOfWord } from "../../request/task-form.js";
import { taskHash } from "../../request/task-hash.js";
import type { TaskResult } from "../../request/task-result.js";
import { storedUnderText } from "../../submission/service-hashes.js";
import { readRequest, readRequests } from "../requests/task-files.js";
import { milliseconds, type Optional } from "../options.js";
import { command, type CommandContext } from "../run-command.js";
import { connectForTask, tasksNamed } from "../named-tasks.js";
import {
  anchorLines,
  cairoText,
  parseUnit,
  printResults,
  shortHex,
  unprovenFirst,
} from "../ui/format.js";
import { printTask } from "../ui/preview.js";
import { type Field, mark, printBlock, printFields, type Screen, style } from "../ui/screen.js";

type ResultArguments = { taskHash: string } & Optional<"store" | "destination" | "unit">;

/** Runs `hdp result`: reads finalized results from their store. */
export const result = command(async (args: ResultArguments, { hre, screen }) => {
  const unit = parseUnit(args.unit);
  const tasks = tasksNamed(args.taskHash, hre);
  if (tasks.length === 0)
    requireTaskHash(args.taskHash, "taskHash", {
      nor: "the id of a submission",
      hint: "`npx hardhat hdp list` prints the ids of this project's submissions.",
    });
  const { hdp, networkName, networkConfig } = await connectForTask(args.taskHash, hre);
  const [chain] = Object.keys(hre.config.hdp.starknet);
  const results: TaskResult[] = [];
  for (const { hash, destination: sentTo } of tasks) {
    const destination = args.destination ?? sentTo;
    const read = hdp
      .readResult(hash, { store: args.store, destination })
      .catch((error: unknown) => {
        if (!isHdpError(error, "HDP-3001")) throw error;
        // A development chain's explanation has the command already.
        const why = suggested("hdp why", [hash], { network: networkName });
        if (networkConfig.type === "edr-simulated")
          error.message += `\n  Network "${networkName}" starts anew with each command: keep results on a node (npx hardhat hdp:node), and name it with --network.`;
        else if (!error.message.includes(why)) error.message += `\n  Why: ${why}`;
        if (destination === undefined && chain !== undefined)
          error.message += `\n  A result that went to Starknet is read with --destination ${chain}.`;
        throw error;
      });
    results.push(await read);
  }
  printResults(screen, results, {
    unit,
    tasks,
    next: (hash) => ["Compute it again", suggested("hdp verify", [hash], { network: networkName })],
  });
  return results.length === 1 ? results[0] : { results };
});

/** Runs `hdp watch`: waits until results are finalized. */
export const watch = command(
  async (args: { tasks: string[]; interval: string } & Optional<"timeout">, context) => {
    const { hre, screen } = context;
    const timeout = milliseconds(args.timeout, "--timeout") ?? hre.config.hdp.timeouts.await;
    const interval = milliseconds(args.interval, "--interval") ?? 0;
    const watched = await watchedTasks(args.tasks, context);
    const { hdp, networkName } = await hre.network.getOrCreate();
    const pace = `a read every ${elapsed(interval)}, timeout ${elapsed(timeout)}. Ctrl-C leaves; nothing is lost.`;
    const where = `${plural(watched.length, "task")} on network "${networkName}"`;
    printBlock(screen, `  ${style.strong("Watching")}  ${where}, ${pace}`);
    const start = Date.now();
    const found = new Map<Hex, TaskResult>();
    for (;;) {
      for (const { hash, task, destination } of watched) {
        if (found.has(hash)) continue;
        const one = await hdp.readResult(hash, { destination }).catch(undefinedFor("HDP-3001"));
        if (one === undefined) continue;
        found.set(hash, one);
        if (one.storedUnder !== undefined) process.exitCode = 1;
        screen.line(foundLine(one, { hash, task, waited: Date.now() - start }));
      }
      const open = watched.filter(({ hash }) => !found.has(hash));
      if (open.length === 0)
        return { networkName, results: watched.map(({ hash }) => found.get(hash)) };
      const left = start + timeout - Date.now();
      if (left <= 0) throw watchTimeout(watched, open, timeout);
      // The last poll is at the timeout.
      await sleep(Math.min(interval, left));
    }
  },
);

/** Returns the line of a result that was found `waited` milliseconds after the watch began. */
function foundLine(
  result: TaskResult,
  { hash, task, waited }: Pick<NamedTask, "hash" | "task"> & { readonly waited: number },
): string {
  const spoken = spokenValue(result.value, task);
  const inUnit = spoken === undefined ? "" : `${style.strong(spoken)}  `;
  const isOwnHash = result.storedUnder === undefined;
  const under = isOwnHash ? "" : `  ${style.bad("!")} ${storedUnderText(result)}`;
  const after = elapsed(waited).padStart(8);
  return `  ${mark(isOwnHash)} ${shortHex(hash)}  ${after}  ${inUnit}${grouped(result.value)}${under}`;
}

/** Returns the error of a watch that ended after `timeout` milliseconds with tasks that are still open. */
function watchTimeout(
  watched: readonly NamedTask[],
  open: readonly NamedTask[],
  timeout: number,
): HdpError {
  const hints = [
    "Watch longer with --timeout <seconds>, or read once: npx hardhat hdp:result <task hash>",
    ...open.slice(0, 10).map(({ hash }) => `Open: ${hash}`),
  ];
  const what = plural(watched.length, "task");
  const last = `${open.length} not finalized`;
  return hdpError("HDP-2081", { what, timeout: timeout / 1_000, last }, { hints });
}

/** Returns the tasks that a watch waits for, each once: task hashes, and the tasks of files. */
async function watchedTasks(
  inputs: readonly string[],
  { hre, screen }: CommandContext,
): Promise<NamedTask[]> {
  const named: NamedTask[] = [];
  for (const input of inputs) {
    if (isTaskHash(input)) named.push({ hash: input });
    for (const { request } of isTaskHash(input) ? [] : await readRequests([input], hre, screen)) {
      const { destinationChainId: destination, tasks } = request;
      named.push(...tasks.map((task) => ({ hash: taskHash(task), task, destination })));
    }
  }
  return named.filter(({ hash }, at) => named.findIndex((one) => one.hash === hash) === at);
}

/** Runs `hdp verify`: prints the computed and the stored value of each task. Sets exit code 1 if a stored one differs or is missing. */
export const verify = command(
  async (args: { task: string; store: string | undefined }, { hre, screen }) => {
    const store = args.store === undefined ? undefined : requireAddress(args.store, "--store");
    const named = tasksNamed(args.task, hre).map(({ hash }) => hash);
    const inputs = named.length > 0 ? named : [await readRequest(args.task, hre, screen)];
    const { hdp, networkName } = await connectForTask(args.task, hre);
    const verifications: TaskVerification[] = [];
    for (const input of inputs) verifications.push(...(await hdp.verify(input, { store })));
    printVerifications(screen, verifications, networkName);
    const agrees = verifications.every(isGood);
    if (!agrees) process.exitCode = 1;
    // A task may hold private inputs, so only its hash is printed.
    const results = verifications.map((one) => ({ ...one, task: undefined }));
    return { networkName, agrees, results };
  },
);

/** Prints the stored and the computed value of each task, and how many agree. */
function printVerifications(
  screen: Screen,
  results: readonly TaskVerification[],
  networkName: string,
): void {
  results.forEach((result, index) => {
    screen.line();
    const store = `store ${result.store} (network "${networkName}")`;
    printTask(screen, `Task ${String(index + 1)}`, result.task, [`hash ${result.taskHash}`, store]);
    const { samples, proven, anchor, output, decoded } = result;
    const of = samples === undefined ? "" : `${plural(samples, "sample")}, `;
    printFields(screen, [
      ["Stored", word(result.stored, result)],
      ["Computed", `${unprovenFirst(proven)}${word(result.computed, result)}`],
      ["", `${of}${provenText(proven)}`],
      ...(decoded === undefined ? [] : [["Returned", cairoText(decoded)] satisfies Field]),
      ...(output === undefined ? [] : [["Felts", feltsText(output)] satisfies Field]),
      ...(proven && anchor !== undefined
        ? anchorLines(anchor).map((line): Field => ["", line])
        : []),
    ]);
    printBlock(screen, ...verdict(result, networkName), ...verdictOnService(result));
  });
  if (results.length === 1) return;
  const good = results.filter(isGood).length;
  printBlock(
    screen,
    `  ${mark(good === results.length)} ${String(good)} of ${plural(results.length, "task")} agree.`,
  );
}

/** Returns the lines that say whether a stored value is the computed one, and what is known where it is not. */
function verdict(result: TaskVerification, network: string): readonly string[] {
  if (result.agrees) return [`  ${mark(true)} The stored value is the one that chain data gives.`];
  if (result.stored !== undefined) {
    const values = result.firstSamples.map((sample) => `    ${sampleLine(sample)}`);
    const title = values.length === 0 ? [] : ["", `  ${style.strong("First values sampled")}`];
    return [
      `  ${mark(false)} The stored value is not the one that chain data gives.`,
      ...title,
      ...values,
    ];
  }
  const { otherEncoding } = result;
  if (otherEncoding === undefined)
    return [
      `  ${mark(false)} Nothing is finalized under this hash.`,
      `    What is missing: ${style.command(suggested("hdp why", [result.taskHash], { network }))}`,
    ];
  return [
    `  ${mark(false)} Nothing is finalized under this hash, but under the hash without the chain id:`,
    `    ${otherEncoding.taskHash}`,
    `    ${word(otherEncoding.stored, result)}, ${otherEncoding.agrees ? "the computed value" : "not the computed value"}`,
    "    The store is from before July 2024, or the task was hashed for such a store.",
  ];
}

function isGood({ agrees, published }: TaskVerification): boolean {
  return agrees && published?.agrees !== false;
}

function verdictOnService({ published }: TaskVerification): readonly string[] {
  if (published === undefined) return [];
  const felts = feltsText(published.felts);
  return published.agrees
    ? [`  ${mark(true)} The service publishes the same felts in the same order.`]
    : [`  ${mark(false)} The service publishes other felts, or another order: ${felts}`];
}

function sampleLine(sample: Sample): string {
  const position =
    "block" in sample ? `block ${grouped(sample.block)}` : `transaction ${String(sample.index)}`;
  return `${position}   ${grouped(sample.value)}   ${sample.proven ? "proven" : "not proven"}`;
}

/** Returns a stored word with what it stands for: of a task in the module form, the value whose root it is. */
function word(stored: Hex | undefined, { task, output }: TaskVerification): string {
  if (stored === undefined) return "none";
  const value = valueOfWord(stored, task, output);
  if (value === undefined) return `${style.strong("the root of another value")}   (${stored})`;
  return `${style.strong(spokenValue(value, task) ?? grouped(value))}   (${stored})`;
}
