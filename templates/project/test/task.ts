import assert from "node:assert/strict";

import { network } from "hardhat";

describe("the task in tasks/fee.json", () => {
  it("is computed over the blocks of this chain", async () => {
    const { hdp } = await network.create();
    const [{ taskHash, value }] = await hdp.run("tasks/fee.json");
    assert.equal((await hdp.readResult(taskHash)).value, value);
  });

  it("has a value of our choice", async () => {
    const { hdp } = await network.create();
    const { taskHash } = await hdp.finalize("tasks/fee.json", 101n * 10n ** 9n);
    await hdp.assertions.finalized(taskHash, 101n * 10n ** 9n);
  });
});
