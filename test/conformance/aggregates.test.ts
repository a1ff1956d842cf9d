import { expect } from "chai";
import { z } from "zod";

import { createAggregator } from "../../src/entries/local.js";
import { OPERATORS } from "../../src/entries/request.js";
import { readFigures } from "../support/vectors.js";

const vectors = z.array(
  z.object({
    id: z.string(),
    compute: z.object({
      aggregateFnId: z.enum(["avg", "sum", "min", "max", "count"]),
      aggregateFnCtx: z
        .object({ operator: z.enum(OPERATORS), valueToCompare: z.string().transform(BigInt) })
        .optional(),
    }),
    values: z.array(z.string().transform(BigInt)),
    expected: z.union([z.object({ result: z.string() }), z.object({ error: z.literal(true) })]),
  }),
);

describe("published aggregates", () => {
  for (const { id, compute, values, expected } of readFigures("aggregates.json", vectors)) {
    it(`${id}: ${compute.aggregateFnId} of ${values.length}`, () => {
      const { aggregateFnId, aggregateFnCtx } = compute;
      const aggregator = createAggregator({
        aggregateFnId,
        ...(aggregateFnCtx === undefined ? {} : { aggregateFnCtx }),
      });
      for (const value of values) aggregator.add(value);
      if ("error" in expected) expect(() => aggregator.result()).to.throw("HDP-4305");
      else expect(aggregator.result().toString()).to.equal(expected.result);
    });
  }
});
