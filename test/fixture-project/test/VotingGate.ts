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
    const power = blockSampled({
      from: 1,
      to: 5,
      property: account(voter.account.address, "balance"),
    }).min();
    const { form } = await hdp.task(power);
    const gate = await viem.deployContract("VotingGate", [store.address, form, 1n, 5n]);
    return { gate, voter, power };
  }

  it("derives the very task that is finalized, and takes its value", async () => {
    const { gate, voter, power } = await networkHelpers.loadFixture(votingFixture);
    const [{ value }] = await hdp.run(power);
    const derived = await gate.read.powerTask([voter.account.address]);
    expect(derived).to.deep.equal(await hdp.task(power));
    await gate.write.vote([value], { account: voter.account });
    expect(await gate.read.votes([voter.account.address])).to.equal(value);
    expect(value).to.equal(parseEther("10000"));
  });

  it("refuses a voter with too little power", async () => {
    const { gate, voter, power } = await networkHelpers.loadFixture(votingFixture);
    const { value } = await hdp.finalize(power, parseEther("99"));
    const refusal = await gate.write
      .vote([value], { account: voter.account })
      .catch((error: unknown) => error);
    expect(String(refusal)).to.contain("TooLittlePower");
  });
});
