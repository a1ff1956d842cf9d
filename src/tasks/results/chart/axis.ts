import type { DatalakeComputeTask } from "../../../request/task.js";
import { grouped } from "../../../base/text.js";

/** A value axis: what is at the bottom, and how high a value is. */
export interface Axis {
  readonly bottom: bigint;
  readonly top: bigint;
  /** 0 at the bottom, 1 at the top. */
  readonly height: (value: bigint) => number;
}

/** Digits that are still read at a glance; longer numbers are shortened on an axis. */
const WHOLE_DIGITS = 15;
const PRECISION = 1_000_000n;

/**
 * The axis for some values. It begins at 0, unless they differ so little that all would look alike: then at the lowest
 * value, and a chart says so.
 */
export function axisFor(values: readonly bigint[]): Axis {
  const least = values.reduce((a, b) => (b < a ? b : a), values[0] ?? 0n);
  const top = values.reduce((a, b) => (b > a ? b : a), values[0] ?? 0n);
  const bottom = least === top || (top - least) * 4n >= top ? 0n : least;
  const span = top - bottom;
  return {
    bottom,
    top,
    height: (value) => (span === 0n ? 0 : Number(((value - bottom) * PRECISION) / span) / Number(PRECISION)),
  };
}

/** Labels for values on an axis: whole numbers, or short ones with as many digits as tell them apart. */
export function axisLabels(values: readonly bigint[]): readonly string[] {
  if (values.every((value) => value.toString().length <= WHOLE_DIGITS)) return values.map(grouped);
  const distinct = new Set(values).size;
  for (let digits = 3; digits < 78; digits += 1) {
    const labels = values.map((value) => scientific(value, digits));
    if (new Set(labels).size === distinct) return labels;
  }
  return values.map(grouped);
}

function scientific(value: bigint, digits: number): string {
  const text = value.toString();
  if (text.length <= digits) return grouped(value);
  return `${text.slice(0, 1)}.${text.slice(1, digits)}e${(text.length - 1).toString()}`;
}

/** What a count compares each value with; undefined where nothing is counted, and far above all values. */
export function thresholdOf({ compute }: DatalakeComputeTask, values: readonly bigint[]): bigint | undefined {
  const threshold = compute.aggregateFnId === "count" ? compute.aggregateFnCtx?.valueToCompare : undefined;
  return threshold !== undefined && values.some((value) => value * 2n >= threshold) ? threshold : undefined;
}
