import { expect } from "chai";
import { network } from "hardhat";

import { FEE_FORM, FEE_RESULT, FEE_TASK } from "./fixtures.js";

const task = { hash: FEE_TASK, form: FEE_FORM } as const;

describe("FeeGate", () => {
  it("opens at the computed result", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.store.current();
    const gate = await viem.deployContract("FeeGate", [store.address, task]);
    expect(await hdp.task("tasks/fee.json")).to.deep.equal(task);
    const [{ value }] = await hdp.run("tasks/fee.json");
    expect(value).to.equal(FEE_RESULT);
    await gate.write.update([value]);
    expect(await gate.read.isOpen()).to.equal(true);
  });

  it("shuts above ten gwei", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.store.current();
    const gate = await viem.deployContract("FeeGate", [store.address, task]);
    const { value } = await hdp.finalize("tasks/fee.json", 10_000_000_001n);
    await gate.write.update([value]);
    expect(await gate.read.isOpen()).to.equal(false);
  });
});
