import { expect } from "chai";
import { network } from "hardhat";

const TASK = "0x66555ef49c5b8a40a8ecf506f30f2085c17be05198787b814a0eded6a390a330";

describe("FeeGate", () => {
  it("opens at the computed result", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.store();
    const gate = await viem.deployContract("FeeGate", [store.address]);
    const { taskHash, value } = await hdp.run("tasks/fee.json");
    expect(taskHash).to.equal(TASK);
    expect(value).to.equal(7_000_000_000n);
    expect(await gate.read.isOpen([taskHash])).to.equal(true);
  });

  it("shuts above ten gwei", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.store();
    const gate = await viem.deployContract("FeeGate", [store.address]);
    await hdp.finalize(TASK, 10_000_000_001n);
    expect(await gate.read.isOpen([TASK])).to.equal(false);
  });
});
