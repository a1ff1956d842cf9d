import assert from "node:assert/strict";

import { network } from "hardhat";
import { blockSampled, header } from "hardhat-hdp/request";
import { parseGwei } from "viem";

import FeeGate from "../ignition/modules/FeeGate.js";

const FEE = "tasks/fee.json";
const later = blockSampled({ from: 2, to: 3, property: header("base_fee_per_gas") }).avg();

describe("UpgradeableFeeGate", () => {
  /** Deploys by the Ignition module: what is tested is what is deployed. */
  async function deployed() {
    const { hdp, ignition, viem } = await network.create();
    const { hash: taskHash, form } = await hdp.task(FEE);
    const parameters = { FeeGate: { taskHash, form } };
    const { store, gate } = await ignition.deploy(FeeGate, { parameters });
    await hdp.store.use(store.address);
    const upgraded = async () =>
      await viem.deployContract("UpgradeableFeeGate", [store.address, await hdp.task(later)]);
    return { hdp, viem, gate, upgraded };
  }

  it("opens behind the proxy by the computed average", async () => {
    const { hdp, gate } = await deployed();
    const [{ value }] = await hdp.run(FEE);
    await assert.rejects(gate.write.update([value + 1n]), /WrongValue/);
    await gate.write.update([value]);
    assert.equal(await gate.read.isOpen(), true);
  });

  it("keeps its state over an upgrade, and then takes the new task's result alone", async () => {
    const { hdp, gate, upgraded } = await deployed();
    const first = await hdp.finalize(FEE, parseGwei("7"));
    await gate.write.update([first.value]);
    const { address } = await upgraded();
    await gate.write.upgradeToAndCall([address, "0x"]);
    assert.deepEqual(await gate.read.feeTask(), await hdp.task(later));
    assert.equal(await gate.read.averageBaseFee(), parseGwei("7"));
    await assert.rejects(gate.write.update([first.value]), /NotFinalized/);
    const second = await hdp.finalize(later, parseGwei("300"));
    await gate.write.update([second.value]);
    assert.equal(await gate.read.isOpen(), false);
  });

  it("is upgraded by its owner alone, and initialized once", async () => {
    const { viem, gate, upgraded } = await deployed();
    const [owner, other] = await viem.getWalletClients();
    const { address } = await upgraded();
    const upgrade = gate.write.upgradeToAndCall([address, "0x"], { account: other.account });
    await assert.rejects(upgrade, /OwnableUnauthorizedAccount/);
    const owned = [owner.account.address] as const;
    await assert.rejects(gate.write.initialize(owned), /InvalidInitialization/);
    const implementation = await viem.getContractAt("UpgradeableFeeGate", address);
    await assert.rejects(implementation.write.initialize(owned), /InvalidInitialization/);
  });
});
