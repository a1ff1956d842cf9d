import { expect } from "chai";
import { z } from "zod";

import { parseTask } from "../../src/entries/request.js";
import { evaluateWith } from "../../src/entries/local.js";
import { recordedReader } from "../support/recorded-provider.js";
import { readFigures } from "../support/vectors.js";

const vectors = z.array(
  z.object({
    id: z.string(),
    task: z.record(z.unknown()),
    expected: z.object({
      result: z.string().optional(),
      sampledValues: z.array(z.string()).optional(),
    }),
  }),
);

describe("published datalake tasks over their recorded chain data", () => {
  const reader = recordedReader(readFigures("chain-data.json", z.unknown()));
  let evaluated = 0;
  for (const { id, task: json, expected } of readFigures("datalake-tasks.json", vectors)) {
    const { result, sampledValues } = expected;
    // Other published results were computed over blocks that nobody recorded.
    if (result === undefined || sampledValues === undefined) continue;
    evaluated += 1;
    it(id, async () => {
      const task = parseTask(json);
      if (task.type !== "DatalakeCompute") throw new Error("not a datalake task");
      const { warnings = [], ...evaluation } = await evaluateWith(reader, task);
      const { kind } = task.datalake.sampledProperty;
      expect(evaluation).to.deep.equal({
        value: BigInt(result),
        samples: sampledValues.length,
        proven: kind === "header",
      });
      // A slot that holds 0 is named, and nothing else is.
      const isZero = kind === "storage" && sampledValues.some((value) => BigInt(value) === 0n);
      expect(warnings.length).to.equal(isZero ? 1 : 0);
    });
  }
  it("evaluates as many tasks as the recording covers", () => {
    expect(evaluated).to.be.at.least(97);
  });
});
