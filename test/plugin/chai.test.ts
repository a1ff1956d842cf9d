import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import "../../src/entries/chai.js";
import { blockSampled, header } from "../../src/entries/request.js";
import hardhatHdp from "../../src/index.js";

const task = blockSampled({ from: 0, to: 0, property: header("number") }).sum();

describe("matchers for chai", () => {
  for (const [name, value] of [
    ["finalized", 8n],
    ["notFinalized", undefined],
  ] as const) {
    it(`name the line of the test where a task is not as ${name} expects`, async () => {
      const { hdp } = await (
        await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] })
      ).network.create();
      await hdp.finalize(task, 7n);
      let failure: unknown;
      try {
        await (value === undefined
          ? expect(hdp).to.have.notFinalized(task)
          : expect(hdp).to.have.finalized(task, value));
      } catch (error) {
        failure = error;
      }
      expect(failure).to.be.instanceOf(Error).and.have.property("name", "AssertionError");
      expect(failure)
        .to.have.property("stack")
        .which.matches(/is finalized with 7[^]*chai\.test\.ts/);
    });
  }

  it("says which task is finalized instead", async () => {
    const { hdp } = await (
      await createHardhatRuntimeEnvironment({ plugins: [hardhatHdp] })
    ).network.create();
    await hdp.finalize(blockSampled({ from: 0, to: 1, property: header("number") }).sum(), 7n);
    const message = await expect(hdp)
      .to.have.finalized(task)
      .then(() => "", String);
    expect(message).to.match(
      /is not finalized[^]*Difference: blockRangeEnd \(asked: 0, there: 1\)/,
    );
  });
});
