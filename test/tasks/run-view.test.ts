import { expect } from "chai";

import type { ModuleProfile } from "../../src/types.js";
import type { Explanation } from "../../src/entries/local.js";
import { blockSampled, header, rootOfValue } from "../../src/entries/request.js";
import type { InspectedModule } from "../../src/plugin/local-node.js";
import { runView } from "../../src/tasks/ui/run-page.js";

const WORD = `0x${"0".repeat(63)}7` as const;

describe("the view of a run", () => {
  it("shows the samples of a datalake side by side, and says which are not proven and what the others rest on", () => {
    const task = blockSampled({ from: 4, to: 5, property: header("base_fee_per_gas") }).avg();
    const explanation: Explanation = {
      task,
      taskHash: "0x1",
      form: "datalake",
      unit: "block",
      elements: 2n,
      value: 7n,
      proven: false,
      samples: [
        { position: 4n, value: 6n, proven: true, aggregate: 6n },
        { position: 5n, value: 8n, proven: false, aggregate: 7n },
      ],
      anchor: { kind: "checkpoint", number: 9n, hash: "0x2" },
    };
    expect(runView(explanation)).to.deep.equal({
      title: "average of header.base_fee_per_gas",
      taskHash: "0x1",
      proven: false,
      value: "7",
      word: WORD,
      lines: ["blocks 4..5 on ETHEREUM_SEPOLIA, 2 samples, step 1"],
      spoken: "0.000000007 gwei on average",
      anchor: "block 9 (0x2), the configured checkpoint",
      samples: {
        unit: "block",
        aggregate: "average",
        valueUnit: "gwei",
        isCount: false,
        unproven: [1],
        positions: ["4", "5"],
        values: ["6", "8"],
        aggregates: ["6", "7"],
        proof: "each header by its block hash",
      },
    });
    // What a store keeps for it in the module form.
    expect(runView({ ...explanation, form: "module" }).word).to.equal(rootOfValue(7n));
  });

  const read = {
    kind: "account",
    field: "balance",
    chainId: 1n,
    block: 3n,
    address: "0xab",
    felts: [5n],
  } as const;
  const base = {
    retdata: [7n],
    steps: 12,
    gas: 1n,
    reads: [],
    proven: true,
    leadingFelts: 8,
    generation: "head",
    printed: ["hello"],
    injectedState: [{ label: 0x61n, rootBefore: 1n, rootAfter: 2n, writes: [], proofs: [] }],
  } as const;
  const inspected = (run: object, others: object = {}): InspectedModule =>
    ({
      task: { type: "Module", programHash: "0x3", inputs: [] },
      dryRun: {
        run,
        reads: [{ ...read, proven: true }],
        proven: true,
        taskHash: "0x1",
        anchors: [],
        ...others,
      },
      profile: undefined,
    }) as unknown as InspectedModule;

  it("shows what a module returned, printed, read and changed, and the stored value", () => {
    const returned = { ...base, status: "returned", outputRoot: "0xroot", value: 7n };
    const anchors = [{ kind: "node", number: 9n, hash: "0x2" }];
    const view = runView(inspected(returned, { rule: "value", decoded: 7n, anchors }));
    expect(view).to.deep.include({ title: "module 0x3", value: "7", word: WORD, proven: true });
    expect(view.anchor).to.equal("block 9 (0x2), the head of the node's own chain");
    expect(view.module).to.deep.equal({
      status: "returned",
      steps: 12,
      generation: "head",
      printed: ["hello"],
      moreReads: 0,
      profile: undefined,
      reads: [{ what: "account.balance of 0xab, block 3 of chain 1: 5", proven: true }],
      state: [["a", "0x1", "0x2"]],
    });
    const rooted = runView(inspected(returned, { rule: "output-root" }));
    expect([rooted.word, rooted.value, rooted.anchor]).to.deep.equal(["0xroot", "0x7", undefined]);
  });

  it("shows the text of a panic", () => {
    const view = runView(inspected({ ...base, status: "panicked", message: "no blocks" }));
    expect([view.value, view.word, view.module?.status]).to.deep.equal([
      "no blocks",
      undefined,
      "panicked",
    ]);
  });

  it("shows a profile with each name once, and of very many stacks those that cost most", () => {
    const stacks = Array.from({ length: 7_000 }, (_, index) => ({
      frames: ["main", "f"],
      steps: index,
      waited: undefined,
    }));
    const reads = Array.from({ length: 1_200 }, (_, index) => ({
      frames: ["main", "read"],
      steps: 1,
      waited: index,
    }));
    const profile: ModuleProfile = {
      steps: 9,
      named: true,
      functions: [],
      stacks: [...reads, ...stacks],
    };
    const view = runView({ ...inspected({ ...base, status: "panicked", message: "" }), profile })
      .module?.profile;
    expect(view?.frames).to.deep.equal(["main", "f", "read"]);
    expect(view?.stacks).to.have.lengthOf(6_000);
    expect([view?.stacks[0], view?.stacks[5_000]]).to.deep.equal([
      [[0, 1], 6_999],
      [[0, 2], 1, 1_199],
    ]);
    expect(view).to.include({ steps: 9, named: true });
  });
});
