import assert from "node:assert/strict";

import { network } from "hardhat";

describe("FeeGate", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, ethers } = await network.create();
    const store = await hdp.deployExecutionStore();
    const task = await hdp.task("tasks/fee.json");
    const gate = await ethers.deployContract("FeeGate", [store.address, task]);
    const [{ value }] = await hdp.run("tasks/fee.json");
    await gate.getFunction("update")(value);
    assert.equal(await gate.getFunction("isOpen")(), true);
  });

  it("stays shut over a value of our choice", async () => {
    const { hdp, ethers } = await network.create();
    const store = await hdp.deployExecutionStore();
    const task = await hdp.task("tasks/fee.json");
    const gate = await ethers.deployContract("FeeGate", [store.address, task]);
    const { value } = await hdp.finalize("tasks/fee.json", 101n * 10n ** 9n);
    await gate.getFunction("update")(value);
    assert.equal(await gate.getFunction("isOpen")(), false);
  });
});
