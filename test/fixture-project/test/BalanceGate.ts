import { readFileSync } from "node:fs";

import { expect } from "chai";
import { network } from "hardhat";
import { parseCompiledClassText, programHash } from "hardhat-hdp/program";
import { valueOfFelts } from "hardhat-hdp/request";
import { pad, parseEther } from "viem";

const { hdp, viem, networkHelpers } = await network.create();

/** The example's task: the balance of the first test account in block 0. */
const TASK = "../../examples/module-balance/tasks/balance.json";
const CLASS =
  "../../examples/module-balance/compiled/module_balance_Module.compiled_contract_class.json";

describe("BalanceGate", () => {
  async function gateFixture() {
    const store = await hdp.deployExecutionStore();
    const program = programHash(parseCompiledClassText(readFileSync(CLASS, "utf8")));
    const gate = await viem.deployContract("BalanceGate", [store.address, pad(program), 0n, 0n]);
    return { gate };
  }

  it("accepts what the module returned, and nothing else", async () => {
    const { gate } = await networkHelpers.loadFixture(gateFixture);
    const [account] = await viem.getWalletClients();
    const [{ taskHash, output }] = await hdp.run(TASK);
    expect(await gate.read.sumTask([account.account.address])).to.equal(taskHash);
    expect(valueOfFelts(output ?? [])).to.equal(parseEther("10000"));

    const refusal = await gate.write.enter([parseEther("10001")]).catch((error: unknown) => error);
    expect(String(refusal)).to.contain("WrongValue");
    await gate.write.enter([parseEther("10000")]);
    expect(await gate.read.admitted([account.account.address])).to.equal(parseEther("10000"));
  });

  it("keeps those out for whom nothing was computed", async () => {
    const { gate } = await networkHelpers.loadFixture(gateFixture);
    const [, other] = await viem.getWalletClients();
    const refusal = await gate.write
      .enter([parseEther("10000")], { account: other.account })
      .catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Error);
  });
});
