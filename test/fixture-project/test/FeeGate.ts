import { expect } from "chai";
import { network } from "hardhat";
import { blockSampled, header, taskHash } from "hardhat-hdp/request";

const averageBaseFee = blockSampled({ from: 0, to: 1, property: header("base_fee_per_gas") }).avg();

const { hdp, viem, networkHelpers } = await network.create();

describe("FeeGate", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, viem } = await network.create();
    const store = await hdp.deployExecutionStore();
    const gate = await viem.deployContract("FeeGate", [store.address, taskHash(averageBaseFee)]);
    await hdp.run(averageBaseFee);
    expect(await gate.read.isOpen()).to.equal(true);
  });

  describe("with a shared set-up", () => {
    async function gateFixture() {
      const store = await hdp.store.current();
      const gate = await viem.deployContract("FeeGate", [store.address, taskHash(averageBaseFee)]);
      return { gate };
    }

    it("stays shut over a value of our choice", async () => {
      const { gate } = await networkHelpers.loadFixture(gateFixture);
      await hdp.finalize(averageBaseFee, 101n * 10n ** 9n);
      expect(await gate.read.isOpen()).to.equal(false);
    });

    it("knows nothing of another test's result", async () => {
      const { gate } = await networkHelpers.loadFixture(gateFixture);
      await hdp.run(averageBaseFee);
      expect(await gate.read.isOpen()).to.equal(true);

      await networkHelpers.loadFixture(gateFixture);
      let message = "";
      await hdp.readResult(averageBaseFee).catch((error: unknown) => {
        message = String(error);
      });
      expect(message).to.contain("not finalized");
    });

    it("reverts while the task is not finalized", async () => {
      const { gate } = await networkHelpers.loadFixture(gateFixture);
      const refusal = await gate.read.isOpen().catch((error: unknown) => error);
      expect(String(refusal)).to.contain("NotFinalized()");
    });
  });
});
