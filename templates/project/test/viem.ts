import assert from "node:assert/strict";

import { network } from "hardhat";

const DATALAKE_FORM = 0; // of HdpForm: what the local data processor stores

describe("FeeGate", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const [{ taskHash, value }] = await hdp.run("tasks/fee.json");
    const task = { hash: taskHash, form: DATALAKE_FORM };
    const gate = await viem.deployContract("FeeGate", [store.address, task]);
    await gate.write.update([value]);
    assert.equal(await gate.read.isOpen(), true);
  });

  it("stays shut over a value of our choice", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const { taskHash, value } = await hdp.finalize("tasks/fee.json", 101n * 10n ** 9n);
    const task = { hash: taskHash, form: DATALAKE_FORM };
    const gate = await viem.deployContract("FeeGate", [store.address, task]);
    await gate.write.update([value]);
    assert.equal(await gate.read.isOpen(), false);
  });
});
