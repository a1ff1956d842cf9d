import type { Sample, TaskVerification, VerifyReport } from "../../plugin/actions/inspection-actions.js";
import { describeTask } from "../../request/describe-task.js";
import { grouped, plural } from "../../base/text.js";
import { anchorText } from "../ui/results.js";
import { style, type Screen } from "../ui/screen.js";

/** Stored and computed words, one block a task, and what follows from them. */
export function printVerification(screen: Screen, { results, agrees }: VerifyReport, networkName: string): void {
  results.forEach((result, index) => {
    screen.line();
    const { title, lines } = describeTask(result.task);
    screen.line(`  ${style.strong(`Task ${String(index + 1)}`)}  ${title}`);
    for (const line of [...lines, `hash ${result.taskHash}`]) screen.line(`          ${line}`);
    screen.line(`          store ${result.store} (network "${networkName}")`);
    screen.line();
    screen.line(`  ${style.strong("Stored")}    ${word(result.stored)}`);
    screen.line(`  ${style.strong("Computed")}  ${word(result.computed)}`);
    screen.line(basis(result));
    if (result.proven && result.anchor !== undefined) {
      screen.line(`            proven under ${anchorText(result.anchor)}`);
    }
    for (const line of verdict(result)) screen.line(line);
  });
  if (results.length === 1) return;
  const good = results.filter((result) => result.agrees).length;
  screen.line();
  screen.line(`  ${mark(agrees)} ${String(good)} of ${plural(results.length, "task")} agree.`);
}

function verdict(result: TaskVerification): readonly string[] {
  if (result.agrees) return ["", `  ${mark(true)} The stored word is the one that chain data gives.`];
  if (result.stored !== undefined) {
    const values = result.firstSamples.map((sample) => `    ${sampleLine(sample)}`);
    const title = values.length === 0 ? [] : ["", `  ${style.strong("First values sampled")}`];
    return ["", `  ${mark(false)} The stored word is not the one that chain data gives.`, ...title, ...values];
  }
  const { otherEncoding } = result;
  if (otherEncoding === undefined) return ["", `  ${mark(false)} Nothing is finalized under this hash.`];
  return [
    "",
    `  ${mark(false)} Nothing is finalized under this hash, but under the hash without the chain id:`,
    `    ${otherEncoding.taskHash}`,
    `    ${word(otherEncoding.stored)}, ${otherEncoding.agrees ? "the computed word" : "another word"}`,
    "    The store is from before July 2024, or the task was hashed for such a store.",
  ];
}

function sampleLine(sample: Sample): string {
  const position = "block" in sample ? `block ${grouped(sample.block)}` : `transaction ${String(sample.index)}`;
  return `${position}   ${grouped(sample.value)}   ${sample.proven ? "proven" : "not proven"}`;
}

function word(value: `0x${string}` | undefined): string {
  return value === undefined ? "none" : `${style.strong(grouped(BigInt(value)))}   (${value})`;
}

function basis({ samples, proven }: TaskVerification): string {
  const of = samples === undefined ? "" : `${plural(samples, "sample")}, `;
  return `            ${of}${proven ? "all proven" : "not all proven"}`;
}

function mark(good: boolean): string {
  return good ? style.good("✔") : style.bad("✘");
}
