import type { Anchor, TaskResult } from "../../request/lifecycle.js";
import type { Task } from "../../request/task.js";
import { cairoText, feltsText, shortHex } from "./format.js";
import { grouped, plural } from "../../base/text.js";
import { type Screen, style } from "./screen.js";
import { spokenValue, type Unit } from "./units.js";

/** Results, one block a task; the number for people first, the exact word after it. */
export function printResults(
  screen: Screen,
  results: readonly TaskResult[],
  { tasks = [], unit }: { readonly tasks?: readonly Task[]; readonly unit?: Unit | undefined } = {},
): void {
  screen.line();
  results.forEach((result, index) => {
    const name = results.length === 1 ? "Result" : `Result ${String(index + 1)}`;
    const { number, word } = headline(result);
    screen.line(`  ${style.strong(name)}  ${style.strong(number)}   (${word})`);
    const spoken = isOutputRoot(result) ? undefined : spokenValue(result.value, tasks[index], unit);
    if (spoken !== undefined) screen.line(`          ${spoken}`);
    screen.line(`          task ${result.taskHash}`);
    if (result.storedUnder !== undefined) screen.line(`          ${underWhich(result, result.storedUnder)}`);
    moduleLines(result).forEach((line) => {
      screen.line(`          ${line}`);
    });
    screen.line(`          ${[`store ${result.store}`, ...origin(result)].join(", ")}`);
    if (result.proven === true && result.anchor !== undefined) {
      screen.line(`          proven under ${anchorText(result.anchor)}`);
    }
  });
}

const ANCHORS: Readonly<Record<Anchor["kind"], string>> = {
  checkpoint: "the configured checkpoint",
  node: "the head of the node's own chain",
  nodes: "which the second node has too",
};

/** What proofs rest on: `block 12 (0x…), the head of the node's own chain`. */
export function anchorText({ kind, number, hash }: Anchor): string {
  return `block ${grouped(number)} (${hash}), ${ANCHORS[kind]}`;
}

/** The service hashed the task in another way: which of the two hashes contracts read it by. */
function underWhich({ taskHash }: TaskResult, storedUnder: string): string {
  return storedUnder === taskHash
    ? "stored under this hash; the service returned another one"
    : `stored under ${storedUnder}, the service's own hash of the task`;
}

/** Whether the word is known to be a root over felts, which is no number. */
function isOutputRoot({ module, preimage }: TaskResult): boolean {
  return module?.rule === "output-root" || preimage?.matches === true;
}

/** A result's number and what it was read from; an output root is no number, what it is made of is shown instead. */
function headline(result: TaskResult): { number: string; word: string } {
  const { value, word, output, module, preimage } = result;
  const felts = output ?? preimage?.felts;
  if (felts === undefined || !isOutputRoot(result)) return { number: grouped(value), word };
  const decoded = module === undefined ? preimage?.decoded : module.decoded;
  const returned = decoded === undefined ? feltsText(felts) : cairoText(decoded);
  return { number: returned, word: `returned; the word is the output root ${word}` };
}

/** Of a module: the felts that the word is made of, and the run, or what the service says of them. */
function moduleLines({ output, module, preimage }: TaskResult): string[] {
  if (output !== undefined && module !== undefined) {
    const run = `generation ${module.generation}, ${plural(module.steps, "step")}, ${plural(module.reads, "read")}`;
    return [`felts ${feltsText(output)}, ${run}`];
  }
  if (preimage === undefined) return [];
  const felts = feltsText(preimage.felts);
  return preimage.matches
    ? [`felts ${felts}, from the service, checked against the output root`]
    : [`${style.bad("!")} the service says the word is made of the felts ${felts}; their output root is another word`];
}

function origin(result: TaskResult): string[] {
  const parts: string[] = [];
  if (result.samples !== undefined) parts.push(plural(result.samples, "sample"));
  if (result.proven !== undefined) parts.push(result.proven ? "all proven" : "not all proven");
  if (result.blockNumber !== undefined) parts.push(`block ${grouped(result.blockNumber)}`);
  if (result.transactionHash !== undefined) parts.push(`transaction ${shortHex(result.transactionHash)}`);
  return parts;
}
