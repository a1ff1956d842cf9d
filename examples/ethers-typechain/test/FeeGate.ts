import { expect } from "chai";
import { network } from "hardhat";
import "hardhat-hdp/chai";
import { HdpExecutionStoreMock__factory } from "hardhat-hdp/ethers";
import { blockSampled, header, taskHash } from "hardhat-hdp/request";

import { type FeeGate, FeeGate__factory } from "../types/ethers-contracts/index.js";

const averageBaseFee = blockSampled({ from: 0, to: 1, property: header("base_fee_per_gas") }).avg();

async function deployGate() {
  const { hdp, ethers, ...connection } = await network.create();
  const [user] = await ethers.getSigners();
  const { address, operator } = await hdp.deployExecutionStore();
  const store = HdpExecutionStoreMock__factory.connect(address, await ethers.getSigner(operator));
  const gate: FeeGate = await new FeeGate__factory(user).deploy(store, taskHash(averageBaseFee));
  return { hdp, ethers, connection, store, gate };
}

describe("FeeGate with ethers and TypeChain", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, gate } = await deployGate();
    await hdp.run(averageBaseFee);
    expect(await gate.isOpen()).to.equal(true);
    await expect(hdp).to.have.finalized(averageBaseFee);
  });

  it("is shut over a value of our choice, finalized through the typed store", async () => {
    const { ethers, hdp, store, gate } = await deployGate();
    const word = ethers.zeroPadValue(ethers.toBeHex(101n * 10n ** 9n), 32);
    await expect(store.finalizeTask(taskHash(averageBaseFee), word)).to.emit(
      store,
      "TaskFinalized",
    );
    expect(await gate.isOpen()).to.equal(false);
    await expect(hdp).to.have.finalized(averageBaseFee, 101n * 10n ** 9n);
  });

  it("reverts with the store's own error before the task is finalized", async () => {
    const { ethers, hdp, store, gate } = await deployGate();
    await expect(hdp).to.have.notFinalized(averageBaseFee);
    await expect(gate.pass()).to.be.revertedWithCustomError(store, "NotFinalized");
    // Hardhat knows the store by its name too, without compiling it.
    const byName = await ethers.getContractAt("IHdpSatellite", await store.getAddress());
    const read = byName.getDataProcessorFinalizedTaskResult(taskHash(averageBaseFee));
    await expect(read).to.be.revertedWithCustomError(byName, "NotFinalized");
  });

  it("shows the store's frames in the trace of a revert", async () => {
    const { gate } = await deployGate();
    const error = await gate.pass().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof Error)) throw new Error("it did not revert");
    expect(error.message).to.contain("reverted with custom error 'NotFinalized()'");
    expect(error.stack).to.match(
      /HdpExecutionStoreMock\.getDataProcessorFinalizedTaskResult \(hardhat-hdp\/contracts\/mocks\//,
    );
    expect(error.stack).to.match(/FeeGate\.pass/);
  });

  it("has no viem beside ethers", async () => {
    const { connection } = await deployGate();
    expect(connection).not.to.have.property("viem");
  });
});
