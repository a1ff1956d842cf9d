import assert from "node:assert/strict";

import { network } from "hardhat";
import { blockSampled, header, taskHash } from "hardhat-hdp/request";
import { parseEther, parseGwei } from "viem";

// The task of tasks/fees.json.
const fees = blockSampled({
  from: 10,
  to: 30,
  increment: 5,
  property: header("base_fee_per_gas"),
}).avg();

describe("GasInsurance", () => {
  async function insure() {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const insured = "0x000000000000000000000000000000000000bEEF";
    const terms = [store.address, taskHash(fees), parseGwei("50"), insured] as const;
    const insurance = await viem.deployContract("GasInsurance", terms, { value: parseEther("1") });
    const client = await viem.getPublicClient();
    return { hdp, insurance, paid: async () => await client.getBalance({ address: insured }) };
  }

  it("pays the insured after expensive blocks", async () => {
    const { hdp, insurance, paid } = await insure();
    await hdp.mine(40, { baseFee: parseGwei("80") });
    const [{ taskHash, value }] = await hdp.run("tasks/fees.json");
    assert.equal(taskHash, await insurance.read.feeTask());
    assert.equal(value, parseGwei("80"));
    await insurance.write.settle();
    assert.equal(await paid(), parseEther("1"));
  });

  it("pays the insurer after cheap ones", async () => {
    const { hdp, insurance, paid } = await insure();
    await hdp.finalize(fees, parseGwei("50"));
    await insurance.write.settle();
    assert.equal(await paid(), 0n);
  });

  it("waits for the result", async () => {
    const { insurance } = await insure();
    await assert.rejects(insurance.write.settle(), /NotFinalized/);
  });
});
