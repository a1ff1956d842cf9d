import assert from "node:assert/strict";

import { network } from "hardhat";
import { account, blockSampled } from "hardhat-hdp/request";
import { numberToHex, parseEther } from "viem";

describe("Airdrop", () => {
  it("credits the smallest balance over the sampled blocks, once", async () => {
    const { hdp, viem, provider } = await network.create();
    const [holder] = await viem.getWalletClients();
    const { address } = holder.account;
    // A set balance belongs to the next mined block: blocks 2, 5 and 8 are sampled.
    for (const ether of ["30", "12", "5000"]) {
      const balance = numberToHex(parseEther(ether));
      await provider.request({ method: "hardhat_setBalance", params: [address, balance] });
      await hdp.mine(3);
    }
    const store = await hdp.deployExecutionStore();
    const task = await hdp.task("tasks/share.json");
    const airdrop = await viem.deployContract("Airdrop", [store.address, task.form, 2n, 8n, 3n]);
    assert.deepEqual(await airdrop.read.shareTask([address]), task);
    const [{ value, samples, proven }] = await hdp.run("tasks/share.json");
    assert.deepEqual(
      { value, samples, proven },
      { value: parseEther("12"), samples: 3, proven: true },
    );

    await assert.rejects(airdrop.write.claim([address, parseEther("30")]), /WrongValue/);
    await airdrop.write.claim([address, value]);
    assert.equal(await airdrop.read.points([address]), 12n);
    await assert.rejects(airdrop.write.claim([address, value]), /AlreadyClaimed/);
  });

  it("credits no points once, too: a claim of 0 is not repeated", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const task = await hdp.task("tasks/share.json");
    const airdrop = await viem.deployContract("Airdrop", [store.address, task.form, 2n, 8n, 3n]);
    const [holder] = await viem.getWalletClients();
    await hdp.finalize("tasks/share.json", 5n);
    await airdrop.write.claim([holder.account.address, 5n]);
    assert.equal(await airdrop.read.points([holder.account.address]), 0n);
    await hdp.finalize("tasks/share.json", parseEther("7"));
    const again = airdrop.write.claim([holder.account.address, parseEther("7")]);
    await assert.rejects(again, /AlreadyClaimed/);
  });

  it("ignores a task over fewer blocks", async () => {
    const { hdp, viem } = await network.create();
    const [holder] = await viem.getWalletClients();
    const { address } = holder.account;
    const store = await hdp.deployExecutionStore();
    const shorter = blockSampled({ from: 8, to: 8, property: account(address, "balance") }).min();
    const { form } = await hdp.task(shorter);
    const airdrop = await viem.deployContract("Airdrop", [store.address, form, 2n, 8n, 3n]);
    const { value } = await hdp.finalize(shorter, parseEther("5000"));
    await assert.rejects(airdrop.write.claim([address, value]), /NotFinalized/);
  });
});
