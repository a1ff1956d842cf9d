import { feltsText } from "../../base/felt.js";
import { jsonText } from "../../base/json.js";
import { grouped, plural } from "../../base/text.js";
import type { ModuleDryRun } from "../../plugin/actions/program-actions.js";
import { numericChainId } from "../../request/chains.js";
import type { Rehearsal } from "../../request/data-processor.js";
import type { ProvabilityReport } from "../../request/provability.js";
import { provenText, spokenValue, type Unit, UNITS } from "../../request/describe-task.js";
import { findDatalake } from "../../request/task-form.js";
import type { Task } from "../../request/task.js";
import type {
  Anchor,
  CairoValue,
  OutputPreimage,
  ShownResult,
  TaskResult,
} from "../../request/task-result.js";
import { storedUnderText } from "../../submission/service-hashes.js";
import { parseChoice } from "../options.js";
import { type Screen, style } from "./screen.js";

/** Shortens hex for recognition: "0x5FbD…0aa3". Hex for copying is printed in full. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** Lower limit of felts that are printed in hexadecimal: they are mostly addresses, hashes and short strings. */
const LARGE_FELT = 1n << 64n;
const FELT_TYPES = /::(felt252|ContractAddress|ClassHash|StorageAddress|EthAddress|bytes31)$/;

/** Returns a decoded Cairo value on one line: integers with separators, addresses in hex, text and structures as JSON. */
export function cairoText(value: CairoValue, type = ""): string {
  if (typeof value !== "bigint") return jsonText(value, 2).replaceAll(/\s*\n\s*/g, " ");
  return FELT_TYPES.test(type) && value >= LARGE_FELT ? `0x${value.toString(16)}` : grouped(value);
}

/** Returns a function that numbers names in their order, and the numbers it gave. */
export function numbered(): {
  readonly names: ReadonlyMap<string, number>;
  readonly indexOf: (name: string) => number;
} {
  const names = new Map<string, number>();
  const columnIndex = (name: string): number => {
    const index = names.get(name) ?? names.size;
    names.set(name, index);
    return index;
  };
  return { names, indexOf: columnIndex };
}

/** Returns the unit of `--unit`. @throws HdpError HDP-6003 */
export function parseUnit(text: string | undefined): Unit | undefined {
  if (text === undefined) return undefined;
  const hints = ["Without it, the sampled field decides."];
  return parseChoice(text.toLowerCase(), UNITS, {
    what: "a unit of values",
    path: "--unit",
    hints,
  });
}

/** Returns the line of a read: `account.balance of 0xf39f…, block 0 of chain 11155111: 10,000`. */
export function readLine(read: ModuleDryRun["reads"][number]): string {
  const place = [
    "address" in read ? ` of ${read.address}` : "",
    "slot" in read ? ` slot ${read.slot}` : "",
    "index" in read ? ` ${grouped(read.index)}` : "",
    "logIndex" in read ? ` log ${grouped(read.logIndex)}` : "",
  ].join("");
  const [low = 0n, high = 0n, ...more] = read.felts;
  const value = more.length > 0 ? plural(read.felts.length, "felt") : grouped(low + (high << 128n));
  return `${read.kind}.${read.field}${place}, block ${grouped(read.block)} of chain ${read.chainId.toString()}: ${value}`;
}

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
export function printResults(
  screen: Screen,
  results: readonly TaskResult[],
  options: ResultOptions = {},
): void {
  const { tasks = [], unit, next } = options;
  if (results.some(({ storedUnder }) => storedUnder !== undefined)) process.exitCode = 1;
  screen.line();
  results.forEach((result, index) => {
    const { taskHash, storedUnder, store, samples, proven, blockNumber, transactionHash, anchor } =
      result;
    const { warnings = [] } = result;
    const name = results.length === 1 ? "Result" : `Result ${String(index + 1)}`;
    const task = tasks.find(({ hash }) => hash === taskHash)?.task;
    const spoken = spokenResult(result, task, unit);
    const shown = spoken === undefined ? headline(result) : style.strong(spoken);
    screen.line(`  ${style.strong(name)}  ${unprovenFirst(proven)}${shown}`);
    const [what, step] = next?.(storedUnder ?? taskHash) ?? [];
    const lines = [
      ...(spoken === undefined ? [] : [grouped(result.value), `word ${result.word}`]),
      `task ${taskHash}`,
      storedUnder === undefined ? undefined : `${style.bad("!")} ${storedUnderText(result)}`,
      moduleLine(result),
      `store ${store}`,
      [
        samples === undefined ? undefined : plural(samples, "sample"),
        proven === undefined ? undefined : provenText(proven),
        blockNumber === undefined ? undefined : `block ${grouped(blockNumber)}`,
        transactionHash === undefined ? undefined : `transaction ${shortHex(transactionHash)}`,
      ]
        .filter((part) => part !== undefined)
        .join(", "),
      ...(proven === true && anchor !== undefined ? anchorLines(anchor) : []),
      ...warnings.map(warningLine),
      what === undefined || step === undefined ? undefined : `${what}: ${style.command(step)}`,
    ];
    for (const line of lines)
      if (line !== undefined && line !== "") screen.line(`${" ".repeat(name.length + 4)}${line}`);
  });
}

