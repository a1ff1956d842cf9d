import { expect } from "chai";
import { network } from "hardhat";

import { FEE_RESULT, FEE_TASK } from "./fixtures.js";

describe("FeeGate", () => {
  it("opens at the computed result", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.store.current();
    const gate = await viem.deployContract("FeeGate", [store.address, FEE_TASK]);
    const [{ taskHash, value }] = await hdp.run("tasks/fee.json");
    expect(taskHash).to.equal(FEE_TASK);
    expect(value).to.equal(FEE_RESULT);
    expect(await gate.read.isOpen()).to.equal(true);
  });

  it("shuts above ten gwei", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.store.current();
    const gate = await viem.deployContract("FeeGate", [store.address, FEE_TASK]);
    await hdp.finalize(FEE_TASK, 10_000_000_001n);
    expect(await gate.read.isOpen()).to.equal(false);
  });
});
