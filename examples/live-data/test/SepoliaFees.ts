import assert from "node:assert/strict";

import { network } from "hardhat";
import { blockSampled, header } from "hardhat-hdp/request";
import { parseGwei } from "viem";

describe("SepoliaFees", () => {
  it("refunds at the average of recorded blocks of Sepolia, offline", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    await hdp.replay("recordings/sepolia.json");
    const [{ value, samples, proven }] = await hdp.run("tasks/fees.json");
    assert.deepEqual(
      { value, samples, proven },
      { value: parseGwei("12.465464553"), samples: 11, proven: true },
    );

    const task = await hdp.task("tasks/fees.json");
    const fees = await viem.deployContract("SepoliaFees", [store.address, task]);
    await assert.rejects(fees.read.refund([21_000n]), /NotUpdated/);
    await fees.write.update([value]);
    assert.equal(await fees.read.refund([21_000n]), 21_000n * parseGwei("12.465464553"));
  });

  it("reads nothing that was not recorded", async () => {
    const { hdp } = await network.create();
    await hdp.replay("recordings/sepolia.json");
    const other = blockSampled({
      from: 5858986,
      to: 5858987,
      property: header("base_fee_per_gas"),
    }).avg();
    await assert.rejects(hdp.run(other), /HDP-4604/);
  });
});