/** Prints what tasks gave that were run here before they are sent, and why others were not run. */
export function printRehearsals(
  screen: Screen,
  rehearsals: readonly Rehearsal[],
  { tasks = [], unit }: ResultOptions,
): void {
  for (const { taskHash, result, reason = "", advice, provability } of rehearsals) {
    const place = tasks.findIndex(({ hash }) => hash === taskHash);
    const task = tasks[place]?.task;
    const which = tasks.length > 1 && place >= 0 ? ` ${String(place + 1)}` : "";
    if (result === undefined) {
      const sentences = [reason, ...(advice === undefined ? [] : [advice])].join(" ");
      screen.line(`  ${style.strong(`Not rehearsed${which}`)}  ${sentences}`);
      for (const line of provabilityLines(provability)) screen.line(`${" ".repeat(13)}${line}`);
      continue;
    }
    const { value, word, samples, module, proven, anchor, warnings = [] } = result;
    const spoken = spokenResult(result, task, unit);
    screen.line(
      `  ${style.strong(`Rehearsed${which}`)}  ${unprovenFirst(proven)}${spoken ?? headline(result)}`,
    );
    const facts = [
      samples === undefined ? [] : [plural(samples, "sample")],
      module === undefined ? [] : [plural(module.steps, "step")],
      [provenText(proven)],
    ].flat();
    const lines = [
      ...(spoken === undefined ? [] : [grouped(value), `word ${word}`]),
      facts.join(", "),
      ...(proven && anchor !== undefined ? anchorLines(anchor) : []),
      ...warnings.map(warningLine),
      ...gapLines(module?.gaps),
      ...provabilityLines(provability),
    ];
    for (const line of lines) screen.line(`${" ".repeat(13)}${line}`);
  }
}

/** Returns what the indexer says of each chain that is read, a line each; one line where it was not asked. */
export function provabilityLines(report: ProvabilityReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const { sources, problem } = report;
  if (sources === undefined)
    return [`Whether the destination can prove the blocks already is not known: ${problem}`];
  return sources.map(({ source, first, last, text, provability: { kind } }) => {
    const blocks = first === last ? `block ${first}` : `blocks ${first} to ${last}`;
    return `${kind === "provable" ? style.good("✔") : style.bad("!")} ${source} ${blocks}: ${text}`;
  });
}

/** Returns a warning for each thing of a run that the published provers cannot do. */
export function gapLines(gaps: readonly string[] = []): readonly string[] {
  return gaps.map((gap) => `${style.bad("!")} the published provers cannot prove this run: ${gap}`);
}

const ANCHORS: Readonly<Record<Anchor["kind"], string>> = {
  checkpoint: "the configured checkpoint",
  node: "the head of the node's own chain",
  nodes: "which the second node has too",
  recording: "the latest of the recorded data",
};

/** Returns the trust anchor of proofs: `block 12 (0x…), the head of the node's own chain`. Names a chain's stand-in. */
export function anchorText(
  { kind, number, hash, source }: Anchor,
  shownHash: string = hash,
): string {
  const text = `block ${grouped(number)} (${shownHash}), ${ANCHORS[kind]}`;
  if (source === undefined || source.chainId === numericChainId(source.chain)) return text;
  return `${text}; network "${source.network}" (chain id ${source.chainId}) stands for ${source.chain}`;
}

/** Returns what a result's proofs rest on, a line for each fact. */
export function anchorLines(anchor: Anchor): readonly string[] {
  return `proven under ${anchorText(anchor, shortHex(anchor.hash))}`.split("; ");
}

/** Returns the line of a warning about a value. */
export function warningLine(warning: string): string {
  return `${style.bad("!")} ${warning}`;
}

/** Returns the prefix of a value with samples that no proof checked: a node may have invented them. */
export function unprovenFirst(proven: boolean | undefined): string {
  return proven === false ? `${style.bad("!")} not all values proven: ` : "";
}

/** Returns the value of a result in its unit; undefined for a root of which only the felts are known. */
function spokenResult(
  result: ShownResult,
  task: Task | undefined,
  unit: Unit | undefined,
): string | undefined {
  const isDatalake = task !== undefined && findDatalake(task) !== undefined;
  return isOutputRoot(result) && !isDatalake ? undefined : spokenValue(result.value, task, unit);
}

function isOutputRoot({ module, preimage }: Partial<TaskResult>): boolean {
  return module?.rule === "output-root" || preimage?.matches === true;
}

/** Returns the number and the word; for an output root the felts under it. */
function headline(result: ShownResult): string {
  const { value, word, output, module, preimage } = result;
  const felts = output ?? preimage?.felts;
  if (felts === undefined || !isOutputRoot(result))
    return `${style.strong(grouped(value))}   (${word})`;
  const root = `the word is the output root ${word}`;
  if (output === undefined && preimage?.order !== "proven")
    return `${style.bad("!")} ${feltsText(felts)}, in this order or another   (${root})`;
  const decoded = module === undefined ? preimage?.decoded : module.decoded;
  const returned = decoded === undefined ? feltsText(felts) : cairoText(decoded);
  return `${style.strong(returned)}   (returned; ${root})`;
}

function moduleLine({ output, module, preimage }: TaskResult): string | undefined {
  if (output !== undefined && module !== undefined) {
    const run = `generation ${module.generation}, ${plural(module.steps, "step")}, ${plural(module.reads, "read")}`;
    return `felts ${feltsText(output)}, ${run}`;
  }
  return preimage === undefined ? undefined : preimageLine(preimage);
}

function preimageLine({ felts, matches, order }: OutputPreimage): string {
  const text = feltsText(felts);
  if (!matches)
    return `${style.bad("!")} the service says the word is made of the felts ${text}; their output root is another word`;
  if (order === "proven") return `felts ${text}, from the service, checked against the output root`;
  return `${style.bad("!")} the order of the felts is only the service's word: the output root does not fix it, a run of the module does (npx hardhat hdp verify)`;
}
