import assert from "node:assert/strict";

import { network } from "hardhat";
import { parseGwei } from "viem";

const FEE = "tasks/l2-fee.json";

describe("DepositGate", () => {
  async function deploy() {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const gate = await viem.deployContract("DepositGate", [store.address, await hdp.task(FEE)]);
    return { hdp, gate };
  }

  it("opens over proven headers of the layer 2", async () => {
    const { hdp, gate } = await deploy();
    const [{ value, proven }] = await hdp.run(FEE);
    assert.deepEqual({ value, proven }, { value: parseGwei("0.003"), proven: true });
    await gate.write.update([value]);
    assert.equal(await gate.read.isOpen(), true);
  });

  it("stays shut over a higher fee", async () => {
    const { hdp, gate } = await deploy();
    const { value } = await hdp.finalize(FEE, parseGwei("0.02"));
    await gate.write.update([value]);
    assert.equal(await gate.read.isOpen(), false);
  });
});
