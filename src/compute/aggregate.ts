import { hdpError } from "../errors/hdp-error.js";
import type { AggregateContext, Compute, Operator } from "../request/task.js";

const MODULUS = 1n << 256n;

/** Folds values one by one, so that memory does not grow with their number. */
export interface Aggregator {
  readonly count: number;
  /** @param value uint256 */
  add(value: bigint): void;
  /** Returns the aggregate, a uint256. @throws HdpError HDP-4305 if no value was added. */
  result(): bigint;
}

/**
 * Returns an aggregator over uint256 that computes as the prover does: `sum` wraps modulo 2^256; `avg` is the wrapped sum
 * divided by the number of values, halves rounded up; `min`, `max` and the comparisons of `count` are unsigned.
 * @throws HdpError HDP-1107 for a count without operator and value.
 */
export function createAggregator({ aggregateFnId, aggregateFnCtx }: Compute): Aggregator {
  const step = aggregateFnId === "count" ? countOf(aggregateFnCtx) : STEPS[aggregateFnId];
  let count = 0;
  let state: bigint | undefined;
  return {
    get count() {
      return count;
    },
    add: (value) => {
      state = step(state, value);
      count += 1;
    },
    result: () => {
      if (state === undefined) throw hdpError("HDP-4305", { function: aggregateFnId });
      // An average is rounded half up.
      return aggregateFnId === "avg" ? (2n * state + BigInt(count)) / BigInt(2 * count) : state;
    },
  };
}

/** Returns the state after a value. The state is undefined before the first value. */
type Step = (state: bigint | undefined, value: bigint) => bigint;

const wrappedSum: Step = (sum = 0n, value) => (sum + value) % MODULUS;

const STEPS: Readonly<Record<Exclude<Compute["aggregateFnId"], "count">, Step>> = {
  sum: wrappedSum,
  avg: wrappedSum,
  min: (least, value) => (least === undefined || value < least ? value : least),
  max: (most, value) => (most === undefined || value > most ? value : most),
};

const COMPARISONS: Readonly<Record<Operator, (value: bigint, other: bigint) => boolean>> = {
  eq: (value, other) => value === other,
  nq: (value, other) => value !== other,
  gt: (value, other) => value > other,
  gteq: (value, other) => value >= other,
  lt: (value, other) => value < other,
  lteq: (value, other) => value <= other,
};

function countOf(context: AggregateContext | undefined): Step {
  if (context === undefined) throw hdpError("HDP-1107");
  const matches = COMPARISONS[context.operator];
  return (found = 0n, value) => found + (matches(value, context.valueToCompare) ? 1n : 0n);
}
