import { hdpError } from "../errors/hdp-error.js";
import type { AggregateFn } from "../request/fields.js";
import type { Compute, Operator } from "../request/task.js";

const MODULUS = 1n << 256n;

/** Folds values one by one, so that memory does not grow with their number. */
export interface Aggregator {
  readonly count: number;
  /** Adds a value, a uint256. */
  add(value: bigint): void;
  /** Returns the aggregate, a uint256. @throws HdpError HDP-4305 if no value was added. */
  result(): bigint;
}

/**
 * Returns an aggregator over uint256 that computes as the prover does: `sum` wraps modulo 2^256; `avg` is the wrapped sum
 * divided by the number of values, halves rounded up; `min`, `max` and the comparisons of `count` are unsigned.
 * @throws HdpError HDP-1107 for a count without operator and value.
 */
export function createAggregator(compute: Compute): Aggregator {
  const { step, finish } = STEPS[compute.aggregateFnId](compute);
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
      if (state === undefined) throw hdpError("HDP-4305", { function: compute.aggregateFnId });
      return finish === undefined ? state : finish(state, count);
    },
  };
}

/** How a function folds values. */
interface Steps {
  /** Returns the state after a value. The state is undefined before the first value. */
  readonly step: (state: bigint | undefined, value: bigint) => bigint;
  /** Returns the aggregate of a state; the state itself where there is no such step. */
  readonly finish?: (state: bigint, count: number) => bigint;
}

function wrappedSum(sum = 0n, value: bigint): bigint {
  return (sum + value) % MODULUS;
}

function roundedAverage(sum: bigint, count: number): bigint {
  return (2n * sum + BigInt(count)) / BigInt(2 * count);
}

const STEPS: Readonly<Record<AggregateFn, (compute: Compute) => Steps>> = {
  sum: () => ({ step: wrappedSum }),
  avg: () => ({ step: wrappedSum, finish: roundedAverage }),
  min: () => ({
    step: (least, value) => (least === undefined || value < least ? value : least),
  }),
  max: () => ({
    step: (most, value) => (most === undefined || value > most ? value : most),
  }),
  count: ({ aggregateFnCtx }) => {
    if (aggregateFnCtx === undefined) throw hdpError("HDP-1107");
    const { operator, valueToCompare } = aggregateFnCtx;
    const matches = COMPARISONS[operator];
    return { step: (found = 0n, value) => (matches(value, valueToCompare) ? found + 1n : found) };
  },
};

const COMPARISONS: Readonly<Record<Operator, (value: bigint, other: bigint) => boolean>> = {
  eq: (value, other) => value === other,
  nq: (value, other) => value !== other,
  gt: (value, other) => value > other,
  gteq: (value, other) => value >= other,
  lt: (value, other) => value < other,
  lteq: (value, other) => value <= other,
};
