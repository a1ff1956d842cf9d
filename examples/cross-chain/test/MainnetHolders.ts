import assert from "node:assert/strict";

import { network } from "hardhat";
import { parseEther } from "viem";

describe("MainnetHolders", () => {
  async function deploy() {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const task = await hdp.task("tasks/balance.json");
    const holders = await viem.deployContract("MainnetHolders", [store.address, task.form, 0n]);
    const [holder] = await viem.getWalletClients();
    return { hdp, holders, task, address: holder.account.address };
  }

  it("admits by the balance on the source chain", async () => {
    const { hdp, holders, task, address } = await deploy();
    assert.deepEqual(await holders.read.balanceTask([address]), task);
    const [{ value, proven }] = await hdp.run("tasks/balance.json");
    // Here the account has 10,000 ether: these 250 are those of the network "ethereum".
    assert.deepEqual({ value, proven }, { value: parseEther("250"), proven: true });
    await holders.write.enter([value]);
    assert.equal(await holders.read.admitted([address]), true);
  });

  it("keeps out who held too little", async () => {
    const { hdp, holders } = await deploy();
    const { value } = await hdp.finalize("tasks/balance.json", 7n);
    await assert.rejects(holders.write.enter([parseEther("250")]), /WrongValue/);
    await assert.rejects(holders.write.enter([value]), /HeldTooLittle/);
  });
});
