import { expect } from "chai";

import { numericChainId, parseTask } from "../../src/entries/request.js";
import { moduleRunner } from "../../src/entries/local.js";
import {
  MODULE_VECTORS,
  RecordedChain,
  moduleCases,
  moduleClass,
} from "../support/module-cases.js";

/** The word that a submission stores, by the rule of the published runs' time. */
describe("conformance: words of module tasks", () => {
  it("returns the published results, read through the readers of the local data processor", async function () {
    const cases = moduleCases("cases.json");
    if (cases === undefined) {
      console.log(`      skipped: no vectors at ${MODULE_VECTORS}`);
      this.skip();
    }
    let starknet = 0;
    for (const item of cases) {
      const chain = new RecordedChain(item.reads);
      const run = moduleRunner({
        programFor: async (programHash) => ({
          compiledClassJson: moduleClass("classes", programHash),
          generation: item.convention,
        }),
        // As the service of their time stored them.
        result: "auto",
        starknetReaderFor: async (chainId) => {
          starknet += 1;
          return chain.starknetReader(chainId);
        },
      });
      const task = parseTask({
        type: "Module",
        programHash: item.programHash,
        inputs: item.inputs,
      });
      if (task.type !== "Module") throw new Error("not a module task");
      const { word, proven, module } = await run(task, {
        readerFor: async (name) => chain.reader(numericChainId(name)),
        signal: new AbortController().signal,
      });
      expect(BigInt(word), item.id).to.equal(BigInt(item.expected.result?.decimal ?? -1n));
      expect(module, item.id).to.include({ rule: "value", generation: item.convention });
      expect(proven).to.equal(true);
    }
    expect(cases.length).to.be.greaterThan(50);
    expect(starknet).to.be.greaterThan(0);
  });
});
