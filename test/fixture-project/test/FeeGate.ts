import { expect } from "chai";
import { network } from "hardhat";
import { blockSampled, header } from "hardhat-hdp/request";

const averageBaseFee = blockSampled({ from: 0, to: 1, property: header("base_fee_per_gas") }).avg();

const { hdp, viem, networkHelpers } = await network.create();

describe("FeeGate", () => {
  it("opens when the computed average is low", async () => {
    const { hdp, viem } = await network.create();
    const { address } = await hdp.deployExecutionStore();
    const gate = await viem.deployContract("FeeGate", [address, await hdp.task(averageBaseFee)]);
    const [{ value }] = await hdp.run(averageBaseFee);
    await gate.write.update([value]);
    expect(await gate.read.isOpen()).to.equal(true);
  });

  describe("with a shared set-up", () => {
    async function gateFixture() {
      const { address } = await hdp.store.current();
      const gate = await viem.deployContract("FeeGate", [address, await hdp.task(averageBaseFee)]);
      return { gate };
    }

    it("stays shut over a value of our choice", async () => {
      const { gate } = await networkHelpers.loadFixture(gateFixture);
      const { value } = await hdp.finalize(averageBaseFee, 101n * 10n ** 9n);
      await gate.write.update([value]);
      expect(await gate.read.isOpen()).to.equal(false);
    });

    it("knows nothing of another test's result", async () => {
      const { gate } = await networkHelpers.loadFixture(gateFixture);
      const [{ value }] = await hdp.run(averageBaseFee);
      await gate.write.update([value]);
      expect(await gate.read.isOpen()).to.equal(true);

      await networkHelpers.loadFixture(gateFixture);
      let message = "";
      await hdp.readResult(averageBaseFee).catch((error: unknown) => {
        message = String(error);
      });
      expect(message).to.contain("not finalized");
    });

    it("reverts while the task is not finalized, and for another value", async () => {
      const { gate } = await networkHelpers.loadFixture(gateFixture);
      const early = await gate.write.update([7n]).catch((error: unknown) => error);
      expect(String(early)).to.contain("NotFinalized()");
      await hdp.finalize(averageBaseFee, 8n);
      const other = await gate.write.update([7n]).catch((error: unknown) => error);
      expect(String(other)).to.contain("WrongValue");
    });
  });
});
