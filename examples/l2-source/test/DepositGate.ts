import assert from "node:assert/strict";

import { network } from "hardhat";
import { blockSampled, header, taskHash } from "hardhat-hdp/request";
import { parseGwei } from "viem";

// The task of tasks/l2-fee.json.
const fee = blockSampled({
  from: 0,
  to: 0,
  property: header("base_fee_per_gas"),
  chainId: "OPTIMISM_SEPOLIA",
}).max();

describe("DepositGate", () => {
  async function deploy() {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const gate = await viem.deployContract("DepositGate", [store.address, taskHash(fee)]);
    return { hdp, gate };
  }

  it("opens over proven headers of the layer 2", async () => {
    const { hdp, gate } = await deploy();
    const [{ taskHash, value, proven }] = await hdp.run("tasks/l2-fee.json");
    assert.equal(taskHash, await gate.read.feeTask());
    assert.deepEqual({ value, proven }, { value: parseGwei("0.003"), proven: true });
    assert.equal(await gate.read.isOpen(), true);
  });

  it("stays shut over a higher fee", async () => {
    const { hdp, gate } = await deploy();
    await hdp.finalize(fee, parseGwei("0.02"));
    assert.equal(await gate.read.isOpen(), false);
  });
});
