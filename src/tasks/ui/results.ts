import { grouped, plural } from "../../base/text.js";
import { chainIdOf } from "../../request/chains.js";
import type { Anchor, Task, TaskResult } from "../../request/task.js";
import { spokenValue, type Unit } from "../../request/describe-task.js";
import { cairoText, feltsText, shortHex } from "./format.js";
import { type Screen, style } from "./screen.js";

interface ResultOptions {
  readonly tasks?: readonly { readonly hash: string; readonly task?: Task | undefined }[];
  readonly unit?: Unit | undefined;
  /** Returns the next step: its description and its command, by the task hash under which contracts read. */
  readonly next?: ((taskHash: string) => readonly [what: string, command: string]) | undefined;
}

/**
 * Prints results, one block each: the value in its unit first, the exact word below. Sets exit code 1 if the service
 * hashed a task differently: it may have computed another task.
 */
export function printResults(screen: Screen, results: readonly TaskResult[], options: ResultOptions = {}): void {
  const { tasks = [], unit, next } = options;
  if (results.some(({ storedUnder }) => storedUnder !== undefined)) process.exitCode = 1;
  screen.line();
  results.forEach((result, index) => {
    const { taskHash, storedUnder, store, samples, proven, blockNumber, transactionHash, anchor } = result;
    const name = results.length === 1 ? "Result" : `Result ${String(index + 1)}`;
    const task = tasks.find(({ hash }) => hash === taskHash)?.task;
    const spoken = isOutputRoot(result) ? undefined : spokenValue(result.value, task, unit);
    const shown = spoken === undefined ? headline(result) : style.strong(spoken);
    screen.line(`  ${style.strong(name)}  ${unprovenFirst(proven)}${shown}`);
    const [what, step] = next?.(storedUnder ?? taskHash) ?? [];
    const lines = [
      ...(spoken === undefined ? [] : [grouped(result.value), `word ${result.word}`]),
      `task ${taskHash}`,
      storedUnder === undefined ? undefined : storedUnderText(taskHash, storedUnder),
      moduleLine(result),
      `store ${store}`,
      [
        samples === undefined ? undefined : plural(samples, "sample"),
        proven === undefined ? undefined : proven ? "all proven" : "not all proven",
        blockNumber === undefined ? undefined : `block ${grouped(blockNumber)}`,
        transactionHash === undefined ? undefined : `transaction ${shortHex(transactionHash)}`,
      ]
        .filter((part) => part !== undefined)
        .join(", "),
      ...(proven === true && anchor !== undefined ? anchorLines(anchor) : []),
      what === undefined || step === undefined ? undefined : `${what}: ${style.command(step)}`,
    ];
    for (const line of lines)
      if (line !== undefined && line !== "") screen.line(`${" ".repeat(name.length + 4)}${line}`);
  });
}

/** Returns a sentence with the hash by which contracts read the result, if the service hashed the task differently. */
export function storedUnderText(taskHash: string, storedUnder: string): string {
  const where =
    storedUnder === taskHash
      ? "stored under this hash; the service returned another one, and may have computed another task"
      : `stored under ${storedUnder}, which the service returned: it may be of another task, and contracts that read this task's hash do not find it`;
  return `${style.bad("!")} ${where}`;
}

const ANCHORS: Readonly<Record<Anchor["kind"], string>> = {
  checkpoint: "the configured checkpoint",
  node: "the head of the node's own chain",
  nodes: "which the second node has too",
};

/** Returns the trust anchor of proofs: `block 12 (0x…), the head of the node's own chain`. Names a chain's stand-in. */
export function anchorText({ kind, number, hash, source }: Anchor, shownHash: string = hash): string {
  const text = `block ${grouped(number)} (${shownHash}), ${ANCHORS[kind]}`;
  if (source === undefined || source.chainId === chainIdOf(source.chain)) return text;
  return `${text}; network "${source.network}" (chain id ${source.chainId}) stands for ${source.chain}`;
}

export function anchorLines(anchor: Anchor): readonly string[] {
  return `proven under ${anchorText(anchor, shortHex(anchor.hash))}`.split("; ");
}

/** Returns the prefix of a value with samples that no proof checked: a node may have invented them. */
export function unprovenFirst(proven: boolean | undefined): string {
  return proven === false ? `${style.bad("!")} not all values proven: ` : "";
}

function isOutputRoot({ module, preimage }: TaskResult): boolean {
  return module?.rule === "output-root" || preimage?.matches === true;
}

/** Returns the number and the word; for an output root the felts under it. */
function headline(result: TaskResult): string {
  const { value, word, output, module, preimage } = result;
  const felts = output ?? preimage?.felts;
  if (felts === undefined || !isOutputRoot(result)) return `${style.strong(grouped(value))}   (${word})`;
  const decoded = module === undefined ? preimage?.decoded : module.decoded;
  const returned = decoded === undefined ? feltsText(felts) : cairoText(decoded);
  return `${style.strong(returned)}   (returned; the word is the output root ${word})`;
}

function moduleLine({ output, module, preimage }: TaskResult): string | undefined {
  if (output !== undefined && module !== undefined) {
    const run = `generation ${module.generation}, ${plural(module.steps, "step")}, ${plural(module.reads, "read")}`;
    return `felts ${feltsText(output)}, ${run}`;
  }
  if (preimage === undefined) return undefined;
  const felts = feltsText(preimage.felts);
  return preimage.matches
    ? `felts ${felts}, from the service, checked against the output root`
    : `${style.bad("!")} the service says the word is made of the felts ${felts}; their output root is another word`;
}
