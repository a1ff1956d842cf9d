import type { TaskResult } from "../../request/lifecycle.js";
import { cairoText } from "./cairo-text.js";
import { groupDigits, plural, shortHex } from "./format.js";
import { style, type Screen } from "./screen.js";

/** Results, one block a task; the number for people first, the exact word after it. */
export function printResults(screen: Screen, results: readonly TaskResult[]): void {
  screen.line();
  results.forEach((result, index) => {
    const name = results.length === 1 ? "Result" : `Result ${String(index + 1)}`;
    screen.line(`  ${style.strong(name)}  ${style.strong(groupDigits(result.value))}   (${result.word})`);
    screen.line(`          task ${result.taskHash}`);
    moduleLines(result).forEach((line) => {
      screen.line(`          ${line}`);
    });
    screen.line(`          ${[`store ${result.store}`, ...origin(result)].join(", ")}`);
  });
}

/** Of a module: what it returned and how the word came of it. */
function moduleLines({ output, module }: TaskResult): string[] {
  if (output === undefined || module === undefined) return [];
  const felts = output.map((felt) => `0x${felt.toString(16)}`).join(" ");
  const returned = module.decoded === undefined ? felts : `${cairoText(module.decoded)}  (felts ${felts})`;
  const rule = module.rule === "output-root" ? "the output root of these felts" : "the value of these felts";
  return [
    `returned ${returned}`,
    `the word is ${rule} (generation ${module.generation}), ${plural(module.steps, "step")}, ${plural(module.reads, "read")}`,
  ];
}

function origin(result: TaskResult): string[] {
  const parts: string[] = [];
  if (result.samples !== undefined) parts.push(plural(result.samples, "sample"));
  if (result.proven !== undefined) parts.push(result.proven ? "all proven" : "not all proven");
  if (result.blockNumber !== undefined) parts.push(`block ${groupDigits(result.blockNumber)}`);
  if (result.transactionHash !== undefined) parts.push(`transaction ${shortHex(result.transactionHash)}`);
  return parts;
}
