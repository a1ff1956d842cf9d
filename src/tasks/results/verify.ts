import { requireAddress } from "../../base/hex.js";
import { grouped, plural } from "../../base/text.js";
import type { Sample, TaskVerification } from "../../plugin/actions/inspection-actions.js";
import type { Task } from "../../request/task.js";
import { readRequest } from "../requests/read-requests.js";
import { command } from "../run-command.js";
import { connectionOf, tasksNamed } from "../submissions/named.js";
import { spokenValue } from "../../request/describe-task.js";
import { printTask } from "../ui/preview.js";
import { anchorLines, unprovenFirst } from "../ui/results.js";
import { mark, printBlock, type Field, printFields, style, type Screen } from "../ui/screen.js";

/** Prints both values of each task, and sets exit code 1 if a stored value differs or is missing. */
export const verify = command(async (args: { task: string; store: string | undefined }, { hre, screen }) => {
  const store = args.store === undefined ? undefined : requireAddress(args.store, "--store");
  const named = tasksNamed(args.task, hre).map(({ hash }) => hash);
  const inputs = named.length > 0 ? named : [await readRequest(args.task, hre, screen)];
  const { hdp, networkName } = await connectionOf(args.task, hre);
  const verifications: TaskVerification[] = [];
  for (const input of inputs) verifications.push(...(await hdp.verify(input, { store })));
  printVerifications(screen, verifications, networkName);
  const agrees = verifications.every((one) => one.agrees);
  if (!agrees) process.exitCode = 1;
  // A task may hold private inputs, so only its hash is printed.
  const results = verifications.map((one) => ({ ...one, task: undefined }));
  return { networkName, agrees, results };
});

function printVerifications(screen: Screen, results: readonly TaskVerification[], networkName: string): void {
  results.forEach((result, index) => {
    screen.line();
    const store = `store ${result.store} (network "${networkName}")`;
    printTask(screen, `Task ${String(index + 1)}`, result.task, [`hash ${result.taskHash}`, store]);
    const { samples, proven, anchor } = result;
    const of = samples === undefined ? "" : `${plural(samples, "sample")}, `;
    printFields(screen, [
      ["Stored", word(result.stored, result.task)],
      ["Computed", `${unprovenFirst(proven)}${word(result.computed, result.task)}`],
      ["", `${of}${proven ? "all proven" : "not all proven"}`],
      ...(proven && anchor !== undefined ? anchorLines(anchor).map((line): Field => ["", line]) : []),
    ]);
    for (const line of verdict(result)) screen.line(line);
  });
  if (results.length === 1) return;
  const good = results.filter((result) => result.agrees).length;
  printBlock(screen, `  ${mark(good === results.length)} ${String(good)} of ${plural(results.length, "task")} agree.`);
}

function verdict(result: TaskVerification): readonly string[] {
  if (result.agrees) return ["", `  ${mark(true)} The stored value is the one that chain data gives.`];
  if (result.stored !== undefined) {
    const values = result.firstSamples.map((sample) => `    ${sampleLine(sample)}`);
    const title = values.length === 0 ? [] : ["", `  ${style.strong("First values sampled")}`];
    return ["", `  ${mark(false)} The stored value is not the one that chain data gives.`, ...title, ...values];
  }
  const { otherEncoding } = result;
  if (otherEncoding === undefined) return ["", `  ${mark(false)} Nothing is finalized under this hash.`];
  return [
    "",
    `  ${mark(false)} Nothing is finalized under this hash, but under the hash without the chain id:`,
    `    ${otherEncoding.taskHash}`,
    `    ${word(otherEncoding.stored, result.task)}, ${otherEncoding.agrees ? "the computed value" : "not the computed value"}`,
    "    The store is from before July 2024, or the task was hashed for such a store.",
  ];
}

function sampleLine(sample: Sample): string {
  const position = "block" in sample ? `block ${grouped(sample.block)}` : `transaction ${String(sample.index)}`;
  return `${position}   ${grouped(sample.value)}   ${sample.proven ? "proven" : "not proven"}`;
}

function word(value: `0x${string}` | undefined, task: Task): string {
  if (value === undefined) return "none";
  const spoken = spokenValue(BigInt(value), task);
  return `${style.strong(spoken ?? grouped(BigInt(value)))}   (${value})`;
}
