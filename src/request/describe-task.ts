import { formatEther, formatGwei } from "viem/utils";

import { keysOf } from "../base/collections.js";
import { formatFelt, shortString } from "../base/felt.js";
import { grouped, plural } from "../base/text.js";
import { FUNCTIONS, TRANSACTION_TYPES } from "./fields.js";
import { fieldEntry } from "./field-support.js";
import { rootsByLabel } from "./injected-state.js";
import { formatSampledProperty } from "./sampled-property.js";
import { findDatalake, writtenTask } from "./task-form.js";
import type {
  Compute,
  Datalake,
  DatalakeComputeTask,
  ModuleInput,
  ModuleTask,
  Task,
} from "./task.js";

const OPERATOR_SIGNS = { eq: "=", nq: "≠", gt: ">", gteq: "≥", lt: "<", lteq: "≤" } as const;

/** The blocks or transaction indices a datalake visits, in ascending order. */
export interface VisitedElements {
  /** Number of visited elements. Transactions of excluded types are visited, then dropped. */
  readonly count: bigint;
  readonly first: bigint;
  /** The last visited element: the end of the range may lie between two steps. */
  readonly last: bigint;
  readonly step: bigint;
}

/**
 * Returns the elements that a datalake visits: blocks up to `blockRangeEnd`, transaction indices before `endIndex`.
 * @example visitedElements(blockSampled({ from: 0n, to: 9n, increment: 4n, … })) // count 3, first 0, last 8, step 4
 */
export function visitedElements(datalake: Datalake): VisitedElements {
  const [first, lastAllowed] =
    datalake.type === "BlockSampled"
      ? [datalake.blockRangeStart, datalake.blockRangeEnd]
      : [datalake.startIndex, datalake.endIndex - 1n];
  const step = datalake.increment;
  // A contract may ask for a range whose ends are swapped, or for a step of 0.
  const isEmpty = lastAllowed < first || step === 0n;
  const count = isEmpty ? 0n : (lastAllowed - first) / step + 1n;
  const last = count === 0n ? lastAllowed : first + (count - 1n) * step;
  return { count, first, last, step };
}

/** A task in words. */
export interface TaskDescription {
  /** `average of header.base_fee_per_gas` */
  readonly title: string;
  /** `blocks 0..63 on ETHEREUM_SEPOLIA, 64 samples, step 1` */
  readonly lines: readonly string[];
  /** Warnings of valid but probably unintended values: very many samples, a step past the range. */
  readonly warnings: readonly string[];
}

/** Number of samples above which a task gets a warning: each is read and proven. */
const MANY_SAMPLES = 100_000n;

/** Returns a task in words: a title, and lines of what it reads. A datalake task reads the same in both forms. */
export function describeTask(given: Task): TaskDescription {
  const task = writtenTask(given);
  if (task.type === "Module") return describeModule(task, countedInputs(task.inputs));
  const { compute, datalake } = task;
  const title = describeCompute(compute, formatSampledProperty(datalake.sampledProperty));
  return { title, lines: describeDatalake(datalake), warnings: samplingWarnings(datalake) };
}

function samplingWarnings(datalake: Datalake): readonly string[] {
  const { count, first, step } = visitedElements(datalake);
  const noun = datalake.type === "BlockSampled" ? "block" : "transaction";
  const { isOne } = rangeOf(datalake);
  const warnings: string[] = [];
  if (count > MANY_SAMPLES) {
    warnings.push(
      `${grouped(count)} samples: each is read and proven. A larger increment samples fewer.`,
    );
  }
  if (count === 1n && !isOne) {
    warnings.push(
      `the step of ${grouped(step)} is past the range: only ${noun} ${grouped(first)} is sampled.`,
    );
  }
  return warnings;
}

/** Returns the last element of a datalake's range, and whether it is the only one. */
function rangeOf(datalake: Datalake): { readonly end: bigint; readonly isOne: boolean } {
  if (datalake.type === "BlockSampled") {
    const { blockRangeStart, blockRangeEnd: end } = datalake;
    return { end, isOne: blockRangeStart === end };
  }
  const { startIndex, endIndex } = datalake;
  return { end: endIndex - 1n, isOne: startIndex === endIndex - 1n };
}

function describeCompute({ aggregateFnId, aggregateFnCtx }: Compute, property: string): string {
  const title = `${FUNCTIONS[aggregateFnId].title} of ${property}`;
  return aggregateFnId === "count" && aggregateFnCtx !== undefined
    ? `${title} ${OPERATOR_SIGNS[aggregateFnCtx.operator]} ${grouped(aggregateFnCtx.valueToCompare)}`
    : title;
}

function describeDatalake(datalake: Datalake): readonly string[] {
  const { count, first, last: lastVisited, step } = visitedElements(datalake);
  const { isOne, end } = rangeOf(datalake);
  // A step past the range visits one element of many: the range says which it was meant to visit.
  const last = count === 1n ? end : lastVisited;
  const range = isOne ? grouped(first) : `${grouped(first)}..${grouped(last)}`;
  const elements = (noun: string): string => `${noun}${isOne ? "" : "s"} ${range}`;
  if (datalake.type === "BlockSampled") {
    return [
      `${elements("block")} on ${datalake.chainId}, ${plural(count, "sample")}, step ${grouped(step)}`,
    ];
  }
  const types = TRANSACTION_TYPES.filter((type) => datalake.includedTypes[type]);
  return [
    `${elements("transaction")} of block ${grouped(datalake.targetBlock)} on ${datalake.chainId}, ` +
      `${plural(count, "transaction")} visited, step ${grouped(step)} (endIndex ${grouped(datalake.endIndex)} is exclusive)`,
    takingPart(types),
  ];
}

