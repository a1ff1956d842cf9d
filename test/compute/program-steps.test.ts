import { readFileSync } from "node:fs";

import { expect } from "chai";

import {
  asModule,
  type DatalakeComputeTask,
  parseTask,
  standardProgram,
} from "../../src/entries/request.js";
import { runModule } from "../../src/entries/local.js";
import { standardClass } from "../../src/program/standard-classes.js";
import { ALL_TYPES, blockTask, transactionTask } from "../request/documents.js";

const HOLDER = "0x7f2c6f930306d3aa736b3a6c6a98f512f74036d4";
const SAMPLES = 100;

const OPERATORS = ["eq", "nq", "gt", "gteq", "lt", "lteq"];
const COMPUTES = [
  ...["avg", "sum", "min", "max"].map((aggregateFnId) => ({ aggregateFnId })),
  ...OPERATORS.map((operator) => ({
    aggregateFnId: "count",
    aggregateFnCtx: { operator, valueToCompare: "50" },
  })),
];

/** Steps of a run over `samples` elements; each read answers another number. */
async function stepsOf(task: DatalakeComputeTask): Promise<number> {
  const { programHash, inputs } = asModule(task);
  const program = standardProgram(programHash);
  if (program === undefined) throw new TypeError("not a standard program");
  const run = await runModule(await standardClass(program), {
    inputs,
    leadingFelts: 8,
    generation: "head",
    // A success is 0 or 1; other numbers rise and fall, so that minimum and maximum change.
    read: (read) => {
      if (read.field === "type") return 2n;
      const at = "index" in read ? BigInt(read.index) : read.block;
      return read.field === "status" ? at % 2n : (at * 37n) % 101n;
    },
  });
  expect(run.status).to.equal("returned");
  return run.steps;
}

function parsed(json: unknown): DatalakeComputeTask {
  const task = parseTask(json);
  if (task.type !== "DatalakeCompute") throw new TypeError("not a datalake task");
  return task;
}

/** The steps that each further sample costs at least and at most, over all functions. */
async function costs(
  jsonOf: (samples: number, compute: object) => unknown,
): Promise<readonly [number, number]> {
  const each: number[] = [];
  for (const compute of COMPUTES) {
    const [one, many] = [
      await stepsOf(parsed(jsonOf(1, compute))),
      await stepsOf(parsed(jsonOf(SAMPLES + 1, compute))),
    ];
    each.push((many - one) / SAMPLES);
  }
  return [Math.floor(Math.min(...each)), Math.ceil(Math.max(...each))];
}

describe("steps of the standard programs", () => {
  const page = readFileSync(new URL("../../docs/task-forms.md", import.meta.url), "utf8");
  const blocks = (sampledProperty: string) => (samples: number, compute: object) =>
    blockTask({ blockRangeStart: 1, blockRangeEnd: samples, sampledProperty }, { ...compute });
  const transactions =
    (sampledProperty: string, includedTypes: object = ALL_TYPES) =>
    (samples: number, compute: object) => ({
      ...transactionTask({ startIndex: 0, endIndex: samples, includedTypes, sampledProperty }),
      compute,
    });
  const rows: Readonly<Record<string, readonly ((samples: number, compute: object) => unknown)[]>> =
    {
      "a block": [
        blocks("header.base_fee_per_gas"),
        blocks(`account.${HOLDER}.balance`),
        blocks(`storage.${HOLDER}.0x${"0".repeat(64)}`),
      ],
      "a transaction": [
        transactions("tx.max_fee_per_gas", { ...ALL_TYPES, legacy: false, eip2930: false }),
        transactions("tx_receipt.success"),
        transactions("tx_receipt.cumulative_gas_used"),
      ],
    };

  for (const [what, tasks] of Object.entries(rows)) {
    it(`takes the steps that docs/task-forms.md says, for ${what}`, async () => {
      const all = (await Promise.all(tasks.map(costs))).flat();
      const [least, most] = [Math.min(...all), Math.max(...all)];
      expect(page).to.match(new RegExp(`\\| ${what} +\\| ${least} to ${most} +\\|`));
    });
  }
});
