import { expect } from "chai";
import fc from "fast-check";

import {
  asModule,
  blockSampled,
  type DatalakeComputeTask,
  findDatalake,
  describeTask,
  taskForm,
  HDP_FORM,
  header,
  inForm,
  moduleTask,
  rootOfValue,
  taskHash,
  valueWord,
  writtenTask,
} from "../../src/entries/request.js";
import { spokenValue } from "../../src/request/describe-task.js";
import { hdpThrown } from "../support/failure.js";
import { datalakeTask } from "./arbitrary-tasks.js";

const task = blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg();
const module = moduleTask({ programHash: "0x123", inputs: [1n] });

describe("the forms of a task", () => {
  it("keep a datalake task as it is, or pass it to a standard program", () => {
    expect(inForm(task, "datalake")).to.equal(task);
    expect(inForm(task, "module")).to.deep.equal(asModule(task));
    expect(taskHash(inForm(task, "module"))).not.to.equal(taskHash(task));
  });

  it("lists one form for a module of the user", () => {
    expect(inForm(module, "datalake")).to.equal(module);
    expect(inForm(module, "module")).to.equal(module);
    expect([taskForm(task), taskForm(asModule(task)), taskForm(module)]).to.deep.equal([
      "datalake",
      "module",
      "module",
    ]);
  });

  it("lead back to the task that the user wrote, for every task that has a module form", () => {
    fc.assert(
      fc.property(datalakeTask, (any) => {
        const form = hdpOr(() => inForm(any, "module"));
        if (form === undefined) return;
        expect(taskHash(inForm(writtenTask(form), "module"))).to.equal(taskHash(form));
        expect(describeTask(form)).to.deep.equal(describeTask(writtenTask(form)));
      }),
    );
    expect(findDatalake(module)).to.equal(undefined);
    expect(writtenTask(module)).to.equal(module);
  });

  it("show the same title, unit and sentence", () => {
    expect(describeTask(asModule(task))).to.deep.equal(describeTask(task));
    expect(spokenValue(7n * 10n ** 9n, asModule(task))).to.equal("7 gwei on average");
  });

  it("refuse a field that is no integer in the module form", () => {
    const bloom: DatalakeComputeTask = {
      type: "DatalakeCompute",
      datalake: {
        type: "BlockSampled",
        chainId: "ETHEREUM_SEPOLIA",
        blockRangeStart: 0n,
        blockRangeEnd: 1n,
        increment: 1n,
        sampledProperty: { kind: "header", field: "logs_bloom" },
      },
      compute: { aggregateFnId: "avg" },
    };
    expect(hdpThrown(() => inForm(bloom, "module")).code).to.equal("HDP-1129");
  });

  it("keep the value as the word, or the root over its marked halves", () => {
    expect(valueWord(7n, "datalake")).to.equal(`0x${"7".padStart(64, "0")}`);
    expect(valueWord(7n, "module")).to.equal(rootOfValue(7n));
    expect(hdpThrown(() => valueWord(-1n, "datalake")).code).to.equal("HDP-1113");
    expect(hdpThrown(() => valueWord(1n << 256n, "module")).code).to.equal("HDP-1113");
  });

  it("matches the numbers of the contracts", () => {
    expect(HDP_FORM).to.deep.equal({ datalake: 0, module: 1 });
  });
});

function hdpOr<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