function takingPart(types: readonly string[]): string {
  if (types.length === TRANSACTION_TYPES.length) return "all four transaction types take part";
  if (types.length === 0) return "no transaction type takes part";
  return `only ${types.join(", ")} transactions take part; others are dropped, not replaced`;
}

/** Returns a task in words as {@link describeTask}, a module's with its public inputs, by the names of their arguments. */
export function describeTaskWithInputs(
  given: Task,
  argumentsOf: (task: ModuleTask) => readonly string[] | undefined,
): TaskDescription {
  const task = writtenTask(given);
  return task.type === "Module"
    ? describeModule(task, listedInputs(task.inputs, argumentsOf(task)))
    : describeTask(task);
}

/** Number of inputs that are listed of a module with many. */
const MAX_INPUTS = 16;

function listedInputs(inputs: readonly ModuleInput[], names: readonly string[] = []): string {
  if (inputs.length === 0) return "no inputs";
  const listed = inputs.slice(0, MAX_INPUTS).map(({ visibility, value }, position) => {
    // An argument of several felts is named once.
    const name = names[position] === names[position - 1] ? undefined : names[position];
    const shown = visibility === "private" ? "private" : value;
    return name === undefined ? shown : `${name} ${shown}`;
  });
  const others = inputs.length - listed.length;
  return `inputs: ${[...listed, ...(others > 0 ? [`${others} more`] : [])].join(", ")}`;
}

function countedInputs(inputs: readonly ModuleInput[]): string {
  const publicInputs = inputs.filter(({ visibility }) => visibility === "public").length;
  return `${plural(inputs.length, "input")}: ${publicInputs} public, ${inputs.length - publicInputs} private`;
}

function describeModule(
  { programHash, injectedState }: ModuleTask,
  inputs: string,
): TaskDescription {
  const roots = [...rootsByLabel(injectedState)];
  return {
    title: `module ${programHash}`,
    lines: [
      inputs,
      ...roots.map(
        ([label, root]) => `injected state ${shortString(label)} from root ${formatFelt(root)}`,
      ),
    ],
    warnings: [],
  };
}

/** Formats a number in a unit; undefined for a time after the year 9999. */
export const IN_UNIT = {
  wei: (value) => `${grouped(value)} wei`,
  gwei: (value) => `${groupedDecimal(formatGwei(value))} gwei`,
  ether: (value) => `${groupedDecimal(formatEther(value))} ether`,
  gas: (value) => `${grouped(value)} gas`,
  date: (seconds) => {
    if (seconds > 253_402_300_799n) return undefined;
    return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
  },
} as const satisfies Readonly<Record<string, (value: bigint) => string | undefined>>;

/** A unit that numbers are formatted in. */
export type Unit = keyof typeof IN_UNIT;
/** Units in which values can be shown. */
export const UNITS = keysOf(IN_UNIT);

/** Returns a result with its unit: `1.04 gwei on average`; undefined where neither a unit nor a comparison is known. */
export function spokenValue(
  value: bigint,
  given: Task | undefined,
  wanted?: Unit,
): string | undefined {
  const task = given && findDatalake(given);
  if (task === undefined) return wanted === undefined ? undefined : IN_UNIT[wanted](value);
  const { aggregateFnId, aggregateFnCtx } = task.compute;
  const unit = wanted ?? sampleUnit(task);
  if (aggregateFnId === "count") {
    if (aggregateFnCtx === undefined) return undefined;
    const { operator, valueToCompare } = aggregateFnCtx;
    const threshold = (unit && IN_UNIT[unit](valueToCompare)) ?? grouped(valueToCompare);
    return `${plural(value, "value")} of ${formatSampledProperty(task.datalake.sampledProperty)} ${OPERATOR_SIGNS[operator]} ${threshold}`;
  }
  // A sum of dates has no meaning.
  if (unit === undefined || (unit === "date" && aggregateFnId === "sum")) return undefined;
  const text = IN_UNIT[unit](value);
  return text === undefined ? undefined : `${text} ${FUNCTIONS[aggregateFnId].phrase}`;
}

/** Returns the unit of a task's sampled property; undefined for plain numbers. */
export function sampleUnit({
  datalake: { sampledProperty },
}: DatalakeComputeTask): Unit | undefined {
  if (sampledProperty.kind === "storage") return undefined;
  return fieldEntry(sampledProperty.kind, sampledProperty.field)?.unit;
}

/** Returns whether all values of a result are proof-verified, in words. */
export function provenText(proven: boolean): string {
  return proven ? "all proven" : "not all proven";
}

function groupedDecimal(decimal: string): string {
  return decimal.replace(/^\d+/, (whole) => grouped(BigInt(whole)));
}
