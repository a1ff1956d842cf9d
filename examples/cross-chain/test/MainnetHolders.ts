import assert from "node:assert/strict";

import { network } from "hardhat";
import { account, blockSampled } from "hardhat-hdp/request";
import { parseEther } from "viem";

describe("MainnetHolders", () => {
  async function deploy() {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const holders = await viem.deployContract("MainnetHolders", [store.address, 0n]);
    const [holder] = await viem.getWalletClients();
    return { hdp, holders, address: holder.account.address };
  }

  it("admits by the balance on the source chain", async () => {
    const { hdp, holders, address } = await deploy();
    const [{ taskHash, value, proven }] = await hdp.run("tasks/balance.json");
    assert.equal(taskHash, await holders.read.balanceTask([address]));
    // Here the account has 10,000 ether: these 250 are those of the network "ethereum".
    assert.deepEqual({ value, proven }, { value: parseEther("250"), proven: true });
    await holders.write.enter();
    assert.equal(await holders.read.admitted([address]), true);
  });

  it("keeps out who held too little", async () => {
    const { hdp, holders, address } = await deploy();
    await hdp.finalize(
      blockSampled({ from: 0, to: 0, property: account(address, "balance") }).min(),
      7n,
    );
    await assert.rejects(holders.write.enter(), /HeldTooLittle/);
  });
});
