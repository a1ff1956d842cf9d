import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { network } from "hardhat";
import { parseCompiledClassText, programHash } from "hardhat-hdp/program";
import { valueOfFelts } from "hardhat-hdp/request";
import { pad } from "viem";

const CLASS = "compiled/twap_Module.compiled_contract_class.json";

describe("TwapSettlement", () => {
  async function deploy() {
    const { hdp, viem, provider } = await network.create();
    const feed = await viem.deployContract("PriceFeed"); // block 1
    const setAt = async (price: bigint, timestamp: number) => {
      await provider.request({ method: "evm_setNextBlockTimestamp", params: [timestamp] });
      await feed.write.set([price]);
    };
    await setAt(100n, 4_000_000_000); // blocks 2, 3 and 4
    await setAt(400n, 4_000_000_060);
    await setAt(9n, 4_000_000_080);
    const store = await hdp.deployExecutionStore();
    const program = pad(programHash(parseCompiledClassText(readFileSync(CLASS, "utf8"))));
    const settlement = await viem.deployContract("TwapSettlement", [
      store.address,
      program,
      feed.address,
      0n,
      2n,
      4n,
    ]);
    return { hdp, settlement };
  }

  it("settles at the average weighted by time", async () => {
    const { hdp, settlement } = await deploy();
    const [{ taskHash, output }] = await hdp.run("tasks/twap.json");
    assert.equal(taskHash, await settlement.read.twapTask());
    assert.equal(valueOfFelts(output ?? []), (100n * 60n + 400n * 20n) / 80n);
    await settlement.write.settle([175n]);
    assert.equal(await settlement.read.settledPrice(), 175n);
    await assert.rejects(settlement.write.settle([175n]), /AlreadySettled/);
  });

  it("refuses any other price, and the proven one with its halves swapped", async () => {
    const { hdp, settlement } = await deploy();
    await hdp.run("tasks/twap.json");
    await assert.rejects(settlement.write.settle([250n]), /WrongValue/);
    await assert.rejects(settlement.write.settle([175n << 128n]), /WrongValue/);
  });
});
