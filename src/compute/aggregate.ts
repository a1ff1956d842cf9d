import { HdpError } from "../base/errors.js";
import type { AggregateContext, Compute, Operator } from "../request/task.js";
import type { AggregateFn } from "../request/aggregate-functions.js";

const MODULUS = 1n << 256n;

/** Folds values one by one, so that memory does not grow with their number. */
export interface Aggregator {
  /** How many values were added. */
  readonly count: number;
  /** @param value uint256 */
  add(value: bigint): void;
  /** uint256. @throws HdpError HDP-4305 where nothing was added. */
  result(): bigint;
}

/**
 * The five aggregates over uint256, as the prover computes them: `sum` wraps modulo 2^256; `avg` is the wrapped sum
 * divided by the number of values, halves rounded up; `min`, `max` and the comparisons of `count` are unsigned.
 *
 * @throws HdpError HDP-4306 for a count without operator and value.
 */
export function createAggregator({ aggregateFnId, aggregateFnCtx }: Compute): Aggregator {
  switch (aggregateFnId) {
    case "sum":
      return new Fold(aggregateFnId, wrappedSum);
    case "avg":
      return new Fold(aggregateFnId, wrappedSum, (sum, count) => divideHalfUp(sum, BigInt(count)));
    case "min":
      return new Fold(aggregateFnId, (least, value) => (least === undefined || value < least ? value : least));
    case "max":
      return new Fold(aggregateFnId, (most, value) => (most === undefined || value > most ? value : most));
    case "count": {
      if (aggregateFnCtx === undefined) throw countWithoutContext();
      const matches = comparison(aggregateFnCtx);
      return new Fold(aggregateFnId, (found, value) => (found ?? 0n) + (matches(value) ? 1n : 0n));
    }
  }
}

class Fold implements Aggregator {
  readonly #name: AggregateFn;
  readonly #step: (state: bigint | undefined, value: bigint) => bigint;
  readonly #finish: (state: bigint, count: number) => bigint;
  #state: bigint | undefined;
  #count = 0;

  public constructor(
    name: AggregateFn,
    step: (state: bigint | undefined, value: bigint) => bigint,
    finish: (state: bigint, count: number) => bigint = (state) => state,
  ) {
    this.#name = name;
    this.#step = step;
    this.#finish = finish;
  }

  public get count(): number {
    return this.#count;
  }

  public add(value: bigint): void {
    this.#state = this.#step(this.#state, value);
    this.#count += 1;
  }

  public result(): bigint {
    if (this.#state === undefined) throw emptySet(this.#name);
    return this.#finish(this.#state, this.#count);
  }
}

function wrappedSum(sum: bigint | undefined, value: bigint): bigint {
  return ((sum ?? 0n) + value) % MODULUS;
}

function divideHalfUp(sum: bigint, count: bigint): bigint {
  const quotient = sum / count;
  return 2n * (sum % count) >= count ? quotient + 1n : quotient;
}

function comparison({ operator, valueToCompare }: AggregateContext): (value: bigint) => boolean {
  const compare: Record<Operator, (value: bigint) => boolean> = {
    eq: (value) => value === valueToCompare,
    nq: (value) => value !== valueToCompare,
    gt: (value) => value > valueToCompare,
    gteq: (value) => value >= valueToCompare,
    lt: (value) => value < valueToCompare,
    lteq: (value) => value <= valueToCompare,
  };
  return compare[operator];
}

/** No prover can prove an aggregate of nothing: the sources disagree on its value, and one refuses it. */
function emptySet(name: AggregateFn): HdpError {
  return new HdpError({
    code: "HDP-4305",
    message: `${name} has no values: the task selects no element`,
    hints: ["Widen the range, or include the transaction types that the block holds through includedTypes."],
  });
}

function countWithoutContext(): HdpError {
  return new HdpError({
    code: "HDP-4306",
    message: "count has no operator and value to compare with",
    hints: ['Give aggregateFnCtx, for instance { operator: "gteq", valueToCompare: 1000n }.'],
  });
}
