import type { TaskResult } from "../../request/lifecycle.js";
import { groupDigits, plural, shortHex } from "./format.js";
import { style, type Screen } from "./screen.js";

/** Results, one block a task; the number for people first, the exact word after it. */
export function printResults(screen: Screen, results: readonly TaskResult[]): void {
  screen.line();
  results.forEach((result, index) => {
    const name = results.length === 1 ? "Result" : `Result ${String(index + 1)}`;
    screen.line(`  ${style.strong(name)}  ${style.strong(groupDigits(result.value))}   (${result.word})`);
    screen.line(`          task ${result.taskHash}`);
    screen.line(`          ${[`store ${result.store}`, ...origin(result)].join(", ")}`);
  });
}

function origin(result: TaskResult): string[] {
  const parts: string[] = [];
  if (result.samples !== undefined) parts.push(plural(result.samples, "sample"));
  if (result.proven !== undefined) parts.push(result.proven ? "all proven" : "not all proven");
  if (result.blockNumber !== undefined) parts.push(`block ${groupDigits(result.blockNumber)}`);
  if (result.transactionHash !== undefined) parts.push(`transaction ${shortHex(result.transactionHash)}`);
  return parts;
}
