import { expect } from "chai";
import { network } from "hardhat";
import "hardhat-hdp/chai";
import { HdpExecutionStoreMock__factory } from "hardhat-hdp/ethers";
import { blockSampled, header, rootOfValue } from "hardhat-hdp/request";

import { type FeeGate, FeeGate__factory } from "../types/ethers-contracts/index.js";

const averageBaseFee = blockSampled({ from: 0, to: 1, property: header("base_fee_per_gas") }).avg();

async function deployGate() {
  const { hdp, ethers, ...connection } = await network.create();
  const [user] = await ethers.getSigners();
  const { address, operator } = await hdp.deployExecutionStore();
  const store = HdpExecutionStoreMock__factory.connect(address, await ethers.getSigner(operator));
  const task = await hdp.task(averageBaseFee);
  const gate: FeeGate = await new FeeGate__factory(user).deploy(store, task);
  return { hdp, ethers, connection, store, gate, task };
}

describe("FeeGate with ethers and TypeChain", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, gate } = await deployGate();
    const [{ value }] = await hdp.run(averageBaseFee);
    await gate.update(value);
    expect(await gate.isOpen()).to.equal(true);
    await expect(hdp).to.have.finalized(averageBaseFee, value);
  });

  it("is shut over a value of our choice, finalized through the typed store", async () => {
    const { hdp, store, gate, task } = await deployGate();
    const fee = 101n * 10n ** 9n;
    // The word of a value in the module form, in which this connection stores results.
    const finalized = store.finalizeTask(task.hash, rootOfValue(fee));
    await expect(finalized).to.emit(store, "TaskFinalized");
    await gate.update(fee);
    expect(await gate.isOpen()).to.equal(false);
    await expect(hdp).to.have.finalized(averageBaseFee, fee);
  });

  it("reverts with the store's own error before the task is finalized", async () => {
    const { ethers, hdp, store, gate, task } = await deployGate();
    await expect(hdp).to.have.notFinalized(averageBaseFee);
    await expect(gate.update(7n)).to.be.revertedWithCustomError(store, "NotFinalized");
    // Hardhat knows the store by its name too, without compiling it.
    const byName = await ethers.getContractAt("IHdpSatellite", await store.getAddress());
    const read = byName.getDataProcessorFinalizedTaskResult(task.hash);
    await expect(read).to.be.revertedWithCustomError(byName, "NotFinalized");
    const { transactionHash, word } = await hdp.finalize(averageBaseFee, 7n);
    await expect(transactionHash).to.emit(store, "TaskFinalized").withArgs(task.hash, word);
  });

  it("shows the store's frames in the trace of a revert", async () => {
    const { gate } = await deployGate();
    const error = await gate.update(7n).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof Error)) throw new Error("it did not revert");
    expect(error.message).to.contain("reverted with custom error 'NotFinalized()'");
    expect(error.stack).to.match(
      /HdpExecutionStoreMock\.getDataProcessorFinalizedTaskResult \(hardhat-hdp\/contracts\/mocks\//,
    );
    expect(error.stack).to.match(/FeeGate\.update/);
  });

  it("has no viem beside ethers", async () => {
    const { connection } = await deployGate();
    expect(connection).not.to.have.property("viem");
  });
});
