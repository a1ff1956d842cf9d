import { expect } from "chai";

import {
  type DatalakeComputeTask,
  describeTask,
  parseTask,
  visitedElements,
} from "../../src/entries/request.js";
import { ALL_TYPES, blockTask, transactionTask } from "./documents.js";

function findDatalake(json: unknown) {
  const task = parseTask(json);
  if (task.type !== "DatalakeCompute") throw new Error("not a datalake task");
  return (task satisfies DatalakeComputeTask).datalake;
}

describe("the description of a task", () => {
  it("names the samples and their blocks", () => {
    expect(
      describeTask(
        parseTask(
          blockTask({
            blockRangeStart: 0,
            blockRangeEnd: 63,
            sampledProperty: "header.base_fee_per_gas",
          }),
        ),
      ),
    ).to.deep.equal({
      title: "average of header.base_fee_per_gas",
      lines: ["blocks 0..63 on ETHEREUM_SEPOLIA, 64 samples, step 1"],
      warnings: [],
    });
    expect(describeTask(parseTask(blockTask({ blockRangeStart: 20 }))).lines).to.deep.equal([
      "block 20 on ETHEREUM_SEPOLIA, 1 sample, step 1",
    ]);
  });

  it("names the last visited block", () => {
    const task = parseTask(
      blockTask(
        { blockRangeStart: 1000, blockRangeEnd: 2000, increment: 300 },
        { aggregateFnId: "count", aggregateFnCtx: { operator: "lteq", valueToCompare: 1234567 } },
      ),
    );
    expect(describeTask(task)).to.deep.equal({
      title: "count of header.timestamp ≤ 1,234,567",
      lines: ["blocks 1,000..1,900 on ETHEREUM_SEPOLIA, 4 samples, step 300"],
      warnings: [],
    });
  });

  it("names the whole range where a step past it visits one element alone", () => {
    const ofBlocks = parseTask(
      blockTask({ blockRangeStart: 1000, blockRangeEnd: 1012, increment: 240 }),
    );
    expect(describeTask(ofBlocks).lines).to.deep.equal([
      "blocks 1,000..1,012 on ETHEREUM_SEPOLIA, 1 sample, step 240",
    ]);
    const ofTransactions = parseTask(transactionTask({ increment: 100 }));
    expect(describeTask(ofTransactions).lines[0]).to.equal(
      "transactions 12..52 of block 5,605,816 on ETHEREUM_SEPOLIA, 1 transaction visited, step 100 (endIndex 53 is exclusive)",
    );
  });
  it("names the visited transactions and the included types", () => {
    expect(describeTask(parseTask(transactionTask()))).to.deep.equal({
      title: "maximum of tx.nonce",
      lines: [
        "transactions 12..52 of block 5,605,816 on ETHEREUM_SEPOLIA, 41 transactions visited, step 1 (endIndex 53 is exclusive)",
        "all four transaction types take part",
      ],
      warnings: [],
    });
    const some = { ...ALL_TYPES, legacy: false, eip2930: false };
    expect(
      describeTask(parseTask(transactionTask({ endIndex: 13, includedTypes: some }))).lines,
    ).to.deep.equal([
      "transaction 12 of block 5,605,816 on ETHEREUM_SEPOLIA, 1 transaction visited, step 1 (endIndex 13 is exclusive)",
      "only eip1559, eip4844 transactions take part; others are dropped, not replaced",
    ]);
  });

  it("counts the public inputs of a module", () => {
    const inputs = [
      { visibility: "public", value: "0x1" },
      { visibility: "private", value: "0x2" },
    ];
    expect(describeTask(parseTask({ type: "Module", programHash: "0xaf", inputs }))).to.deep.equal({
      title: "module 0xaf",
      lines: ["2 inputs: 1 public, 1 private"],
      warnings: [],
    });
  });

  it("counts the visited elements", () => {
    expect(visitedElements(findDatalake(blockTask({ increment: 4 })))).to.deep.equal({
      count: 3n,
      first: 10n,
      last: 18n,
      step: 4n,
    });
    expect(visitedElements(findDatalake(blockTask({ increment: 10 })))).to.include({
      count: 2n,
      last: 20n,
    });
    expect(visitedElements(findDatalake(transactionTask({ increment: 10 })))).to.include({
      count: 5n,
      last: 52n,
    });
    expect(visitedElements(findDatalake(transactionTask({ increment: 41 })))).to.include({
      count: 1n,
      last: 12n,
    });
  });

  it("names the comparison of a count, and the number of private inputs", () => {
    const title = (compute: object): string =>
      describeTask(parseTask(blockTask({}, { ...compute }))).title;
    const context = { operator: "gt", valueToCompare: "5" };
    expect(title({ aggregateFnId: "count", aggregateFnCtx: context })).to.equal(
      "count of header.timestamp > 5",
    );
    expect(title({ aggregateFnId: "sum" })).to.equal("sum of header.timestamp");
    const inputs = ["private", "private", "public"].map((visibility) => ({
      visibility,
      value: "0x1",
    }));
    const lines = (count: number): readonly string[] =>
      describeTask(
        parseTask({ type: "Module", programHash: "0x1", inputs: inputs.slice(0, count) }),
      ).lines;
    expect(lines(3)).to.deep.equal(["3 inputs: 1 public, 2 private"]);
    expect(lines(1)).to.deep.equal(["1 input: 0 public, 1 private"]);
    expect(lines(0)).to.deep.equal(["0 inputs: 0 public, 0 private"]);
  });
});
