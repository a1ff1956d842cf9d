import assert from "node:assert/strict";

import { network } from "hardhat";

const DATALAKE_FORM = 0; // of HdpForm: what the local data processor stores

describe("FeeGate", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, ethers } = await network.create();
    const store = await hdp.deployExecutionStore();
    const [{ taskHash, value }] = await hdp.run("tasks/fee.json");
    const task = { hash: taskHash, form: DATALAKE_FORM };
    const gate = await ethers.deployContract("FeeGate", [store.address, task]);
    await gate.getFunction("update")(value);
    assert.equal(await gate.getFunction("isOpen")(), true);
  });

  it("stays shut over a value of our choice", async () => {
    const { hdp, ethers } = await network.create();
    const store = await hdp.deployExecutionStore();
    const { taskHash, value } = await hdp.finalize("tasks/fee.json", 101n * 10n ** 9n);
    const task = { hash: taskHash, form: DATALAKE_FORM };
    const gate = await ethers.deployContract("FeeGate", [store.address, task]);
    await gate.getFunction("update")(value);
    assert.equal(await gate.getFunction("isOpen")(), false);
  });
});
