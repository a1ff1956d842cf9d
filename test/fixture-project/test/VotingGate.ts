import { expect } from "chai";
import { network } from "hardhat";
import { account, blockSampled } from "hardhat-hdp/request";
import { parseEther } from "viem";

const { hdp, viem, networkHelpers, provider } = await network.create();

describe("VotingGate", () => {
  async function votingFixture() {
    const [, voter] = await viem.getWalletClients();
    if (voter === undefined) throw new Error("this network has no second account");
    const store = await hdp.deployExecutionStore();
    for (let i = 0; i < 5; i++) await provider.request({ method: "evm_mine" });
    const gate = await viem.deployContract("VotingGate", [store.address, 1n, 5n]);
    const power = blockSampled({
      from: 1,
      to: 5,
      property: account(voter.account.address, "balance"),
    }).min();
    return { gate, voter, power };
  }

  it("derives the very hash that the task is finalized under", async () => {
    const { gate, voter, power } = await networkHelpers.loadFixture(votingFixture);
    const [{ taskHash, value }] = await hdp.run(power);
    expect(await gate.read.powerTask([voter.account.address])).to.equal(taskHash);
    await gate.write.vote({ account: voter.account });
    expect(await gate.read.votes([voter.account.address])).to.equal(value);
    expect(value).to.equal(parseEther("10000"));
  });

  it("refuses a voter with too little power", async () => {
    const { gate, voter, power } = await networkHelpers.loadFixture(votingFixture);
    await hdp.finalize(power, parseEther("99"));
    const refusal = await gate.write
      .vote({ account: voter.account })
      .catch((error: unknown) => error);
    expect(String(refusal)).to.contain("TooLittlePower");
  });
});
