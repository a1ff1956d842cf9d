import { expect } from "chai";
import fc from "fast-check";

import type { Compute, Operator, AggregateFn } from "../../src/entries/request.js";
import { createAggregator } from "../../src/entries/local.js";
import { expectThrown } from "../support/failure.js";

const MAX = (1n << 256n) - 1n;
const uint256 = fc.bigInt({ min: 0n, max: MAX });

function aggregate(compute: Compute, values: readonly bigint[]): bigint {
  const aggregator = createAggregator(compute);
  for (const value of values) aggregator.add(value);
  expect(aggregator.count).to.equal(values.length);
  return aggregator.result();
}

function count(operator: Operator, values: readonly bigint[]): bigint {
  return aggregate(
    { aggregateFnId: "count", aggregateFnCtx: { operator, valueToCompare: 5n } },
    values,
  );
}

describe("aggregates", () => {
  it("wraps a sum at 2^256", () => {
    expect(aggregate({ aggregateFnId: "sum" }, [MAX, 2n])).to.equal(1n);
  });

  it("averages the wrapped sum, halves up", () => {
    expect(aggregate({ aggregateFnId: "avg" }, [1n, 2n])).to.equal(2n);
    expect(aggregate({ aggregateFnId: "avg" }, [1n, 1n, 2n])).to.equal(1n);
    expect(aggregate({ aggregateFnId: "avg" }, [1n, 2n, 2n])).to.equal(2n);
    expect(aggregate({ aggregateFnId: "avg" }, [MAX, 4n])).to.equal(2n);
    expect(aggregate({ aggregateFnId: "avg" }, [0n, 0n])).to.equal(0n);
  });

  it("compares as unsigned", () => {
    expect(aggregate({ aggregateFnId: "min" }, [MAX, 1n])).to.equal(1n);
    expect(aggregate({ aggregateFnId: "max" }, [1n, MAX, 2n])).to.equal(MAX);
    const values = [4n, 5n, 5n, 6n, MAX];
    expect(count("eq", values)).to.equal(2n);
    expect(count("nq", values)).to.equal(3n);
    expect(count("gt", values)).to.equal(2n);
    expect(count("gteq", values)).to.equal(4n);
    expect(count("lt", values)).to.equal(1n);
    expect(count("lteq", values)).to.equal(3n);
  });

  it("refuses an empty set in every function", () => {
    const context = { operator: "eq", valueToCompare: 0n } as const;
    for (const aggregateFnId of ["avg", "sum", "min", "max", "count"] satisfies AggregateFn[]) {
      expect(() => aggregate({ aggregateFnId, aggregateFnCtx: context }, [])).to.throw(
        `HDP-4305: ${aggregateFnId} has no values`,
      );
    }
  });

  it("refuses a count without a value to compare with", () => {
    expectThrown(
      () => createAggregator({ aggregateFnId: "count" }),
      "HDP-1107",
      undefined,
      "aggregateFnCtx",
    );
  });

  it("gives the nearest integer to the true mean where the sum does not wrap", () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 0n, max: MAX >> 16n }), { minLength: 1, maxLength: 50 }),
        (values) => {
          const n = BigInt(values.length);
          const twiceError =
            2n * (aggregate({ aggregateFnId: "avg" }, values) * n - values.reduce((a, b) => a + b));
          expect(twiceError <= n && twiceError > -n).to.equal(true);
        },
      ),
    );
  });

  it("returns the same value in any order of the samples", () => {
    fc.assert(
      fc.property(fc.array(uint256, { minLength: 1, maxLength: 20 }), (values) => {
        for (const aggregateFnId of ["avg", "sum", "min", "max"] as const) {
          expect(aggregate({ aggregateFnId }, values)).to.equal(
            aggregate({ aggregateFnId }, [...values].reverse()),
          );
        }
      }),
    );
  });
});
