import { expect } from "chai";
import { z } from "zod";

import { asModule, parseTask, valueFelts } from "../../src/entries/request.js";
import { HANDLES, runUnder } from "../compute/both-forms.js";
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

/** Legacy chain ids: the data processor does not return them. */
const UNREAD = "tx.chain_id";

describe("published datalake tasks in the module form, over their recorded chain data", () => {
  const reader = recordedReader(readFigures("chain-data.json", z.unknown()));
  let computed = 0;
  for (const { id, task: json, expected } of readFigures("datalake-tasks.json", vectors)) {
    const { result, sampledValues } = expected;
    if (result === undefined || sampledValues === undefined) continue;
    const task = parseTask(json);
    if (task.type !== "DatalakeCompute" || JSON.stringify(json).includes(UNREAD)) continue;
    computed += 1;
    it(`returns the published value under each handle: ${id}`, async () => {
      for (const handle of HANDLES) {
        const run = await runUnder(handle, asModule(task), reader);
        expect(run.retdata).to.deep.equal(valueFelts(BigInt(result)));
        expect(run.status).to.equal("returned");
      }
    });
  }
  it("computes as many tasks as the recording covers", () => {
    expect(computed).to.be.at.least(90);
  });
});
