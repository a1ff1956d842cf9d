import assert from "node:assert/strict";

import { network } from "hardhat";
import { blockSampled, header } from "hardhat-hdp/request";
import { parseGwei } from "viem";

import { keepFresh } from "../jobs/keep-fresh.js";

const first = blockSampled({ from: 0n, to: 9n, property: header("base_fee_per_gas") }).avg();

describe("RollingAverage", () => {
  async function deploy() {
    const connection = await network.create();
    const { hdp, viem } = connection;
    const store = await hdp.deployExecutionStore();
    const { form } = await hdp.task(first);
    const contract = await viem.deployContract("RollingAverage", [store.address, form]);
    return { connection, contract };
  }

  it("derives the task of a period as the job does", async () => {
    const { connection, contract } = await deploy();
    assert.deepEqual(await contract.read.averageTask([0n]), await connection.hdp.task(first));
  });

  it("gets each complete period once, however often the job runs", async () => {
    const { connection, contract } = await deploy();
    const { hdp } = connection;
    await hdp.mine(20, { baseFee: parseGwei("5") });
    assert.deepEqual(await keepFresh(connection, contract.address), [0n, 1n]);
    assert.deepEqual(await keepFresh(connection, contract.address), []);
    await hdp.mine(10, { baseFee: parseGwei("7") });
    assert.deepEqual(await keepFresh(connection, contract.address), [2n]);
    assert.equal(await contract.read.averages([1n]), parseGwei("5"));
    assert.equal(await contract.read.latestPeriod(), 2n);
    for (const period of [0n, 1n, 2n]) assert.equal(await contract.read.deliveries([period]), 1n);
  });

  it("takes no other average", async () => {
    const { connection, contract } = await deploy();
    await connection.hdp.finalize(first, 7n);
    await assert.rejects(contract.write.update([0n, 8n]), /WrongValue/);
    await assert.rejects(contract.write.update([1n, 7n]), /NotFinalized/);
  });
});
