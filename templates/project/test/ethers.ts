import assert from "node:assert/strict";

import { network } from "hardhat";

describe("FeeGate", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, ethers } = await network.create();
    const store = await hdp.deployExecutionStore();
    const gate = await ethers.deployContract("FeeGate", [store.address]);
    const [{ taskHash }] = await hdp.run("tasks/fee.json");
    assert.equal(await gate.getFunction("isOpen")(taskHash), true);
  });

  it("stays shut over a value of our choice", async () => {
    const { hdp, ethers } = await network.create();
    const store = await hdp.deployExecutionStore();
    const gate = await ethers.deployContract("FeeGate", [store.address]);
    const { taskHash } = await hdp.finalize(`0x${"11".repeat(32)}`, 101n * 10n ** 9n);
    assert.equal(await gate.getFunction("isOpen")(taskHash), false);
  });
});
