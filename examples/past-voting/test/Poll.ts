import assert from "node:assert/strict";

import { network } from "hardhat";
import { numberToHex } from "viem";

// As in tasks/power.json: the balance of the first account, where balances are the token's slot 0.
const TOKEN = "0x7070707070707070707070707070707070707070";
const BALANCE = "0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722";

const CLOSES = 4_000_000_000n;

describe("Poll", () => {
  async function poll() {
    const { hdp, viem, provider } = await network.create();
    const hold = async (amount: bigint) =>
      await provider.request({
        method: "hardhat_setStorageAt",
        params: [TOKEN, BALANCE, numberToHex(amount, { size: 32 })],
      });
    await provider.request({ method: "hardhat_setCode", params: [TOKEN, "0x00"] });
    await hold(700n);
    await hdp.mine(6);
    await hold(0n); // sold after the snapshot
    await hdp.mine(1);
    const store = await hdp.deployExecutionStore();
    const task = await hdp.task("tasks/power.json");
    const contract = await viem.deployContract("Poll", [
      store.address,
      task.form,
      TOKEN,
      0n,
      5n,
      CLOSES,
    ]);
    const [voter] = await viem.getWalletClients();
    return { hdp, viem, provider, contract, task, voter };
  }

  it("counts what the voter held at the snapshot", async () => {
    const { hdp, contract, task, voter } = await poll();
    assert.deepEqual(await contract.read.powerTask([voter.account.address]), task);
    const [{ value, proven }] = await hdp.run("tasks/power.json");
    assert.deepEqual({ value, proven }, { value: 700n, proven: true });
    await assert.rejects(contract.write.vote([true, 701n]), /WrongValue/);
    await contract.write.vote([true, value]);
    assert.equal(await contract.read.yes(), 700n);
    await assert.rejects(contract.write.vote([false, value]), /AlreadyVoted/);
  });

  it("takes no vote after it has closed", async () => {
    const { hdp, provider, contract } = await poll();
    const [{ value }] = await hdp.run("tasks/power.json");
    const time = `0x${CLOSES.toString(16)}`;
    await provider.request({ method: "evm_setNextBlockTimestamp", params: [time] });
    await hdp.mine(1);
    await assert.rejects(contract.write.vote([true, value]), /Closed/);
  });

  it("accepts no result of another voter", async () => {
    const { hdp, viem, contract } = await poll();
    const [{ value }] = await hdp.run("tasks/power.json");
    const [, other] = await viem.getWalletClients();
    const vote = contract.write.vote([true, value], { account: other?.account });
    await assert.rejects(vote, /NotFinalized/);
  });
});
